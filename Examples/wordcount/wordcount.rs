//! wordcount FILE: the ten most frequent words of a file that is read as a stream of lines. A word is
//! a run of letters from A to Z, in any bytes.
use belay::{Lines, Loop, Signal};
use std::collections::HashMap;

fn words_of(line: Vec<u8>) -> Signal<String> {
    let words = line
        .split(|byte| !byte.is_ascii_alphabetic())
        .filter(|word| !word.is_empty());
    Signal::from_values(words.map(|word| String::from_utf8_lossy(word).to_lowercase()))
}

fn report(words: Vec<String>) {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for word in &words {
        *counts.entry(word).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    println!("{} words, {} different", words.len(), counts.len());
    for (word, count) in counts.iter().take(10) {
        println!("{count:5} {word}");
    }
}

fn run() -> belay::Result<()> {
    let main = Loop::new()?;
    let path = std::env::args_os().nth(1).unwrap_or_default();
    let words = Signal::file_lines(&main, path, Lines::all())
        .cast::<Vec<u8>>()
        .concat_map(words_of)
        .collect();
    report(words.wait_first(&main, None)?);
    Ok(())
}

fn main() {
    if let Err(error) = run() {
        eprintln!("wordcount: {error}");
        std::process::exit(1);
    }
}
