fn main() {
    if let Ok(directory) = std::env::var("DEP_BELAY_RUST_LIBDIR") {
        println!("cargo:rustc-link-arg-bins=-Wl,-rpath,{directory}");
    }
}
