"""A headless Chromium, by its protocol."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from typing import Any

# The program of Debian's package, and those of other systems.
_NAMES = ("chromium", "chromium-browser", "google-chrome")
SIZES = {"phone": (390, 844), "desktop": (1280, 900)}
PATIENCE = 60.0


def find() -> str | None:
    return next(filter(None, map(shutil.which, _NAMES)), None)


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
        self._patience = PATIENCE
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
        """Whether it becomes true, within a time that no machine needs. Who has waited in vain once is told the rest
        of what is wrong sooner."""
        until = time.monotonic() + self._patience
        while time.monotonic() < until:
            if self.value(expression):
                return True
            time.sleep(0.02)
        self._patience = min(self._patience, 3.0)
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

    def resize(self, size: str, scale: float = 1) -> None:
        width, height = SIZES[size]
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=size == "phone")  # fmt: skip

    def colours(self, scheme: str) -> None:
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )

    def shot(self, **clip: float) -> bytes:
        """A picture of what the window shows, or of a part of the page."""
        part = {"captureBeyondViewport": True, "clip": {"scale": 1, **clip}} if clip else {}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", **part)["data"])

    def take_events(self) -> list[dict[str, Any]]:
        events, self.events = self.events, []
        return events

    def end(self) -> None:
        self._session = None
        try:
            self.call("Browser.close")
        except (OSError, RuntimeError):
            pass
        self._process.wait(timeout=PATIENCE)
