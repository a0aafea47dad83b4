//! What is made of the declarations: Rust's, and two lists of the same facts, one asked of Rust and
//! one of C.
use std::fmt::Write;

use crate::parse::{Api, Constant, Item, Kind};

const HEADING: &str = "Generated from include/belay by `cargo run -p belay-generate`.";

/// `belay-sys/src/declarations.rs`.
pub fn declarations(api: &Api) -> String {
    let mut out = format!("// {HEADING}\n");
    out += "use core::ffi::c_void;\nuse core::marker::{PhantomData, PhantomPinned};\n";
    out += "use std::os::raw::{c_char, c_int, c_uint};\n";
    for item in &api.items {
        match &item.kind {
            Kind::Inline | Kind::Function(_) => continue,
            _ => out.push('\n'),
        }
        let name = &item.name;
        document(&mut out, "", &item.comment, &format!("`{name}` of `{}`.", item.header));
        match &item.kind {
            Kind::Constant(Constant::Int(value)) => {
                put(&mut out, format_args!("pub const {name}: c_int = {value};\n"));
            }
            Kind::Constant(Constant::Unsigned(value)) => {
                put(&mut out, format_args!("pub const {name}: c_uint = {value};\n"));
            }
            Kind::Constant(Constant::Size(value)) => {
                put(&mut out, format_args!("pub const {name}: usize = {value};\n"));
            }
            Kind::Enum(constants) => {
                put(&mut out, format_args!("pub type {name} = c_uint;\n"));
                for (constant, value, comment) in constants {
                    document(&mut out, "", comment, &format!("Of [`{name}`]."));
                    put(&mut out, format_args!("pub const {constant}: {name} = {value};\n"));
                }
            }
            Kind::Struct(fields) => {
                out += "#[repr(C)]\n#[derive(Clone, Copy, Debug)]\n";
                put(&mut out, format_args!("pub struct {name} {{\n"));
                for (field, comment) in fields {
                    document(&mut out, "    ", comment, &format!("`{}`.", field.name));
                    put(&mut out, format_args!("    pub {}: {},\n", field.name, field.rust));
                }
                out += "}\n";
                if fields.first().map_or(false, |(field, _)| field.name == "size")
                    && fields.len() > 2
                {
                    zeroed(&mut out, name);
                }
            }
            Kind::Opaque => {
                out += "#[repr(C)]\n#[derive(Debug)]\n";
                put(&mut out, format_args!("pub struct {name} {{\n    _private: [u8; 0],\n"));
                out += "    _marker: PhantomData<(*mut u8, PhantomPinned)>,\n}\n";
            }
            Kind::Callback(callback) => {
                put(&mut out, format_args!("pub type {name} = {};\n", callback.pointer()));
            }
            Kind::Function(_) | Kind::Inline => {}
        }
    }
    out += "\nextern \"C\" {\n";
    for item in &api.items {
        if let Kind::Function(function) = &item.kind {
            let otherwise = format!("`{}` of `{}`.", item.name, item.header);
            document(&mut out, "    ", &item.comment, &otherwise);
            let (arguments, arrow) = (function.arguments(), function.arrow());
            put(&mut out, format_args!("    pub fn {}({arguments}){arrow};\n", item.name));
        }
    }
    out + "}\n"
}

/// A struct that begins with its size can be had with that set and the rest zero.
fn zeroed(out: &mut String, name: &str) {
    put(out, format_args!("\nimpl Default for {name} {{\n    fn default() -> Self {{\n"));
    out.push_str(
        "        // Pointers, functions that may be missing and numbers may all be zero.\n",
    );
    put(out, format_args!("        let mut made: {name} = unsafe {{ core::mem::zeroed() }};\n"));
    put(out, format_args!("        made.size = core::mem::size_of::<{name}>();\n"));
    out.push_str("        made\n    }\n}\n");
}

