"""The ledger of exported symbols, and the golden file of the structs' layout."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any


_HEAD = r"""#include <stdio.h>

#define SIZE(type) printf("%s %zu\n", #type, sizeof(type))
#define FIELD(type, field) \
  printf("%s.%s %zu %zu\n", #type, #field, offsetof(type, field), sizeof(((type *)0)->field))
"""


def read(path: Path) -> dict[str, str]:
    """The version that each symbol came in."""
    lines = path.read_text().split("\n") if path.exists() else []
    return dict(line.split(" ") for line in lines if line)


def add_versions(api: dict[str, Any], known: dict[str, str]) -> None:
    """The version of a function that is not in the ledger yet."""
    present = ".".join(api["version"].split(".")[:2])
    for item in api["items"]:
        if item["kind"] == "function":
            item["since"] = known.get(item["name"], present)


def is_released(changelog: Path, version: str) -> bool:
    """Whether the minor version of VERSION is released: its heading in CHANGELOG.md has a date."""
    major, minor = version.split(".")[:2]
    heading = rf"^## {major}\.{minor}\.0, \d{{4}}-\d\d-\d\d$"
    return changelog.exists() and re.search(heading, changelog.read_text(), re.MULTILINE) is not None


def added(api: dict[str, Any], known: dict[str, str]) -> list[str]:
    """The functions that are not in the ledger yet."""
    return sorted(item["name"] for item in api["items"] if item["kind"] == "function" and item["name"] not in known)


def symbols(api: dict[str, Any]) -> str:
    """The ledger: a line is "symbol version it came in"."""
    functions = [item for item in api["items"] if item["kind"] == "function"]
    return "".join(sorted(f"{item['name']} {item['since']}\n" for item in functions))


def compare(api: dict[str, Any], library: Path, nm: str, with_beside: bool) -> list[str]:
    """How the exported symbols differ from the declarations in belay.h, or also beside it."""
    run = subprocess.run(
        [nm, "-D", "--defined-only", "--with-symbol-versions", str(library)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    beside = {header["name"] for header in api["headers"] if header["is_beside"]}
    declared = {
        item["name"]: item["since"]
        for item in api["items"]
        if item["kind"] == "function" and (with_beside or item["header"] not in beside)
    }
    exported: dict[str, str] = {}
    wrong: list[str] = []
    for line in run.stdout.split("\n"):
        # BELAY_0_1 is 0.1; the node itself is absolute.
        found = re.fullmatch(r"\S* *(\w) ([^@]+)(?:@@BELAY_(\d+)_(\d+))?(@.*)?", line)
        if not found or found[1] == "A":
            continue
        if found[3] is None:
            wrong.append(f"exported without a version: {found[2]}")
        exported[found[2]] = f"{found[3]}.{found[4]}"
    for name in sorted(declared.keys() | exported.keys()):
        if name not in exported:
            wrong.append(f"declared, and not exported: {name}")
        elif name not in declared:
            wrong.append(f"exported, and not declared: {name}")
        elif exported[name] != declared[name]:
            wrong.append(f"{name} is exported in {exported[name]}, and came in {declared[name]}")
    return wrong


def includes(api: dict[str, Any]) -> str:
    """What a C program includes to see everything."""
    beside = [header["name"] for header in api["headers"] if header["is_beside"]]
    return "".join(f"#include <belay/{name}>\n" for name in ["belay.h", *beside])


def layout(api: dict[str, Any]) -> str:
    """A program that prints the size of each public struct, and where its fields are."""
    out = includes(api) + _HEAD
    out += "\nint main(void) {\n"
    for item in api["items"]:
        if item["kind"] == "struct":
            out += f"  SIZE({item['name']});\n"
            out += "".join(f"  FIELD({item['name']}, {each['name']});\n" for each in item["fields"])
    return out + "  return 0;\n}\n"
