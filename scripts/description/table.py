"""docs/operators.tsv: what operators are called in each language, their families and types.

Columns: concept, c, swift, elsewhere, family, types, by hand, chains. A row without a function in C has the
reason in its place. `types` and `by hand` are for wrappers.py; `chains` are files of Tests/Marbles/chains.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .reader import Refused

PATH = "docs/operators.tsv"
# The names in other languages that the sources do not tell: language, c, name.
NAMES = "docs/parity.tsv"
# Functions about any operator.
_NO_OPERATORS = {"belay_op_release", "belay_op_with_queue"}
# In the order of the index.
FAMILIES = [
    "creating", "transforming", "filtering", "combining", "aggregating", "flattening", "timing",
    "sharing", "binding", "effects",
]  # fmt: skip


@dataclass(frozen=True, order=True)
class Row:
    concept: str
    c: str
    swift: str
    elsewhere: str
    family: str = ""
    types: str = ""
    by_hand: str = ""
    chains: str = ""

    @property
    def name(self) -> str:
        """The name of its page, its marble tests and its wrappers."""
        for prefix in ("belay_op_", "belay_signal_", "belay_"):
            if self.c.startswith(prefix):
                return self.c.removeprefix(prefix)
        return ""


def read(root: Path) -> list[Row]:
    lines = (root / PATH).read_text().rstrip("\n").split("\n")
    return [_row(f"{PATH}:{number}", line) for number, line in enumerate(lines, 1) if number > 1]


def _row(place: str, line: str) -> Row:
    columns = line.split("\t")
    if not 4 <= len(columns) <= 8:
        raise Refused(f"{place}: {len(columns)} columns, with tabs between them, and not four to eight: {line}")
    row = Row(*columns)
    # To subscribe is no family's.
    if row.c.startswith("belay_") and row.c != "belay_signal_subscribe" and row.family not in FAMILIES:
        raise Refused(f"{place}: the fifth column of {row.c} is \"{row.family}\", and not one of: {' '.join(FAMILIES)}")
    return row


def missing(root: Path, items: dict[str, dict[str, Any]]) -> list[str]:
    """What to say of operators in the headers that the table does not have."""
    listed = {row.c for row in read(root)} | _NO_OPERATORS
    return [
        f"include/belay/{item['header']}:{item['line']} declares {name}, and {PATH} has no line of it: add one, as "
        f"\"what it does<TAB>{name}<TAB>its name in Swift<TAB>its names elsewhere<TAB>its family\""
        for name, item in items.items()
        if item["kind"] == "function" and name.startswith("belay_op_") and name not in listed
    ]


def told(root: Path, language: str) -> dict[str, str]:
    """What docs/parity.tsv calls functions in a language, by their names in C."""
    lines = [line.split("\t") for line in (root / NAMES).read_text().splitlines()[1:]]
    return {c: name for title, c, name in lines if title == language}


def labelled(root: Path) -> dict[str, str]:
    """What functions are called in Swift where the name of the table does not tell it all: `take(during:)`."""
    return {c: name.removeprefix("Signal.") for c, name in told(root, "Swift").items()}


def untyped(name: str) -> str:
    """A name of docs/parity.tsv as its language has it: `from(_: Result)` is `from(_:)`, and `bind(subject)` `bind`."""
    name = re.sub(r"(?<=:) \w+(, )?", "", name)
    return name if re.search(r"\((\w+:)*\)$", name) else name.partition("(")[0]
