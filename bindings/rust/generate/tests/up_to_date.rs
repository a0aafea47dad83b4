//! What is committed is what the headers give.
use std::fs;

#[test]
fn what_is_committed_is_what_the_headers_give() {
    let workspace = belay_generate::workspace();
    let include = workspace.join("../../include/belay");
    for file in belay_generate::generate(&include).expect("the headers can be read") {
        let committed = fs::read_to_string(workspace.join(file.path)).unwrap_or_default();
        if committed == file.text {
            continue;
        }
        let line = committed.lines().zip(file.text.lines()).position(|(a, b)| a != b);
        panic!(
            "{} is not what the headers give, from line {} on; run: cargo run -p belay-generate",
            file.path,
            line.map_or(committed.lines().count().min(file.text.lines().count()), |n| n) + 1
        );
    }
}