/// `belay-sys/tests/layout/names.rs`: what Rust takes the constants, sizes and offsets for, the
/// addresses of all functions, and the names of those that are inline in C.
pub fn names(api: &Api) -> String {
    let mut out = format!("// {HEADING}\n");
    out += "/// What Rust takes each constant, size and offset for.\n";
    out += "pub fn facts() -> Vec<(&'static str, i128)> {\n    vec![\n";
    for item in &api.items {
        for (label, c_or_rust) in facts(item, Language::Rust) {
            put(&mut out, format_args!("        (\"{label}\", {c_or_rust}),\n"));
        }
    }
    out += "    ]\n}\n\n/// The address of each function, so that the linker has to find it.\n";
    out += "pub fn functions() -> Vec<(&'static str, usize)> {\n    vec![\n";
    for Item { name, kind, .. } in &api.items {
        if let Kind::Function(_) = kind {
            put(&mut out, format_args!("        (\"{name}\", {name} as *const () as usize),\n"));
        }
    }
    out += "    ]\n}\n\n/// The functions that are inline in C.\npub const INLINE: &[&str] = &[\n";
    for Item { name, kind, .. } in &api.items {
        if let Kind::Inline = kind {
            put(&mut out, format_args!("    \"{name}\",\n"));
        }
    }
    out + "];\n"
}

/// `belay-sys/tests/layout/layout.c`: the same facts from C.
pub fn layout(api: &Api) -> String {
    let mut out = format!("/* {HEADING} */\n#include <belay/testing.h>\n#include <stdio.h>\n\n");
    out += "#define FACT(name, value) printf(\"%s %lld\\n\", (name), (long long)(value))\n\n";
    out += "int main(void) {\n";
    for item in &api.items {
        for (label, value) in facts(item, Language::C) {
            put(&mut out, format_args!("  FACT(\"{label}\", {value});\n"));
        }
    }
    out + "  return 0;\n}\n"
}

#[derive(Clone, Copy, PartialEq)]
enum Language {
    C,
    Rust,
}

fn facts(item: &Item, language: Language) -> Vec<(String, String)> {
    let name = &item.name;
    let number = |name: &str| match language {
        Language::Rust => format!("{name} as i128"),
        Language::C => name.to_string(),
    };
    match &item.kind {
        Kind::Constant(Constant::Size(_)) => {
            let value = match language {
                Language::Rust => format!("{name} as isize as i128"),
                Language::C => name.clone(),
            };
            vec![(name.clone(), value)]
        }
        Kind::Constant(_) => vec![(name.clone(), number(name))],
        Kind::Enum(constants) => {
            let mut made = vec![(name.clone(), size(name, language))];
            made.extend(constants.iter().map(|(name, _, _)| (name.clone(), number(name))));
            made
        }
        Kind::Struct(fields) => {
            let mut made = vec![(name.clone(), size(name, language))];
            for (field, _) in fields {
                let plain = field.name.trim_start_matches("r#");
                let offset = match language {
                    Language::Rust => format!("offset!({name}, {})", field.name),
                    Language::C => format!("offsetof({name}, {plain})"),
                };
                made.push((format!("{name}.{plain}"), offset));
                let width = match language {
                    Language::Rust => format!("width!({name}, {})", field.name),
                    Language::C => format!("sizeof((({name} *)0)->{plain})"),
                };
                made.push((format!("sizeof {name}.{plain}"), width));
            }
            made
        }
        Kind::Callback(_) => vec![(name.clone(), size(name, language))],
        Kind::Opaque | Kind::Function(_) | Kind::Inline => Vec::new(),
    }
}

fn size(name: &str, language: Language) -> String {
    match language {
        Language::Rust => format!("core::mem::size_of::<{name}>() as i128"),
        Language::C => format!("sizeof({name})"),
    }
}

/// The header's own comment, as documentation. What it says in brackets is no link, and what is
/// indented no Rust.
fn document(out: &mut String, indent: &str, comment: &str, otherwise: &str) {
    let text = if comment.is_empty() || comment.starts_with("----") { otherwise } else { comment };
    for line in text.lines() {
        let line = line.trim().trim_start_matches("* ");
        let line = line.replace('[', "\\[").replace(']', "\\]").replace("\\[`", "[`");
        let line = line.replace("`\\]", "`]").replace('<', "\\<");
        put(out, format_args!("{indent}/// {line}\n"));
    }
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}
