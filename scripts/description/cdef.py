"""What cffi reads: the declarations of the headers."""

from __future__ import annotations

from typing import Any

from .ctype import parameters, spell

_HEADING = "/* Generated from include/belay by `scripts/api write`, for cffi. */\n"


def generate(items: list[dict[str, Any]]) -> str:
    out = _HEADING
    for item in items:
        name, kind = item["name"], item["kind"]
        if kind == "constant":
            out += f"#define {name} ...\n"
        elif kind == "opaque":
            is_tag = item["text"].startswith("struct")
            out += f"struct {name};\n" if is_tag else f"typedef struct {name} {name};\n"
        elif kind == "enum":
            constants = ", ".join(f"{each['name']} = {each['value']}" for each in item["constants"])
            out += f"typedef enum {name} {{ {constants} }} {name};\n"
        elif kind == "struct":
            fields = " ".join(f"{spell(each['type'], each['name'])};" for each in item["fields"])
            out += f"typedef struct {name} {{ {fields} }} {name};\n"
        elif kind == "callback":
            out += f"typedef {spell(item['result']['type'], f'(*{name}){parameters(item)}')};\n"
        elif kind in ("function", "inline"):
            out += f"{spell(item['result']['type'], name + parameters(item))};\n"
    return out
