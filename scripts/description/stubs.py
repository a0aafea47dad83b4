"""A C program text that defines every function of the library with nothing in it: compiled with debugging
information, it tells a tool for ABIs all types that the headers promise. (The core's own information is Swift's.)"""

from __future__ import annotations

from typing import Any


def generate(api: dict[str, Any]) -> str:
    beside = {header["name"] for header in api["headers"] if header["is_beside"]}
    made = "#include <belay/belay.h>\n"
    made += "".join(
        f"#include <belay/{name}>\n" for name in sorted(beside) if name != "interface_typed.h"
    )
    for item in api["items"]:
        if item["kind"] == "function":
            made += f"{item['text'].rstrip().rstrip(';')} {{ __builtin_trap(); }}\n"
    return made
