//! Finds the library: in `BELAY_LIB_DIR`, below `BELAY_PREFIX`, or by pkg-config. Where none of them
//! has it, builds the source release that `BELAY_RELEASE` names and links the archive of that. The
//! three are absolute paths. The feature
//! `testing` links `libbelay-testing`, which has all of `libbelay` and what tests need besides. The
//! feature `static` links the archive, and the libraries that pkg-config lists for it.
//!
//! Crates that depend on this one directly get `DEP_BELAY_LIBDIR`, the directory of the shared
//! library. It is not set with `static`, because such a program needs no directory to run.
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::{env, fs};

fn main() {
    for name in [
        "BELAY_LIB_DIR",
        "BELAY_PREFIX",
        "PKG_CONFIG",
        "PKG_CONFIG_PATH",
        "BELAY_RELEASE",
        "DOCS_RS",
    ] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    // The documentation is built without the library where that cannot be had.
    if env::var_os("DOCS_RS").is_some() {
        return;
    }
    if let Err(reason) = are_absolute().and_then(|()| link()) {
        eprintln!("belay-sys: {reason}");
        process::exit(1);
    }
}

/// cargo runs this in the folder of this crate, which is not where a user has set the variables.
fn are_absolute() -> Result<(), String> {
    for name in ["BELAY_LIB_DIR", "BELAY_PREFIX", "BELAY_RELEASE"] {
        if let Some(path) = env::var_os(name).map(PathBuf::from).filter(|path| path.is_relative()) {
            let path = path.display();
            return Err(format!("{name} is \"{path}\", and must be an absolute path"));
        }
    }
    Ok(())
}

fn link() -> Result<(), String> {
    match (directory(), env::var_os("BELAY_RELEASE")) {
        (Ok(directory), _) if has("STATIC") => link_archive(&directory),
        (Ok(directory), _) => link_shared(&directory),
        (Err(_), Some(release)) => {
            built(Path::new(&release)).and_then(|directory| link_archive(&directory))
        }
        (Err(reason), None) => Err(reason),
    }
}

fn has(feature: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{feature}")).is_some()
}

/// The library's name for the linker and for pkg-config.
fn library() -> &'static str {
    if has("TESTING") {
        "belay-testing"
    } else {
        "belay"
    }
}

/// The library's file.
fn file() -> String {
    format!("lib{}.{}", library(), if has("STATIC") { "a" } else { "so" })
}

/// The directory that has the library's file.
fn directory() -> Result<PathBuf, String> {
    let (told_by, places) = if let Some(given) = env::var_os("BELAY_LIB_DIR") {
        ("BELAY_LIB_DIR", vec![PathBuf::from(given)])
    } else if let Some(prefix) = env::var_os("BELAY_PREFIX") {
        ("BELAY_PREFIX", below(Path::new(&prefix)))
    } else {
        (
            "pkg-config",
            vec![PathBuf::from(pkg_config(None, &["--print-errors", "--variable=libdir"])?)],
        )
    };
    let found = places.iter().find(|place| place.join(file()).exists());
    // A program's rpath has to hold wherever the program is started.
    found.and_then(|place| fs::canonicalize(place).ok()).ok_or_else(|| {
        let places: Vec<_> = places.iter().map(|place| place.display().to_string()).collect();
        format!("{} is not in {}, which {told_by} names", file(), places.join(" or "))
    })
}

/// `lib`, and what a distribution has in its place: `lib64`, `lib/x86_64-linux-gnu`.
fn below(prefix: &Path) -> Vec<PathBuf> {
    let mut places = vec![prefix.join("lib"), prefix.join("lib64")];
    if let Ok(entries) = fs::read_dir(prefix.join("lib")) {
        places.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()));
    }
    places
}

