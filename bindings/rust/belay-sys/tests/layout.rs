//! Constants, sizes, offsets, functions and inline functions are C's.
//!
//! `layout/names.rs` and `layout/layout.c` are generated from the headers, and say the same facts
//! in Rust and in C; the C compiler has the last word.
#![allow(clippy::unnecessary_cast)]
use belay_sys::*;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A field's offset, by the address it would have in one that is not there.
macro_rules! offset {
    ($type:ty, $field:ident) => {{
        let made = core::mem::MaybeUninit::<$type>::uninit();
        let base = made.as_ptr();
        // The place is named, not read.
        let field = unsafe { core::ptr::addr_of!((*base).$field) };
        (field as usize - base as usize) as i128
    }};
}

/// A field's size.
macro_rules! width {
    ($type:ty, $field:ident) => {{
        fn of<Struct, Field>(_: impl Fn(&Struct) -> &Field) -> i128 {
            core::mem::size_of::<Field>() as i128
        }
        of(|made: &$type| &made.$field)
    }};
}

#[rustfmt::skip]
mod names {
    use super::*;
    include!("layout/names.rs");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// What a C program prints.
fn said_by(source: &Path, name: &str) -> String {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let status = Command::new(compiler)
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(root().join("include"))
        .arg(source)
        .arg("-o")
        .arg(&program)
        .status()
        .expect("there is a C compiler");
    assert!(status.success(), "{} compiles", source.display());
    let output = Command::new(program).output().expect("what was compiled runs");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("it prints text")
}

#[test]
fn constants_sizes_and_offsets_are_those_of_c() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/layout/layout.c");
    let ours: String =
        names::facts().iter().map(|(name, value)| format!("{name} {value}\n")).collect();
    let theirs = said_by(&source, "layout");
    assert!(names::facts().len() > 300);
    for (ours, theirs) in ours.lines().zip(theirs.lines()) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(ours.lines().count(), theirs.lines().count());
}

#[test]
fn every_function_that_the_library_exports_is_declared() {
    let symbols = fs::read_to_string(root().join("Tests/Package/symbols.txt"))
        .expect("the list of exported symbols can be read");
    let exported: Vec<&str> = symbols.lines().filter_map(|l| l.split(' ').next()).collect();
    let mut declared: Vec<&str> = names::functions().iter().map(|(name, _)| *name).collect();
    declared.sort_unstable();
    assert_eq!(declared, exported);
    assert!(names::functions().iter().all(|(_, address)| *address != 0));
}

/// Inline functions with what they are tried on, in Rust and in C.
macro_rules! inline {
    ($($name:ident: $($c:literal = $argument:expr),*;)*) => {
        fn tried() -> Vec<(&'static str, &'static str, belay_value)> {
            vec![$($((stringify!($name), $c, $name($argument)),)*)*]
        }
    };
}

inline! {
    belay_bool: "0" = 0, "1" = 1, "-7" = -7;
    belay_int8: "INT8_MIN" = i8::MIN, "-1" = -1, "INT8_MAX" = i8::MAX;
    belay_int16: "INT16_MIN" = i16::MIN, "-1" = -1, "INT16_MAX" = i16::MAX;
    belay_int32: "INT32_MIN" = i32::MIN, "-1" = -1, "INT32_MAX" = i32::MAX;
    belay_int64: "INT64_MIN" = i64::MIN, "-1" = -1, "INT64_MAX" = i64::MAX;
    belay_uint8: "0" = 0, "UINT8_MAX" = u8::MAX;
    belay_uint16: "0" = 0, "UINT16_MAX" = u16::MAX;
    belay_uint32: "0" = 0, "UINT32_MAX" = u32::MAX;
    belay_uint64: "0" = 0, "UINT64_MAX" = u64::MAX;
    belay_float: "0.f" = 0.0, "-1.5f" = -1.5, "1e30f" = 1e30;
    belay_double: "0." = 0.0, "-1.5" = -1.5, "1e300" = 1e300;
    belay_pointer: "NULL" = core::ptr::null(), "(void *)4096" = 4096 as *const _;
}

#[test]
fn inline_functions_answer_what_those_of_c_do() {
    let mut all = tried();
    all.push(("belay_null", "", belay_null()));
    let mut program = String::from("#include <belay/belay.h>\n#include <stdio.h>\n");
    program += "static void say(belay_value v) { printf(\"%llu %llu\\n\", ";
    program += "(unsigned long long)v.payload_, (unsigned long long)v.tag_); }\n";
    program += "int main(void) {\n";
    for (name, argument, _) in &all {
        program += &format!("  say({name}({argument}));\n");
    }
    program += "  return 0;\n}\n";
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inline.c");
    fs::write(&source, program).expect("the program can be written");
    let said = said_by(&source, "inline");
    for ((name, argument, ours), theirs) in all.iter().zip(said.lines()) {
        assert_eq!(format!("{} {}", ours.payload_, ours.tag_), theirs, "{name}({argument})");
    }
    assert_eq!(said.lines().count(), all.len());
    // What asks and tries is `belay_value_kind()` and `belay_value_try()` with a kind.
    for name in names::INLINE.iter().filter(|name| kind_in(name).is_none()) {
        let is_tried = all.iter().any(|(tried, _, _)| tried == name);
        assert!(is_tried, "{name} is inline, and not here");
    }
}

/// The kind that a function asks about or tries.
fn kind_in(name: &str) -> Option<i128> {
    let kind = name.strip_prefix("belay_value_is_").or(name.strip_prefix("belay_value_try_"))?;
    let constant = format!("BELAY_KIND_{}", kind.to_uppercase());
    names::facts().iter().find(|(fact, _)| *fact == constant).map(|(_, value)| *value)
}

#[test]
fn what_asks_for_a_kind_in_c_is_the_kind_here() {
    let asking = || names::INLINE.iter().filter(|name| name.starts_with("belay_value_is_"));
    let mut program = String::from("#include <belay/belay.h>\n#include <stdio.h>\n");
    // What is asked for is what matters here, and the library is not linked.
    program += "belay_kind belay_value_kind(belay_value v) { return (belay_kind)v.tag_; }\n";
    program += "int main(void) {\n  belay_value v;\n";
    let mut expected = String::new();
    for kind in 0..64 {
        program += &format!("  v.payload_ = 0, v.tag_ = {kind};\n");
        for name in asking() {
            program += &format!("  printf(\"{name} %d\\n\", {name}(v));\n");
            expected += &format!("{name} {}\n", i32::from(kind_in(name) == Some(kind)));
        }
    }
    program += "  return 0;\n}\n";
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("asking.c");
    fs::write(&source, program).expect("the program can be written");
    assert_eq!(said_by(&source, "asking"), expected);
    assert_eq!(expected.matches(" 1\n").count(), asking().count());
}
