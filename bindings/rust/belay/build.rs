//! Passes the directory of the shared library on, as `DEP_BELAY_RUST_LIBDIR`, to crates that depend
//! on this one: cargo gives a program no rpath that a dependency asks for. The tests and examples
//! of this crate get theirs here.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if let Ok(directory) = std::env::var("DEP_BELAY_LIBDIR") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{directory}");
        println!("cargo:libdir={directory}");
    }
}
