"""Writes the C code of the headers' comments into a folder, each example as the body of a function in a file of its
own. What an example takes for granted is in examples.h beside this.

usage: header_blocks.py DIRECTORY
Environment: SOURCE.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(os.environ["SOURCE"])
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
from description.reader import Reader  # noqa: E402
from description.site.markdown import parts  # noqa: E402


def comments(api: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for header in api["headers"]:
        yield header["name"], header["comment"]
    for item in api["items"]:
        if "with" not in item and item["comment"]:
            yield f"{item['header']}, {item['name']}", item["comment"]


def main(out: Path) -> int:
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    count = 0
    for place, comment in comments(Reader(ROOT / "include").read()):
        for code in (text for kind, text in parts(comment) if kind == "c"):
            count += 1
            (out / f"{count}.c").write_text(
                f'/* {place} */\n#include "examples.h"\n\nvoid example(void);\nvoid example(void) {{\n{code}\n}}\n'
            )
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