/// The answer of pkg-config about the library. It searches `first` before its own places.
fn pkg_config(first: Option<&Path>, options: &[&str]) -> Result<String, String> {
    let program = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    let mut command = Command::new(&program);
    command.args(options).arg(library());
    if let Some(first) = first {
        let others = env::var_os("PKG_CONFIG_PATH").unwrap_or_default();
        let all = std::iter::once(first.to_path_buf()).chain(env::split_paths(&others));
        command.env("PKG_CONFIG_PATH", env::join_paths(all).map_err(|error| error.to_string())?);
    }
    let remedy =
        "set BELAY_LIB_DIR to the directory of the library, or BELAY_PREFIX to the prefix \
                  that Belay was installed with, or PKG_CONFIG_PATH to the directory of belay.pc, \
                  or BELAY_RELEASE to a source release, belay-VERSION.tar.xz";
    let output = command.output().map_err(|error| {
        format!("cannot run {}: {error}; {remedy}", Path::new(&program).display())
    })?;
    let answer = String::from_utf8_lossy(&output.stdout).trim().to_string();
    if !output.status.success() || answer.is_empty() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("pkg-config does not know {}: {}; {remedy}", library(), said.trim()));
    }
    Ok(answer)
}

/// The directory of the archive that a source release, packed or not, is built into.
fn built(release: &Path) -> Result<PathBuf, String> {
    println!("cargo:rerun-if-changed={}", release.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets no OUT_DIR")?);
    let (source, prefix) = (out.join("release"), out.join("prefix"));
    if source.exists() {
        fs::remove_dir_all(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    }
    if release.is_dir() {
        run(Command::new("cp").arg("-R").arg(release).arg(&source))?;
    } else {
        fs::create_dir_all(&source).map_err(|error| format!("{}: {error}", source.display()))?;
        let mut tar = Command::new("tar");
        run(tar.arg("-xf").arg(release).arg("-C").arg(&source).arg("--strip-components=1"))?;
    }
    // The flags of cargo's make are for another one.
    let mut make = Command::new("make");
    make.env_remove("MAKEFLAGS").env_remove("MFLAGS").arg("-C").arg(&source);
    run(make.arg("install").arg(format!("PREFIX={}", prefix.display())))?;
    Ok(prefix.join("lib"))
}

fn run(command: &mut Command) -> Result<(), String> {
    let told = format!("{command:?}");
    let output = command.output().map_err(|error| format!("{told}: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("{told}: {}", String::from_utf8_lossy(&output.stderr).trim()))
    }
}

/// Links the shared library through links below the build directory: cargo lets `cargo run` and
/// `cargo test` find libraries there, but not in other places.
fn link_shared(directory: &Path) -> Result<(), String> {
    let out = env::var_os("OUT_DIR").ok_or("cargo sets no OUT_DIR")?;
    let links = Path::new(&out).join("lib");
    let failed = |error: std::io::Error| format!("{}: {error}", links.display());
    if links.exists() {
        fs::remove_dir_all(&links).map_err(failed)?;
    }
    fs::create_dir_all(&links).map_err(failed)?;
    for entry in fs::read_dir(directory).map_err(failed)?.flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with(&file()) {
            std::os::unix::fs::symlink(entry.path(), links.join(name)).map_err(failed)?;
        }
    }
    println!("cargo:rustc-link-lib={}", library());
    println!("cargo:rustc-link-search=native={}", links.display());
    println!("cargo:libdir={}", directory.display());
    Ok(())
}

/// The words that a shell reads in what pkg-config answers: it quotes the spaces of paths.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    let mut rest = text.chars();
    while let Some(next) = rest.next() {
        match (next, quote) {
            ('\\', None | Some('"')) => word.extend(rest.next()),
            ('"' | '\'', None) => quote = Some(next),
            (_, Some(end)) if next == end => quote = None,
            (' ' | '\n', None) => words.push(std::mem::take(&mut word)),
            _ => word.push(next),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// Links the archive. `belay.pc` says what it needs, which depends on how it was built.
fn link_archive(directory: &Path) -> Result<(), String> {
    println!("cargo:rustc-link-search=native={}", directory.display());
    println!("cargo:rustc-link-lib=static:-bundle={}", library());
    let needed =
        pkg_config(Some(&directory.join("pkgconfig")), &["--print-errors", "--static", "--libs"])?;
    for option in words(&needed) {
        if let Some(place) = option.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={place}");
        } else if let Some(name) = option.strip_prefix("-l").filter(|name| *name != library()) {
            println!("cargo:rustc-link-lib={name}");
        }
    }
    Ok(())
}
