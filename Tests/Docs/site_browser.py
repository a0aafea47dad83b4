"""The built site in a headless Chromium. No page reports an error, lacks a picture or loads anything from elsewhere,
and none is wider than a phone's screen; all this is asked of every page. Some are also looked at in each size and
colour. The keyboard alone reaches every control, opens the menu of a phone and finds an operator. DocC's pages of the
Swift modules work at the root of a server and in a folder.

usage: site_browser.py SITE PICTURES

Writes screenshots of some pages into the folder PICTURES, whole: a long page is several files. Ends with 77 where there
is no Chromium.
"""

from __future__ import annotations

import functools
import http.server
import json
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any
from urllib.parse import quote

import site_keyboard
from browser import SIZES, Browser, find

_PAGES = [
    "index.html", "install.html", "concepts.html", "tutorial.html", "notation.html", "troubleshooting.html",
    "tasks/loops.html", "tasks/marbles.html", "operators/index.html", "operators/timing/debounce.html",
    "operators/combining/zip.html", "coming-from/rxjs.html", "reference/index.html", "reference/signal.html",
    "reference/parity.html", "rules/semantics.html", "languages/rust/index.html", "glossary.html",
]  # fmt: skip
# DocC's, which a site has where the toolchain has docc. Their addresses are those of folders.
_MODULES = "modules/documentation/belay"
# Chromium draws no more in one picture.
_TALLEST = 8000
_SOME = 16
_BROKEN = "[...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.src)"
_SHOWN = "!!document.querySelector('article, main h1')"


def look(browser: Browser, base: str, pages: list[str], pictures: Path, failed: list[str]) -> None:
    """Some pages, in each size and colour, with pictures for a person to look at."""
    for scheme in ("light", "dark"):
        browser.colours(scheme)
        for size in SIZES:
            browser.resize(size)
            for page in pages:
                name = f"{page}, {size}, {scheme}"
                if not browser.open(f"{base}/{page}") or not browser.wait(_SHOWN):
                    failed.append(f"{name}: it does not load")
                    continue
                examine(browser, name, size, failed)
                colour = browser.value(
                    "getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]"
                )
                if (int(colour) < 128) != (scheme == "dark"):
                    failed.append(f"{name}: the background is {colour}")
                file = page.removesuffix(".html").strip("/").replace("/", "-")
                keep(browser, pictures / f"{file}-{size}-{scheme}")


def examine(browser: Browser, name: str, size: str, failed: list[str]) -> None:
    # A phone shows a page that is too wide smaller, and says that the window is wider.
    wide, broken = browser.value(f"[document.documentElement.scrollWidth, {_BROKEN}]")
    if wide > SIZES[size][0]:
        failed.append(f"{name}: {wide - SIZES[size][0]} pixels wider than the screen")
    if broken:
        failed.append(f"{name}: pictures that do not show: {broken}")


def keep(browser: Browser, file: Path) -> None:
    """The whole page as pictures."""
    whole = browser.call("Page.getLayoutMetrics")["cssContentSize"]
    top, number = 0, 1
    while top < whole["height"]:
        height = min(_TALLEST, whole["height"] - top)
        part = f"-{number}" if number > 1 else ""
        picture = browser.shot(x=0, y=top, width=whole["width"], height=height)
        file.with_name(f"{file.name}{part}.png").write_bytes(picture)
        top, number = top + height, number + 1


def open_every_page(browser: Browser, base: str, site: Path, failed: list[str]) -> int:
    """Every page once, on a phone. DocC's pages are one program, which reads its data: some of them."""
    browser.colours("light")
    browser.resize("phone")
    files = sorted(str(file.relative_to(site)) for file in site.rglob("*.html"))
    theirs = [file.removesuffix("index.html") for file in files if "/modules/" in file]
    files = [file for file in files if "/modules/" not in file] + theirs[::_SOME]
    for page in files:
        browser.take_events()
        if browser.open(f"{base}/{quote(page, safe='/:(),')}") and browser.wait(_SHOWN):
            examine(browser, page, "phone", failed)
        else:
            failed.append(f"{page}: it does not load")
        listen(browser, (base,), failed, f"{page}: ")
    return len(files)


