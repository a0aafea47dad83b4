"""A page for each chain: the operators that together replace one of another library, with their code.

The code is that of the tests: of Tests/C/marbles/chains.c and joins.c, and of ChainsOperations.swift, where an
operation has the name that the cases say after `run`. A page has the operation and all that it uses of its file.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import table

_C = ("Tests/C/marbles/chains.c", "Tests/C/marbles/joins.c")
_SHARED = "Tests/C/support/chains.h"
_SWIFT = "Tests/BelayTests/Marbles/ChainsOperations.swift"
_CASES = "Tests/Marbles/chains"
_INDEX = """# Chains

Where another library has an operator that Belay does not have, several operators together do what it does. Each
such chain has a page with its code in C and in Swift and its marble tests. The code is the tests' own, so these
names in it are the tests':

| in C | in Swift | what it is |
|---|---|---|
| `marble_input(run, n)` | `run.input(n)`, `run.source` for the first | the signal number n that the chain is given |
| `marble_number(run, n)`, `marble_seconds(run, n)` | `run.number(n)`, `run.span` for the second | the number n that it is given, in milliseconds where it is a time |
| `marble_scheduler(run)` | `run.scheduler` | the scheduler of the times |
| `APPLYING(name, op, …)` | | the function `name`, which applies operators to the first signal |
| `inner_of`, `signals_of` | `inners`, `signals` | the signal that a number of the first signal stands for |
| `int_of`, `plain` | `number`, `MarbleValue` | numbers as the tests compare them |
| `tagged` | `tagged` | what the signals of a signal send, to compare it |
| `CHECK_INT(a, b)` | | tells of an `a` that is not `b` |

## What the chains in C share

