//! Makes the declarations of `belay-sys`, and a check of them, of Belay's C headers.
//!
//! The headers are regular, which is what makes this possible without a C parser: each function is
//! exported by a mark, each type is a `typedef`, and what is conditional is for other languages.
#![deny(missing_docs)]

mod emit;
mod header;
mod parse;
mod types;

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A file that is generated: where it belongs below `bindings/rust`, and its text.
pub struct Generated {
    /// The path, relative to `bindings/rust`.
    pub path: &'static str,
    /// What has to stand there.
    pub text: String,
}

/// `bindings/rust` of this tree.
pub fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Reads the headers in `include` (`include/belay`) and makes all that is generated.
pub fn generate(include: &Path) -> io::Result<Vec<Generated>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(include)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    paths.sort();
    let mut api = parse::Api::default();
    for path in paths {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        // What makes shapes of C types is macros alone.
        if name.ends_with(".h") && name != "interface_typed.h" {
            let text = fs::read_to_string(&path)?;
            api.read(name, &header::statements(&text));
        }
    }
    Ok(vec![
        Generated { path: "belay-sys/src/declarations.rs", text: emit::declarations(&api) },
        Generated { path: "belay-sys/tests/layout/names.rs", text: emit::names(&api) },
        Generated { path: "belay-sys/tests/layout/layout.c", text: emit::layout(&api) },
    ])
}