def follow_modules(browser: Browser, base: str, failed: list[str]) -> None:
    """DocC's pages find their content wherever the site is, lead to others, and back."""
    browser.open(f"{base}/languages/swift/index.html")
    first = browser.value(f"document.querySelector('article a[href*=\"{_MODULES}\"]')?.href")
    if not first:
        failed.append("the page on Swift leads to no page of the modules")
        return
    for page, heading in (("belay", "Belay"), ("belay/signal", "Signal")):
        name = f"{base}: DocC's page of {page}"
        browser.open(first.replace("belay/index.html", f"{page}/"))
        shown = "document.querySelector('h1')?.innerText.trim()"
        if not browser.wait(f"{shown} == '{heading}'"):
            failed.append(f"{name} does not show {heading}")
            continue
        # This changes the address, and loads no page.
        browser.value("document.querySelector('main a[href*=\"documentation/belay/\"]:not([href*=\"#\"])').click()")
        if not browser.wait(f"{shown} && {shown} != '{heading}'"):
            failed.append(f"{name} has no link that can be followed")
        back = browser.value("document.body.firstElementChild.href")
        if back != f"{base}/index.html":
            failed.append(f"{name} leads back to {back}")


def search(browser: Browser, base: str, failed: list[str]) -> None:
    """Also in pages that are opened as files. By the keyboard alone: / opens the search, the arrow chooses, Enter goes there."""
    browser.open(f"{base}/index.html")
    browser.wait("!!document.querySelector('[data-md-component=search-query]')")
    browser.press("/", 191)
    if not browser.wait("document.activeElement.matches('[data-md-component=search-query]')"):
        failed.append(f"{base}: the search does not open by the key /")
        return
    for letter in "debounce":
        browser.press(letter, ord(letter.upper()))
    results = "[...document.querySelectorAll('.md-search-result__link')].map(a => a.href)"
    if not browser.wait(f"{results}.length > 0"):
        failed.append(f"{base}: the search finds no debounce")
        return
    first = browser.value(f"{results}[0]")
    if "/operators/timing/debounce" not in first:
        failed.append(f"the search for debounce finds first {first}")
    browser.press("ArrowDown", 40)
    browser.press("Enter", 13)
    if not browser.wait(f"location.pathname == new URL({json.dumps(first)}).pathname"):
        failed.append(f"Enter does not go to what was found: {browser.value('location.href')}")


def listen(browser: Browser, bases: tuple[str, ...], failed: list[str], name: str = "") -> None:
    """What the pages have reported and loaded since it was asked last."""
    for event in browser.take_events():
        method, what = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            failed.append(f"{name}an exception: {what['exceptionDetails'].get('text')}")
        elif method == "Log.entryAdded" and what["entry"]["level"] == "error":
            failed.append(f"{name}an error: {what['entry']['text']} {what['entry'].get('url', '')}")
        elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning"):
            failed.append(f"{name}the console: {what['args']}")
        elif method == "Network.responseReceived" and what["response"]["status"] >= 400:
            failed.append(f"{name}{what['response']['status']} for {what['response']['url']}")
        # A page that is left cancels what it is still loading.
        elif method == "Network.loadingFailed" and not what.get("canceled"):
            failed.append(f"{name}a {what['type']} does not load: {what['errorText']}")
        elif method == "Network.requestWillBeSent":
            url = what["request"]["url"]
            if not url.startswith((*bases, "data:", "blob:", "about:")):
                failed.append(f"{what['documentURL']} loads {url}")


class _Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@functools.cache
def _without_words(file: Path) -> bytes:
    return json.dumps({**json.loads(file.read_text()), "docs": []}).encode()


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        # A page that is left no longer listens.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Quick(_Handler):
    """Without the words of the search, which every page reads when it opens, and which take it a second."""

    def do_GET(self) -> None:
        if not self.path.endswith("/search_index.json"):
            return super().do_GET()
        answer = _without_words(Path(self.translate_path(self.path)))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


def serve(folder: Path, handler: type[_Handler] = _Handler) -> _Server:
    server = _Server(("127.0.0.1", 0), functools.partial(handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main(site: Path, pictures: Path) -> int:
    program = find()
    if not program:
        print("skipped: no Chromium")
        return 77
    pictures.mkdir(parents=True, exist_ok=True)
    # The root of a server, and a folder on one.
    servers = [serve(site, _Quick), serve(site), serve(site.parent)]
    quick, base, below = (f"http://127.0.0.1:{each.server_port}" for each in servers)
    below += f"/{site.name}"
    modules = f"languages/swift/{_MODULES}"
    has_modules = (site / modules).exists()
    pages = _PAGES + [f"{modules}/", f"{modules}/signal/"] * has_modules
    failed = list[str]()
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(program, profile)
        count = open_every_page(browser, quick, site, failed)
        site_keyboard.check(browser, quick, failed)
        look(browser, quick, pages, pictures, failed)
        for each in (base, below) if has_modules else ():
            follow_modules(browser, each, failed)
        for each in (base, site.as_uri()):
            search(browser, each, failed)
        listen(browser, (quick, base, below, site.as_uri()), failed)
        browser.end()
    for server in servers:
        server.shutdown()
    print("\n".join(dict.fromkeys(failed)) or f"{count} pages work in Chromium")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