"""


@dataclass(frozen=True)
class Part:
    """A definition of a source, with the comment before it."""

    name: str
    text: str


def generate(
    root: Path, rows: list[table.Row], pages: dict[str, str], draw: Path
) -> tuple[dict[str, str], dict[str, list[str]], list[str]]:
    """The pages by their paths; the chains by the functions that they use; and the complaints.

    `pages` are the pages of operators by their functions.
    """
    folder = root / _CASES
    if not folder.is_dir():
        return {}, {}, []
    named = {chain for row in rows for chain in row.chains.split()}
    files = {file.stem: file for file in sorted(folder.glob("*.txt"))}
    wrong = [f"{table.PATH}: no chain {name}" for name in sorted(named - files.keys())]
    wrong += [f"{table.PATH} names the chain {name} nowhere" for name in files if name not in named]
    sources = [_c_parts((root / path).read_text()) for path in _C]
    swift, entries = _swift_parts((root / _SWIFT).read_text())
    shared = (root / _SHARED).read_text()
    made = {"chains/index.md": f"{_INDEX}```c\n{_content(shared)}\n```\n"}
    users: dict[str, list[str]] = {}
    for name, file in files.items():
        cases = file.read_text()
        operations = list(dict.fromkeys(re.findall(r"^run (\w+)", cases, flags=re.M)))
        in_c = next((parts for parts in sources if {*operations} <= {each.name for each in parts}), None)
        if in_c is None or not {*operations} <= entries.keys():
            wrong.append(f"{_CASES}/{name}.txt: no operation {' '.join(operations)} in C, or none in Swift")
            continue
        c = _closure(in_c, operations)
        # belay_signal_merge() has the page of belay_op_merge().
        called = {*re.findall(r"\bbelay_(?:op|signal)_\w+", c)}
        called |= {each.replace("belay_signal_", "belay_op_") for each in called - pages.keys()}
        used = sorted(called & pages.keys())
        for function in used:
            users.setdefault(function, []).append(name)
        first = [entries[each] for each in operations]
        helpers = [each.text for each in _used(swift, "\n".join(first))]
        swift_code = "\n\n".join([*helpers, "\n".join(first)])
        made[f"chains/{name}.svg"] = subprocess.run(
            [draw, file], capture_output=True, text=True, check=True
        ).stdout
        made[f"chains/{name}.md"] = (
            f"# {name}\n\n{_purpose(name, rows)}\n\n"
            f"Operators: {', '.join(f'[`{each}`](../{pages[each]}.md)' for each in used)}.\n\n"
            f"![{name}]({name}.svg)\n\n"
            f"## In C\n\n```c\n{c}\n```\n\n## In Swift\n\n```swift\n{swift_code}\n```\n\n"
            "[Chains](index.md) tells what the tests' names in it are.\n"
        )
    return made, users, wrong


def _purpose(name: str, rows: list[table.Row]) -> str:
    """What the table says that it is for."""
    return "\n".join(
        f"{row.concept[:1].upper()}{row.concept[1:]}. Elsewhere: {row.elsewhere}."
        for row in rows
        if name in row.chains.split()
    )


def _content(header: str) -> str:
    """A header without its guard."""
    return re.sub(r"^#(?:ifndef|define|endif|include).*\n+", "", header, flags=re.M).strip()


def _closure(parts: list[Part], names: list[str]) -> str:
    wanted = [each for each in parts if each.name in names]
    helpers = _used([each for each in parts if each.name not in names], *(each.text for each in wanted))
    return "\n".join(each.text for each in parts if each in helpers or each in wanted)


def _used(parts: list[Part], *texts: str) -> list[Part]:
    """The parts that the texts use, and those that these use, in the order of the source."""
    found: set[str] = set()
    waiting = list(texts)
    while waiting:
        # A member (`.name`) is what an extension defines, and a label (`name:`) is nothing's name.
        words = set(re.findall(r"(?<![\w.])\w+\b(?!:)|(?<=\w)\.\w+|(?<=\])\.\w+", waiting.pop()))
        for each in parts:
            if each.name in words and each.name not in found:
                found.add(each.name)
                waiting.append(each.text)
    return [each for each in parts if each.name in found]


def _c_parts(source: str) -> list[Part]:
    """What stands at the beginning of a line, up to the brace or semicolon that closes it."""
    parts: list[Part] = []
    for found in re.finditer(r"^(?=static|typedef|enum|APPLYING)", source, flags=re.M):
        head = _before(source[: found.start()])
        text = _definition(source[found.start() :])
        name = (
            re.match(r"APPLYING\((\w+)", text)
            or re.match(r"typedef struct (\w+)", text)
            or re.search(r"(\w+)(?:\[[^\]]*\])*\s*(?:\(|=)", text)
        )
        if name:
            parts.append(Part(name[1], head + text))
    return parts


def _before(text: str) -> str:
    """The comment that ends a text, without the headline of a section."""
    found = re.search(r"(?:^|(?<=\n))(/\*(?:(?!\*/|/\*).)*\*/\n)\Z", text, flags=re.S)
    return found[1] if found and "----" not in found[1] else ""


def _definition(text: str) -> str:
    depth = 0
    for at, mark in enumerate(text):
        depth += (mark in "({[") - (mark in ")}]")
        if depth == 0 and (mark in ";}" or mark == ")" and text.startswith("APPLYING")):
            if mark == "}" and re.match(r"[^\n]*;", text[at + 1 :]):
                continue  # } name;
            return text[: at + 1]
    return text


def _swift_parts(source: str) -> tuple[list[Part], dict[str, str]]:
    """The definitions of a file, and the entries of its dictionary of operations."""
    top, _, operations = source.partition("let chainsOperations: MarbleOperations = [\n")
    parts = []
    for chunk in re.findall(
        r"^((?:///[^\n]*\n)*(?:private|extension)\b.*?(?:^\}|[^\n{]*\}|[^\n{]*$))(?=\n\n|\n///|\Z)",
        top, flags=re.M | re.S,
    ):  # fmt: skip
        name = re.search(r"(?:func|typealias|var) (\w+)", chunk)
        if name:
            parts.append(Part("." * chunk.startswith("extension") + name[1], chunk))
    entries = {}
    for found in re.finditer(r'^  "(\w+)": \{.*?(?=^  "|^  //|^\])', operations, flags=re.M | re.S):
        entries[found[1]] = re.sub(r"^  ", "", found[0], flags=re.M).rstrip()
    return parts, entries
