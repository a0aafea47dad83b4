"""The operators whose wrappers and marble operations are written from docs/operators.tsv.

They are those of a usual signature (see `PARAMETERS`) with a type rule in the table, `ARGUMENT ->
RESULT`: the item of a signal or value that is given, if there is one, and of the signal that comes
out. T is the source's item, U another one, F what the callback makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import ctype, table

# Each kind of parameter with the C types that it takes, in order.
PARAMETERS = {
    "predicate": ("belay_predicate_fn", "void *", "belay_free_fn"),
    "map": ("belay_map_fn", "void *", "belay_free_fn"),
    "flat_map": ("belay_flat_map_fn", "void *", "belay_free_fn"),
    "signals": ("belay_signal *const *", "size_t"),
    "signal": ("belay_signal *",),
    "scheduler": ("belay_scheduler *",),
    "seconds": ("double",),
    "value": ("belay_value",),
    "count": ("uint64_t",),
    "size": ("size_t",),
}
# The signatures, as the kinds of their parameters in any order.
USUAL = [
    set(), {"predicate"}, {"count"}, {"signal"}, {"scheduler", "seconds"}, {"value"}, {"map"},
    {"signals"}, {"size"}, {"flat_map"}, {"scheduler"},
]  # fmt: skip
RESULTS = {"T", "U", "F", "bool", "count", "number", "[T]", "(T, T)", "(count, T)", "(seconds, T)"}
LANGUAGES = {"cpp", "python", "rust", "node", "c", "swift"}


class Wrong(Exception):
    """A row of the table that does not fit its function."""


@dataclass(frozen=True)
class Operator:
    row: table.Row
    # Kinds and names, in C's order.
    parameters: tuple[tuple[str, str], ...]
    # The item of what is given: T, U or bool.
    argument: str
    result: str
    comment: str

    @property
    def name(self) -> str:
        return self.row.name

    @property
    def kinds(self) -> set[str]:
        return {kind for kind, _ in self.parameters}

    def is_for(self, language: str) -> bool:
        return language not in self.row.by_hand.split()


def usual(root: Path, api: dict[str, Any]) -> list[Operator]:
    """The operators with a type rule, in the order of the headers."""
    rows = {row.c: row for row in table.read(root) if row.types}
    items = {item["name"]: item for item in api["items"]}
    if unlisted := table.missing(root, items):
        raise Wrong("\n".join(unlisted))
    if missing := rows.keys() - items.keys():
        raise Wrong(f"{table.PATH}: not in the headers: {', '.join(sorted(missing))}")
    made = []
    for name, item in items.items():
        if row := rows.get(name):
            made.append(_operator(row, item, items[item.get("with", name)]["comment"]))
    return made


def _operator(row: table.Row, item: dict[str, Any], comment: str) -> Operator:
    found = re.fullmatch(r"(?:(T|U|bool) )?-> (.+)", row.types)
    if not found or found[2] not in RESULTS:
        raise Wrong(f"{table.PATH}: {row.c}: types that are not understood: {row.types}")
    if unknown := set(row.by_hand.split()) - LANGUAGES:
        raise Wrong(f"{table.PATH}: {row.c}: no language: {', '.join(unknown)}")
    parameters = tuple(_kinds(item))
    kinds = {kind for kind, _ in parameters}
    if kinds not in USUAL or len(kinds) != len(parameters):
        raise Wrong(f"{table.PATH}: {row.c}: has types, but no usual signature: {item['text']}")
    if bool(kinds & {"signal", "value"}) != bool(found[1]):
        raise Wrong(f"{table.PATH}: {row.c}: types for another argument: {row.types}")
    return Operator(row, parameters, found[1] or "", found[2], comment)


def _kinds(item: dict[str, Any]) -> Iterator[tuple[str, str]]:
    rest = [(ctype.spell(each["type"]), each["name"]) for each in item["parameters"]]
    while rest:
        for kind, types in PARAMETERS.items():
            if tuple(type for type, _ in rest[: len(types)]) == types:
                yield kind, rest[0][1]
                rest = rest[len(types) :]
                break
        else:
            yield "unusual", rest.pop(0)[1]


def prose(operator: Operator) -> str:
    """The header's comment, for a language whose wrappers do not take arguments over."""
    text = re.sub(r"\s+", " ", operator.comment)
    text = re.sub(r" \((each )?taken over\)|\((each )?taken over\) ?", "", text)
    text = text.replace("(taken over; ", "(")
    # What C's callbacks call.
    text = re.sub(r" \([^()]*\bbelay_\w+\(\)[^()]*\)", "", text)
    if "seconds" in operator.kinds:
        text = text.replace("`seconds`", "`time`")
    text = re.sub(r" Takes `\w+` over\.| Retains `scheduler`[^.]*\.", "", text)
    text = text.replace("returns 1", "returns true").replace("returns 0", "returns false")
    return text.strip()


def wrapped(text: str, prefix: str, width: int = 100) -> str:
    """The text in lines that begin with `prefix`."""
    lines, line = [], prefix
    for word in text.split(" "):
        if len(line) + 1 + len(word) > width and line != prefix:
            lines.append(line)
            line = prefix
        line += ("" if line == prefix else " ") + word
    return "\n".join([*lines, line]) + "\n"
