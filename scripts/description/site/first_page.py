"""The picture of the first page, which the README shows, and a digest of what it was made of.

The digest stands beside the picture. A first page that has changed since has another one.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

from ..reader import Refused

PICTURE = Path("docs/site/pictures/first-page.png")
_DIGEST = PICTURE.with_suffix(".sha256")
# The page with the pieces that it quotes, its drawing, and its look. The first is relative to the written pages.
_PAGE = Path("pages/index.md")
_SOURCES = ("docs/site/pictures/first.svg", "docs/site/site.css", "docs/site/mkdocs.yml", "docs/site/requirements.txt")


def check(root: Path, out: Path) -> None:
    told = root / _DIGEST
    if not told.exists() or told.read_text().strip() != _digest(root, out):
        raise Refused(
            f"the first page has changed since {PICTURE} was made, which the README shows: run scripts/site first-page"
        )


def write(root: Path, out: Path) -> int:
    """From the built site."""
    program = root / "Tests/Docs/site_picture.py"
    made = subprocess.run([sys.executable, program, root / "build/site/index.html", root / PICTURE])
    if made.returncode == 0:
        (root / _DIGEST).write_text(_digest(root, out) + "\n")
    return made.returncode


def _digest(root: Path, out: Path) -> str:
    made = hashlib.sha256()
    for file in (out / _PAGE, *(root / each for each in _SOURCES)):
        made.update(hashlib.sha256(file.read_bytes()).digest())
    return made.hexdigest()
