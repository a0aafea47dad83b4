//! Finds the library: in `BELAY_LIB_DIR`, below `BELAY_PREFIX`, or by pkg-config. With the feature
//! `testing` that is `libbelay-testing`, which is all of `libbelay` and what tests need besides.
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    for name in ["BELAY_LIB_DIR", "BELAY_PREFIX", "PKG_CONFIG", "PKG_CONFIG_PATH"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-lib={}", library());
    // Who builds the documentation needs no library.
    if let Some(directory) = directory() {
        println!("cargo:rustc-link-search=native={}", directory.display());
        println!("cargo:libdir={}", directory.display());
    }
}

fn library() -> &'static str {
    if env::var_os("CARGO_FEATURE_TESTING").is_some() {
        "belay-testing"
    } else {
        "belay"
    }
}

fn directory() -> Option<PathBuf> {
    if let Some(given) = env::var_os("BELAY_LIB_DIR") {
        return Some(PathBuf::from(given));
    }
    if let Some(prefix) = env::var_os("BELAY_PREFIX") {
        return Some(below(Path::new(&prefix)));
    }
    let program = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    let answer = Command::new(program).args(["--variable=libdir", library()]).output().ok()?;
    let text = String::from_utf8(answer.stdout).ok()?;
    let found = text.trim();
    if !answer.status.success() || found.is_empty() {
        println!("cargo:warning=lib{}: not known to pkg-config, and neither BELAY_LIB_DIR nor BELAY_PREFIX is set", library());
        return None;
    }
    Some(PathBuf::from(found))
}

/// `lib`, or what a distribution has in its place: `lib64`, `lib/x86_64-linux-gnu`.
fn below(prefix: &Path) -> PathBuf {
    let mut places = vec![prefix.join("lib"), prefix.join("lib64")];
    if let Ok(entries) = fs::read_dir(prefix.join("lib")) {
        places.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()));
    }
    let has_it = |place: &&PathBuf| place.join(format!("lib{}.so", library())).exists();
    places.iter().find(has_it).unwrap_or(&places[0]).clone()
}
