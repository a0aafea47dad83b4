"""What a table of functions and structs cannot tell: whether a binding that has I/O has each field of
its structs of options, and each of its constants.

A field is there where a source reads or writes a member of that name, close behind the name of the
struct. A constant is there where a source names it, also without `BELAY_`. The list of each binding
has the reasons for the others, as "belay_udp_options.flags TAB reason" and "BELAY_POLL_READABLE TAB
reason".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Item = dict[str, Any]

_HEADERS = ("file.h", "process.h", "socket.h", "source.h", "stream.h", "udp.h", "watch.h")
# A binding sets the size, and nobody the rest.
_PLUMBING = ("size", "reserved")
# How many lines the fields of a struct may be behind its name.
_NEAR = 90


def is_one(name: str) -> bool:
    """Whether a line of a list is about these, and not about a function or a struct."""
    return "." in name or name.startswith("BELAY_")


def lacking(items: list[Item], files: list[Path], has_constants: bool) -> list[str]:
    """What no source of a binding has. In some a program sees C's own constants."""
    texts = [file.read_text() for file in files]
    missing = [
        f"{struct}.{field}"
        for struct, field in _fields(items)
        if not any(_is_used(near, struct, field) for text in texts for near in _behind(text, struct))
    ]
    words = set(re.findall(r"\w+", "\n".join(texts)))
    for name in [] if has_constants else _constants(items):
        if words.isdisjoint({name, name.removeprefix("BELAY_")}):
            missing.append(name)
    return missing


def _fields(items: list[Item]) -> Iterator[tuple[str, str]]:
    for item in items:
        if item["header"] in _HEADERS and item["name"].endswith("_options"):
            for field in item["fields"]:
                if field["name"] not in _PLUMBING:
                    yield item["name"], field["name"]


def _constants(items: list[Item]) -> Iterator[str]:
    for item in items:
        if item["header"] in _HEADERS and item["kind"] == "constant":
            yield item["name"]
        elif item["header"] in _HEADERS and item["kind"] == "enum":
            yield from (each["name"] for each in item["constants"])


def _behind(text: str, struct: str) -> Iterator[str]:
    """The lines from each that names the struct on."""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if re.search(rf"\b{struct}\b", line):
            yield "\n".join(lines[index : index + _NEAR])


def _is_used(text: str, struct: str, field: str) -> bool:
    # In C++ begin_raw() sets the fields that all structs of options have.
    if field in ("label", "site") and f"begin_raw<{struct}>" in text:
        return True
    pattern = rf'(\.|->){field}\b|\b{field}: |"{field}"|^ *{field},$'
    return bool(re.search(pattern, text, flags=re.M))
