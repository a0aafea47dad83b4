"""Rust's declarations, and two lists of the same facts, one asked of Rust and one of C."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .ledger import includes

Item = dict[str, Any]

_HEADING = "Generated from include/belay by `scripts/api write`."
_TYPES = {
    "void": "c_void", "char": "c_char", "int": "c_int", "unsigned int": "c_uint", "size_t": "usize",
    "unsigned long": "usize", "int8_t": "i8", "int16_t": "i16", "int32_t": "i32", "int64_t": "i64",
    "uint8_t": "u8", "uint16_t": "u16", "uint32_t": "u32", "uint64_t": "u64", "float": "f32",
    "double": "f64",
}  # fmt: skip
_WORDS = {
    "box", "fn", "impl", "in", "loop", "match", "move", "ref", "type", "use", "where", "yield",
}  # fmt: skip


def generate(api: dict[str, Any]) -> dict[str, str]:
    """The files below bindings/rust/belay-sys."""
    items = api["items"]
    return {
        "src/declarations.rs": declarations(items),
        "tests/layout/names.rs": names(items),
        "tests/layout/layout.c": layout(items, includes(api)),
    }


def identifier(name: str) -> str:
    return f"r#{name}" if name in _WORDS else name


def type_of(type: dict[str, Any]) -> str:
    if type["kind"] == "named":
        return _TYPES.get(type["name"], type["name"])
    if type["to"]["kind"] == "function":
        return pointer(type["to"]["result"], type["to"]["parameters"])
    return f"*{'const' if type['to'].get('const') else 'mut'} {type_of(type['to'])}"


def pointer(result: dict[str, Any], parameters: list[Item]) -> str:
    return f'Option<unsafe extern "C" fn({arguments(parameters)}){arrow(result)}>'


def arguments(parameters: list[Item]) -> str:
    def one(each: Item) -> str:
        return f"{identifier(each['name'] or 'argument')}: {type_of(each['type'])}"

    return ", ".join(map(one, parameters))


def arrow(result: dict[str, Any]) -> str:
    return "" if result.get("name") == "void" else f" -> {type_of(result)}"


def document(indent: str, comment: str, otherwise: str) -> str:
    """The header's own comment. What it says in brackets is no link."""
    made = ""
    for line in (comment or otherwise).split("\n"):
        line = line.strip().replace("[", "\\[").replace("]", "\\]").replace("\\[`", "[`")
        made += f"{indent}/// {line}".replace("`\\]", "`]").replace("<", "\\<").rstrip() + "\n"
    return made


def declarations(items: list[Item]) -> str:
    out = f"// {_HEADING}\n"
    out += "use core::ffi::c_void;\nuse core::marker::{PhantomData, PhantomPinned};\n"
    out += "use std::os::raw::{c_char, c_int, c_uint};\n"
    # C declares some structs ahead of their content, which Rust need not.
    structs = {item["name"] for item in items if item["kind"] == "struct"}
    for item in items:
        if item["kind"] == "opaque" and item["name"] in structs:
            continue
        if item["kind"] in ("constant", "enum", "struct", "opaque", "callback"):
            out += "\n" + document("", item["comment"], f"`{item['name']}` of `{item['header']}`.")
            out += "".join(_type_declaration(item))
    out += '\nextern "C" {\n'
    for item in items:
        if item["kind"] == "function":
            otherwise = f"`{item['name']}` of `{item['header']}`."
            if "with" in item:
                otherwise = f"See [`{item['with']}`]."
            out += document("    ", item["comment"], otherwise)
            rest = arrow(item["result"]["type"])
            out += f"    pub fn {item['name']}({arguments(item['parameters'])}){rest};\n"
    return out + "}\n"


