"""DocC's pages of the Swift modules, as a part of the site.

DocC makes pages for one place on a server, which it has to know. These find out by themselves where they are, so
that the site can be put anywhere.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

FOLDER = "languages/swift/modules"
FIRST = "modules/documentation/belay/index.html"

# Pictures of the renderer's maker, and folders that Belay's pages leave empty.
_USELESS = ("developer-og.jpg", "developer-og-twitter.jpg", "downloads", "images", "videos")
# The renderer looks for its data by the address of the folder. It changes the address without loading a page, and
# the icons have to stay where they are.
_ADDRESS = (
    'history.replaceState(null,"",location.href.replace(/index\\.html(?=$|[?#])/,""));'
    'for(const icon of document.querySelectorAll("link"))icon.href=icon.href'
)
_BACK = (
    '<a href="{up}index.html" style="display:block;padding:.5em 1.5em;font:14px sans-serif;'
    'background:#00796b;color:#fff">Belay</a>'
    # As with the icons.
    "<script>{{const back=document.currentScript.previousElementSibling;back.href=back.href}}</script>"
)


def build(root: Path, pages: Path) -> str | None:
    """Puts them into the folder of the site's pages. Answers why they are left out, if they are."""
    if not shutil.which("swiftc"):
        return "there is no swiftc"
    out = pages / FOLDER
    subprocess.run(["swift", "build"], cwd=root, check=True, stdout=subprocess.DEVNULL)
    made = subprocess.run(
        [root / "scripts/swift-docs", root / ".build/debug/Modules", out],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    if made.returncode == 77:
        return made.stdout.strip().removeprefix("skipped: ")
    made.check_returncode()
    for each in _USELESS:
        path = out / each
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    for file in out.rglob("*.html"):
        _move(file, "../" * (len(file.relative_to(out).parts) - 1) or "./")
    return None


def _move(file: Path, root: str) -> None:
    """Lets a page take what it needs from the folder `root`, relative to it."""
    text = file.read_text()
    for old, new in (
        ('var baseUrl = "/"', f'var baseUrl = new URL("{root}", location).pathname;' + _ADDRESS),
        ('src="/', f'src="{root}'),
        ('href="/', f'href="{root}'),
        ('<body data-color-scheme="auto">', '<body data-color-scheme="auto">' + _BACK.format(
            up=root + "../" * len(Path(FOLDER).parts))),
    ):  # fmt: skip
        if old not in text:
            raise RuntimeError(f"{file} has no {old}: docc's pages have changed")
        text = text.replace(old, new)
    file.write_text(text)
