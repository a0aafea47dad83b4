"""What C headers declare, as cffi reads it: the binding's declarations are the headers themselves.

Belay's headers are regular: each declaration begins in the first column, conditions are for other
languages or compilers, and what is defined is a number.
"""

import re
import sys
from pathlib import Path

# Conditions that hold for a C compiler that has nothing special.
_HOLDS = re.compile(r"#\s*ifndef\b")
_CONDITION = re.compile(r"#\s*if")


def _lines(text: str) -> list[str]:
    """The text without comments and without what other compilers read, lines joined."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S).replace("\\\n", " ")
    kept: list[str] = []
    nested: list[bool] = []
    for line in text.splitlines():
        if _CONDITION.match(line):
            nested.append(bool(_HOLDS.match(line)))
        elif re.match(r"#\s*else", line):
            nested[-1] = not nested[-1]
        elif re.match(r"#\s*endif", line):
            nested.pop()
        elif all(nested):
            kept.append(line)
    return kept


def _constant(line: str) -> str | None:
    found = re.match(r"#\s*define\s+(BELAY_[A-Z0-9_]+)\s+(\(?-?[\w~]+\)?)\s*$", line)
    if found and re.match(r"\(?-?(\d|E[A-Z]+\b)", found[2]):
        return f"#define {found[1]} ..."
    return None


def declarations(header: Path) -> list[str]:
    """The header's declarations, one each."""
    made: list[str] = []
    code: list[str] = []
    for line in _lines(header.read_text()):
        if line.startswith("#"):
            constant = _constant(line)
            if constant:
                made.append(constant)
        elif not re.match(r"BELAY_(BEGIN|END)\s*$", line):
            code.append(line)
    text = "\n".join(code).replace("BELAY_EXPORT ", "")
    # An inline function is declared like any other.
    text = re.sub(r"static inline ([^{;]*?)\s*\{.*?\n?\}\n", r"\1;\n", text + "\n", flags=re.S)
    depth, begin = 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter == ";" and depth == 0:
            made.append(" ".join(text[begin : at + 1].split()))
            begin = at + 1
    return made


def everything(include: Path, shim: Path) -> str:
    """What testing.h includes, in an order in which each is declared before it is used."""
    made: list[str] = []
    seen: set[Path] = set()

    def read(header: Path) -> None:
        if header in seen:
            return
        seen.add(header)
        for name in re.findall(r'#include "(\w+\.h)"', header.read_text()):
            read(header.parent / name)
        made.extend(declarations(header))

    read(include / "belay" / "testing.h")
    made.extend(declarations(shim))
    return "\n".join(dict.fromkeys(made)) + "\n"


if __name__ == "__main__":
    print(everything(Path(sys.argv[1]), Path(sys.argv[2])), end="")
