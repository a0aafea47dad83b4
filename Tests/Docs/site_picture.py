"""A picture of a page as a desktop shows it first, in three quarters of its size.

usage: site_picture.py PAGE PICTURE
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from browser import Browser, find


def main(page: Path, picture: Path) -> int:
    program = find()
    if not program:
        print("site_picture.py: no Chromium: run scripts/setup browser", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(program, profile)
        browser.colours("light")
        browser.resize("desktop", scale=0.75)
        is_open = browser.open(page.as_uri())
        if is_open:
            picture.write_bytes(browser.shot())
        browser.end()
    return not is_open


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2])))
