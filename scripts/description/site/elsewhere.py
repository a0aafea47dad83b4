"""The tables of "coming from": what the names of another library are called in Belay.

docs/site/coming-from/names.tsv lists the names of each library. Where docs/operators.tsv has a name as one
"elsewhere", or Belay calls it the same, the third column is empty; else it has the function or the reason.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from .. import table
from ..reader import Refused

PATH = "docs/site/coming-from/names.tsv"


class Names:
    def __init__(self, root: Path) -> None:
        self.rows = [row for row in table.read(root) if row.c.startswith("belay_")]
        self.labelled = table.labelled(root)
        self.languages = {row.c: row for row in reversed(self.rows)}
        self.by_word: dict[str, list[table.Row]] = defaultdict(list)
        for row in self.rows:
            for each in _split(row.elsewhere):
                self.by_word[_folded(each)].append(row)
        for row in self.rows:
            self.by_word[_folded(row.swift)].append(row)
        # A function that has the name itself comes before one that only resembles it.
        for row in self.rows:
            self.by_word[_folded(row.name)].insert(0, row)
        self.by_library: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        for line in (root / PATH).read_text().splitlines()[1:]:
            library, name, function, note, *_ = [*line.split("\t"), "", "", ""]
            self.by_library[library].append((name, function, note))

    def listed(self, library: str) -> str:
        if library not in self.by_library:
            raise Refused(f"{PATH} has no names of {library}")
        out = f"| {library} | Belay in C | in Swift | |\n|---|---|---|---|\n"
        for name, function, note in self.by_library[library]:
            row = self._row(library, name, function)
            if row:
                note = note or self._note(row, name)
                swift = self.labelled.get(row.c, row.swift)
                out += f"| `{name}` | [`{row.c}`](../../operators/{_page(row)}) | `{swift}` | {note} |\n"
            else:
                place = f"`{function}`" if function.startswith("belay_") else "—"
                out += f"| `{name}` | {place} | | {note} |\n"
        return out

    def _row(self, library: str, name: str, function: str) -> table.Row | None:
        if function:
            if function != "-" and not function.startswith("belay_"):
                raise Refused(f"{PATH}, {library} {name}: neither a function nor -")
            return self.languages.get(function)
        found = self.by_word.get(_folded(name))
        if not found:
            raise Refused(f"{PATH}, {library}: docs/operators.tsv does not have {name}")
        return found[0]

    def _note(self, row: table.Row, name: str) -> str:
        """What stands in brackets behind a name in docs/operators.tsv."""
        for each in self.rows:
            if each.c == row.c:
                for part in re.findall(
                    r"(?:[^,(]|\([^()]*(?:\([^()]*\)[^()]*)*\))+", each.elsewhere
                ):
                    found = re.match(r"\s*(\S+) \((.*)\)$", part)
                    if found and found[1] == name and found[2] not in self.by_library:
                        return found[2]
        return ""


def _page(row: table.Row) -> str:
    return f"{row.family}/{row.name}.md" if row.family else f"{row.name}.md"


def _split(elsewhere: str) -> list[str]:
    parts = re.findall(r"(?:[^,(]|\([^()]*(?:\([^()]*\)[^()]*)*\))+", elsewhere)
    return [re.sub(r"\s+\(.*$", "", part).strip() for part in parts]


def _folded(name: str) -> str:
    """The same for take_until, takeUntil and takeUntil:."""
    return re.sub(r"\(.*\)|[^a-z0-9]", "", name.lower())