def _type_declaration(item: Item) -> Iterator[str]:
    name = item["name"]
    if item["kind"] == "constant":
        type = type_of(item["type"])
        value = "usize::MAX" if type == "usize" and item["value"] == 2**64 - 1 else item["value"]
        yield f"pub const {name}: {type} = {value};\n"
    elif item["kind"] == "enum":
        yield f"pub type {name} = c_uint;\n"
        for each in item["constants"]:
            yield document("", each["comment"], f"Of [`{name}`].")
            yield f"pub const {each['name']}: {name} = {each['value']};\n"
    elif item["kind"] == "struct":
        yield f"#[repr(C)]\n#[derive(Clone, Copy, Debug)]\npub struct {name} {{\n"
        for each in item["fields"]:
            field = identifier(each["name"])
            yield document("    ", each["comment"], f"`{field}`.")
            yield f"    pub {field}: {type_of(each['type'])},\n"
        yield "}\n"
        if item["fields"][0]["name"] == "size" and len(item["fields"]) > 2:
            yield _zeroed(name)
    elif item["kind"] == "opaque":
        yield f"#[repr(C)]\n#[derive(Debug)]\npub struct {name} {{\n    _private: [u8; 0],\n"
        yield "    _marker: PhantomData<(*mut u8, PhantomPinned)>,\n}\n"
    elif item["kind"] == "callback":
        yield f"pub type {name} = {pointer(item['result']['type'], item['parameters'])};\n"


def _zeroed(name: str) -> str:
    """A struct that begins with its size can be had with that set and the rest zero."""
    return (
        f"\nimpl Default for {name} {{\n    fn default() -> Self {{\n"
        "        // Pointers, functions that may be missing and numbers may all be zero.\n"
        f"        let mut made: {name} = unsafe {{ core::mem::zeroed() }};\n"
        f"        made.size = core::mem::size_of::<{name}>();\n"
        "        made\n    }\n}\n"
    )


def names(items: list[Item]) -> str:
    """The constants, sizes and offsets as Rust has them, the addresses of all functions, and the
    names of those that are inline in C."""
    out = f"// {_HEADING}\n/// What Rust takes each constant, size and offset for.\n"
    out += "pub fn facts() -> Vec<(&'static str, i128)> {\n    vec![\n"
    for item in items:
        for label, rust, _ in _facts(item):
            out += f'        ("{label}", {rust}),\n'
    out += "    ]\n}\n\n/// The address of each function, so that the linker has to find it.\n"
    out += "pub fn functions() -> Vec<(&'static str, usize)> {\n    vec![\n"
    for item in items:
        if item["kind"] == "function":
            out += f'        ("{item["name"]}", {item["name"]} as *const () as usize),\n'
    out += "    ]\n}\n\n/// The functions that are inline in C.\npub const INLINE: &[&str] = &[\n"
    out += "".join(f'    "{item["name"]}",\n' for item in items if item["kind"] == "inline")
    return out + "];\n"


def layout(items: list[Item], included: str) -> str:
    """The same facts from C."""
    out = f"/* {_HEADING} */\n{included}#include <stdio.h>\n\n"
    out += '#define FACT(name, value) printf("%s %lld\\n", (name), (long long)(value))\n\n'
    out += "int main(void) {\n"
    for item in items:
        for label, _, c in _facts(item):
            out += f'  FACT("{label}", {c});\n'
    return out + "  return 0;\n}\n"


def _facts(item: Item) -> Iterator[tuple[str, str, str]]:
    """The name of each fact, with the expressions for it in Rust and C."""
    name = item["name"]
    size = (name, f"core::mem::size_of::<{name}>() as i128", f"sizeof({name})")
    if item["kind"] == "constant":
        cast = "isize as i128" if type_of(item["type"]) == "usize" else "i128"
        yield name, f"{name} as {cast}", name
    elif item["kind"] == "enum":
        yield size
        for each in item["constants"]:
            yield each["name"], f"{each['name']} as i128", each["name"]
    elif item["kind"] == "struct":
        yield size
        for each in item["fields"]:
            plain, field = each["name"], identifier(each["name"])
            yield f"{name}.{plain}", f"offset!({name}, {field})", f"offsetof({name}, {plain})"
            width = f"sizeof((({name} *)0)->{plain})"
            yield f"sizeof {name}.{plain}", f"width!({name}, {field})", width
    elif item["kind"] == "callback":
        yield size
