"""What is written into files that are otherwise written by hand, between two comments:

    // [operators filtering] written by `scripts/api write`
    // [end]

The comments are looked for, so that a file may be moved.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from .operators import Operator, Wrong

_HEAD = r"^(?P<head> *(?://|#) \[(?P<what>operators|pipes) ?(?P<family>\w*)\][^\n]*\n)"
_END = r"(?P<end>^ *(?://|#) \[end\]\n)"
_REGION = re.compile(rf"{_HEAD}.*?{_END}", re.S | re.M)

Writer = Callable[[Operator], str]


def fill(
    root: Path, directory: str, pattern: str, writers: dict[str, Writer], operators: list[Operator]
) -> dict[str, str]:
    """The files below `directory` that have a region, with what belongs there, by their paths.

    `writers` has one for each kind of region.
    """
    made: dict[str, str] = {}
    written: dict[str, set[str]] = {what: set() for what in writers}
    for path in sorted((root / directory).rglob(pattern)):
        if "target" in path.parts or not path.is_file():
            continue
        text = path.read_text()
        regions = len(_REGION.findall(text))
        if any(len(re.findall(mark, text, re.M)) != regions for mark in (_HEAD, _END)):
            raise Wrong(f"{path.relative_to(root)}: a region is not closed, or not opened")
        if not regions:
            continue

        def one(found: re.Match[str]) -> str:
            what, family = found["what"], found["family"]
            if what not in writers:
                return found[0]
            chosen = [each for each in operators if family in ("", each.row.family)]
            written[what] |= {each.row.c for each in chosen}
            inner = "".join(writers[what](each) for each in chosen)
            return found["head"] + re.sub(r"\n\n\Z", "\n", inner) + found["end"]

        made[str(path.relative_to(root))] = _REGION.sub(one, text)
    for what, names in written.items():
        if missing := {each.row.c for each in operators} - names:
            raise Wrong(f"{directory} has no [{what} …] for {', '.join(sorted(missing))}")
    return made
