"""The built site: every link leads to a page and a place on it, every page can be reached from the first one,
nothing is loaded from elsewhere, and the search knows the operators. The links of DocC's pages are in the data that
these load.

usage: site_links.py SITE
"""

from __future__ import annotations

import json
import re
import sys
from collections import deque
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

# What a browser loads with a page, and what it only goes to when it is asked.
_LOADS = {
    ("script", "src"),
    ("img", "src"),
    ("iframe", "src"),
    ("source", "src"),
    ("link", "href"),
    ("use", "href"),
}
_ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//|^(?!data:|mailto:)[a-z][a-z0-9+.-]*:", re.I)


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if not value:
                continue
            if name == "id" or tag == "a" and name == "name":
                self.ids.add(value)
            elif tag == "a" and name == "href":
                self.links.append(value)
            elif (tag, name) in _LOADS and dict(attrs).get("rel") != "canonical":
                self.loads.append(value)


def check(site: Path) -> list[str]:
    wrong: list[str] = []
    pages = {file: Page(file.read_text()) for file in site.rglob("*.html")}
    targets: dict[Path, set[Path]] = {}

    def find(file: Path, link: str) -> None:
        path, anchor = urldefrag(link)
        where = (file.parent / unquote(path)).resolve() if path else file
        where = where / "index.html" if where.is_dir() else where
        name = file.relative_to(site)
        if not where.exists():
            wrong.append(f"{name} links to {link}, which does not exist")
        elif where in pages:
            targets.setdefault(file, set()).add(where)
            if (
                anchor
                and unquote(anchor) not in pages[where].ids
                and anchor not in ("__top", "__tabbed")
            ):
                wrong.append(f"{name} links to {link}, a place that the page does not have")

    for file, page in pages.items():
        if file.name == "404.html":  # Its links are those of a site at the root of a server.
            continue
        for each in page.loads:
            if _ELSEWHERE.match(each):
                wrong.append(f"{file.relative_to(site)} loads {each}")
            else:
                find(file, each)
        for each in page.links:
            if not _ELSEWHERE.match(each):
                find(file, each)
    modules = site / "languages/swift/modules"
    for data in (modules / "data").rglob("*.json"):
        page = modules / data.relative_to(modules / "data").with_suffix("") / "index.html"
        content = json.loads(data.read_text())
        for each in content.get("references", {}).values():
            if (path := each.get("url", "")).startswith("/documentation/"):
                target, _, anchor = path.partition("#")
                up = "../" * len(page.parent.relative_to(modules).parts)
                find(page, f"{up}{target[1:]}/index.html")
    for style in site.rglob("*.css"):
        for each in re.findall(
            r"url\(\s*[\"']?([^\"')]+)|@import\s+[\"']([^\"']+)", style.read_text()
        ):
            if _ELSEWHERE.match(each[0] or each[1]):
                wrong.append(f"{style.relative_to(site)} loads {each[0] or each[1]}")

    first = site / "index.html"
    reached, waiting = {first}, deque([first])
    while waiting:
        for target in targets.get(waiting.popleft(), set()) - reached:
            reached.add(target)
            waiting.append(target)
    # DocC's page without an address of its own shows the first module.
    unreached = pages.keys() - reached - {site / "404.html", modules / "index.html"}
    wrong += [f"no link leads to {file.relative_to(site)}" for file in sorted(unreached)]

    index = json.loads((site / "search/search_index.json").read_text())
    found = {
        entry["location"].partition("#")[0]
        for entry in index["docs"]
        if "debounce" in entry["title"]
    }
    if "operators/timing/debounce.html" not in found:
        wrong.append("the search does not know debounce")
    if len(pages) < 200:
        wrong.append(f"the site has only {len(pages)} pages")
    return wrong


if __name__ == "__main__":
    found = check(Path(sys.argv[1]).resolve())
    print("\n".join(found[:50] or ["every link leads somewhere"]))
    sys.exit(bool(found))
