"""The built site in a headless Chromium: no page reports an error or loads anything from elsewhere, none is wider
than a phone's screen, the search finds an operator by the keyboard alone, the colours follow the
system, and DocC's pages of the Swift modules work at the root of a server and in a folder.

usage: site_browser.py SITE PICTURES

Writes screenshots of the pages into the folder PICTURES. Ends with 77 where there is no Chromium.
"""

from __future__ import annotations

import base64
import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

# The program of Debian's package, and those of other systems.
_NAMES = ("chromium", "chromium-browser", "google-chrome")
_PAGES = [
    "index.html", "install.html", "concepts.html", "tutorial.html", "notation.html", "troubleshooting.html",
    "tasks/loops.html", "tasks/marbles.html", "operators/index.html", "operators/timing/debounce.html",
    "operators/combining/zip.html", "coming-from/rxjs.html", "reference/index.html", "reference/signal.html",
    "reference/parity.html", "rules/semantics.html", "languages/rust/index.html", "glossary.html",
]  # fmt: skip
# DocC's, which a site has where the toolchain has docc. Their addresses are those of folders.
_MODULES = "modules/documentation/belay"
_SIZES = {"phone": (390, 844), "desktop": (1280, 900)}
_PATIENCE = 60.0


class Browser:
    """Speaks Chromium's protocol through its pipe: a message is JSON with a NUL behind it."""

    def __init__(self, program: str, profile: str) -> None:
        to_read, self._out = os.pipe()
        self._in, to_write = os.pipe()
        # The descriptors have to be 3 and 4 in the browser.
        high = [os.dup2(to_read, 103), os.dup2(to_write, 104)]
        os.close(to_read)
        os.close(to_write)
        command = (
            'exec 3<&103 4>&104; exec "$@" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage '
            f'--hide-scrollbars --no-first-run --remote-debugging-pipe --user-data-dir="{profile}" about:blank'
        )
        self._process = subprocess.Popen(
            ["bash", "-c", command, "bash", program], pass_fds=(103, 104), stderr=subprocess.DEVNULL
        )
        for each in high:
            os.close(each)
        self._rest, self._next, self.events = b"", 0, list[dict[str, Any]]()
        self._session: str | None = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._next += 1
        message = {"id": self._next, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        number = self._next
        while (answer := self._message()).get("id") != number:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return dict(answer["result"])

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._in, 1 << 16)
            if not part:
                raise RuntimeError("Chromium has ended")
            self._rest += part
        text, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(text))

    def value(self, expression: str) -> Any:
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        return result["result"].get("value")

    def wait(self, expression: str) -> bool:
        """Whether it becomes true, within a time that no machine needs."""
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            if self.value(expression):
                return True
            time.sleep(0.05)
        return False

    def open(self, url: str) -> bool:
        self.call("Page.navigate", url=url)
        return self.wait(
            f"location.href.startsWith({json.dumps(url.rstrip('/'))}) && document.readyState == 'complete'"
        )

    def press(self, key: str, code: int) -> None:
        text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                **text,
            )

    def end(self) -> None:
        self._session = None
        try:
            self.call("Browser.close")
        except (OSError, RuntimeError):
            pass
        self._process.wait(timeout=_PATIENCE)


def look(browser: Browser, base: str, pages: list[str], pictures: Path, failed: list[str]) -> None:
    for scheme in ("light", "dark"):
        browser.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        for size, (width, height) in _SIZES.items():
            browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                         mobile=size == "phone")  # fmt: skip
            for page in pages:
                name = f"{page}, {size}, {scheme}"
                if not browser.open(f"{base}/{page}") or not browser.wait(
                    "!!document.querySelector('article, main h1')"
                ):
                    failed.append(f"{name}: it does not load")
                    continue
                wide = browser.value("document.documentElement.scrollWidth") - width
                if wide > 0:
                    failed.append(f"{name}: {wide} pixels wider than the screen")
                colour = browser.value(
                    "getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]"
                )
                if (int(colour) < 128) != (scheme == "dark"):
                    failed.append(f"{name}: the background is {colour}")
                broken = browser.value(
                    "[...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src)"
                )
                if broken:
                    failed.append(f"{name}: pictures that do not show: {broken}")
                shot = browser.call("Page.captureScreenshot", format="png")["data"]
                file = (
                    pictures / f"{page.removesuffix('.html').strip('/').replace('/', '-')}-{size}-{scheme}.png"
                )
                file.write_bytes(base64.b64decode(shot))


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


def listen(browser: Browser, bases: tuple[str, ...], failed: list[str]) -> None:
    """What the pages have reported and loaded."""
    for event in browser.events:
        method, what = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            failed.append(f"an exception: {what['exceptionDetails'].get('text')}")
        elif method == "Log.entryAdded" and what["entry"]["level"] == "error":
            failed.append(f"an error: {what['entry']['text']} {what['entry'].get('url', '')}")
        elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning"):
            failed.append(f"the console: {what['args']}")
        elif method == "Network.requestWillBeSent":
            url = what["request"]["url"]
            if not url.startswith((*bases, "data:", "blob:", "about:")):
                failed.append(f"{what['documentURL']} loads {url}")


class _Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


def serve(folder: Path) -> http.server.ThreadingHTTPServer:
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder))
    )  # fmt: skip
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main(site: Path, pictures: Path) -> int:
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if not program:
        print("skipped: no Chromium")
        return 77
    pictures.mkdir(parents=True, exist_ok=True)
    # The root of a server, and a folder on one.
    servers = [serve(site), serve(site.parent)]
    base, below = (f"http://127.0.0.1:{each.server_port}" for each in servers)
    below += f"/{site.name}"
    modules = f"languages/swift/{_MODULES}"
    has_modules = (site / modules).exists()
    pages = _PAGES + [f"{modules}/", f"{modules}/signal/"] * has_modules
    failed = list[str]()
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(program, profile)
        look(browser, base, pages, pictures, failed)
        for each in (base, below) if has_modules else ():
            follow_modules(browser, each, failed)
        for each in (base, site.as_uri()):
            search(browser, each, failed)
        listen(browser, (base, below, site.as_uri()), failed)
        browser.end()
    for server in servers:
        server.shutdown()
    print("\n".join(dict.fromkeys(failed)) or "the site works in Chromium")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
