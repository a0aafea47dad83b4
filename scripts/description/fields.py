"""What a table of functions and structs cannot tell: whether a binding has each field of the structs of
options, and each constant that a program chooses.

A field is there where a source reads or writes a member of that name, close behind the name of the
struct. A constant is there where a source names it, also without `BELAY_`, or where a text is what
distinguishes it in its enumeration, as 'dropOldest' in Node. A reason in the list of a binding stands
for a field ("belay_udp_options.flags TAB reason"), for all fields of a struct
("belay_observe_options TAB reason"), or for a constant.

Constants are those of an enumeration that an option has for a type, and all of I/O's headers. Others
are not asked for: a language has exceptions for codes, types for kinds, and texts for the rest.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Item = dict[str, Any]

_OF_IO = ("file.h", "process.h", "socket.h", "source.h", "stream.h", "udp.h", "watch.h")
# A loop of the host's own is described by a table, which has options, too.
_HAS_OPTIONS = re.compile(r"_options$|^belay_scheduler_table$")
# A binding sets the size, and nobody the rest.
_PLUMBING = ("size", "reserved")
# How many lines the fields of a struct may be behind its name.
_NEAR = 90


def lacking(
    items: list[Item], files: list[Path], has_io: bool, has_constants: bool
) -> Iterator[tuple[str, str]]:
    """What no source of a binding has, and the name of its struct, or its own. Of I/O nothing where the
    binding has none. In some a program sees C's own constants."""
    texts = [file.read_text() for file in files]
    asked = [item for item in items if has_io or item["header"] not in _OF_IO]
    for struct, field in _fields(asked):
        near = (part for text in texts for part in _behind(text, struct))
        if not any(_is_used(part, struct, field) for part in near):
            yield f"{struct}.{field}", struct
    if has_constants:
        return
    everything = "\n".join(texts)
    words = set(re.findall(r"\w+", everything))
    words |= {f"'{each}'" for each in re.findall(r"'(\w+)'", everything)}
    for name, text in _constants(asked):
        if words.isdisjoint({name, name.removeprefix("BELAY_"), f"'{text}'"}):
            yield name, name


def _fields(items: list[Item]) -> Iterator[tuple[str, str]]:
    for item in items:
        if item["kind"] == "struct" and _HAS_OPTIONS.search(item["name"]):
            for field in item["fields"]:
                if field["name"] not in _PLUMBING:
                    yield item["name"], field["name"]


def _constants(items: list[Item]) -> Iterator[tuple[str, str]]:
    """The constants, each with what distinguishes it in its enumeration, in camel case."""
    structs = [item for item in items if item["kind"] == "struct" and _HAS_OPTIONS.search(item["name"])]
    chosen = {field["type"].get("name") for item in structs for field in item["fields"]}
    for item in items:
        if item["name"] not in chosen and item["header"] not in _OF_IO:
            continue
        if item["kind"] == "constant":
            yield item["name"], ""
        elif item["kind"] == "enum":
            names = [each["name"] for each in item["constants"]]
            common = os.path.commonprefix(names).rfind("_") + 1
            yield from ((name, _in_camel_case(name[common:])) for name in names)


def _in_camel_case(name: str) -> str:
    first, *others = name.lower().split("_")
    return first + "".join(map(str.title, others))


def _behind(text: str, struct: str) -> Iterator[str]:
    """The lines from each that names the struct on."""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if re.search(rf"\b{struct}\b", line):
            yield "\n".join(lines[index : index + _NEAR])


def _is_used(text: str, struct: str, field: str) -> bool:
    # begin_raw() of C++ and begin_options() of Python set the fields that all structs of options have.
    begun = (f"begin_raw<{struct}>", f'begin_options("{struct}"')
    if field in ("label", "site") and any(each in text for each in begun):
        return True
    pattern = rf'(\.|->){field}\b|\b{field}: |"{field}"|^ *{field},$'
    return bool(re.search(pattern, text, flags=re.M))
