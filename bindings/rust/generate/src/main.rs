//! `cargo run -p belay-generate`: writes what is generated where it belongs.
use std::{fs, io};

fn main() -> io::Result<()> {
    let workspace = belay_generate::workspace();
    for file in belay_generate::generate(&workspace.join("../../include/belay"))? {
        fs::write(workspace.join(file.path), file.text)?;
        println!("{}", file.path);
    }
    Ok(())
}
