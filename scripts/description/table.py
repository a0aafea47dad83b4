"""docs/operators.tsv: what operators are called in each language, their families and types.

Columns: concept, c, swift, elsewhere, family, types, by hand. A row without a function in C has the
reason in its place. `types` and `by hand` are for wrappers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PATH = "docs/operators.tsv"
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

    @property
    def name(self) -> str:
        """The name of its page, its marble tests and its wrappers."""
        for prefix in ("belay_op_", "belay_signal_", "belay_"):
            if self.c.startswith(prefix):
                return self.c.removeprefix(prefix)
        return ""


def read(root: Path) -> list[Row]:
    lines = (root / PATH).read_text().rstrip("\n").split("\n")[1:]
    return [Row(*line.split("\t")) for line in lines]
