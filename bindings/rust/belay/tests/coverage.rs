//! Every function of the C API is used here, or stands in `uncovered.tsv` with a reason; every
//! operator is.
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    let path = workspace().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The words of all sources of the crate, without comments: these use nothing.
fn words_used() -> HashSet<String> {
    let mut words = HashSet::new();
    let mut directories = vec![workspace().join("belay/src")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).expect("the sources are there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                directories.push(path);
            } else {
                let text = fs::read_to_string(path).expect("a source can be read");
                let code = text.lines().map(|line| line.split("//").next().unwrap_or(""));
                let split =
                    code.flat_map(|it| it.split(|c: char| !c.is_alphanumeric() && c != '_'));
                words.extend(split.filter(|word| word.starts_with("belay_")).map(String::from));
            }
        }
    }
    words
}

fn functions() -> Vec<String> {
    let declarations = read("belay-sys/src/declarations.rs");
    let lines = declarations.lines().filter_map(|line| line.trim().strip_prefix("pub fn "));
    lines.filter_map(|line| line.split('(').next()).map(String::from).collect()
}

fn stands_for(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |stem| name.starts_with(stem))
}

#[test]
fn every_function_is_used_or_excepted_with_a_reason() {
    let (used, functions, list) = (words_used(), functions(), read("uncovered.tsv"));
    let exceptions: Vec<(&str, &str)> =
        list.lines().map(|line| line.split_once('\t').expect("a name and a reason")).collect();
    assert!(functions.len() > 400);
    for name in &functions {
        let excepted = exceptions.iter().any(|(pattern, _)| stands_for(pattern, name));
        assert!(used.contains(name) || excepted, "{name} is neither used nor excepted");
        assert!(!used.contains(name) || !excepted, "{name} is used, and excepted");
    }
    for (pattern, reason) in exceptions {
        assert!(!reason.is_empty());
        let stands = functions.iter().any(|name| stands_for(pattern, name));
        assert!(stands, "{pattern} stands for nothing");
    }
}

#[test]
fn every_operator_is_reachable() {
    let (used, operators) = (words_used(), read("../../docs/operators.tsv"));
    let mut count = 0;
    for line in operators.lines().skip(1) {
        let c = line.split('\t').nth(1).unwrap_or("");
        if c.starts_with("belay_") {
            count += 1;
            assert!(used.contains(c), "{c} is not reachable");
        }
    }
    assert!(count > 150);
}
