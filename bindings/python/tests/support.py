"""What the tests share."""

import asyncio
import gc
import os
import time
import unittest
from typing import Any

import libbelay


# The checked library keeps what was freed for a while.
IS_CHECKED = os.environ.get("BELAY_CHECKED") == "1"
#: By how much the memory of a soak may grow: the allocators round up.
SLACK = 64 << 20 if IS_CHECKED else 1 << 20


def resident() -> int:
    """The memory of the process that is in use."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def descriptors() -> dict[str, str]:
    """What the process has open: the numbers, and what they lead to."""
    found: dict[str, str] = {}
    for number in os.listdir("/proc/self/fd"):
        try:
            found[number] = os.readlink(f"/proc/self/fd/{number}")
        except FileNotFoundError:
            pass  # that of the list itself
    return found


async def _nothing() -> None: ...


def _warm_up() -> None:
    """Opens what libuv keeps from the first loop on, and what asyncio keeps."""
    libbelay.Loop().close()
    asyncio.run(_nothing())


class Case(unittest.TestCase):
    """Each test leaves as many things of Belay's alive as it found, without the collector's help,
    no error that nobody handled, and the descriptors that there were."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        _warm_up()

    def setUp(self) -> None:
        gc.collect()
        gc.disable()
        # Cleanups run in the opposite order: what a test adds to them has been closed by then.
        self.addCleanup(self._check_descriptors, descriptors())
        self.unhandled: list[BaseException] = []
        before = libbelay.on_unhandled_error(lambda error, signal: self.unhandled.append(error))
        self.addCleanup(libbelay.on_unhandled_error, before)
        self.before = libbelay.live_counts()

    def _check_descriptors(self, before: dict[str, str]) -> None:
        # Another thread may be about to give back what it has, such as that of a lookup.
        gc.collect()
        end = time.monotonic() + 20
        while len(descriptors()) != len(before) and time.monotonic() < end:
            time.sleep(0.001)
        if len(descriptors()) != len(before):
            self.assertEqual(descriptors(), before)

    def doCleanups(self) -> Any:
        gc.enable()
        return super().doCleanups()

    def _callTestMethod(self, method: Any) -> None:
        super()._callTestMethod(method)  # type: ignore[misc]  # unittest does not tell of it
        self.assertEqual([repr(error) for error in self.unhandled], [])
        self.assertEqual(libbelay.live_counts(), self.before)


class Trace(list[Any]):
    """An observer that notes what it hears."""

    def on_next(self, value: Any) -> None:
        self.append(value)

    def on_error(self, error: BaseException) -> None:
        self.append(f"{type(error).__name__}: {error}")

    def on_completed(self) -> None:
        self.append("|")


def told(signal: Any) -> list[Any]:
    """What a signal tells while it is being subscribed to."""
    trace = Trace()
    signal.subscribe(trace).dispose()
    return trace


class Unspeakable:
    """Its ``repr`` is the text that it was given, or raises an exception."""

    def __init__(self, text: str | None = None) -> None:
        self.text = text
        self.asked = 0

    def __repr__(self) -> str:
        self.asked += 1
        if self.text is None:
            raise RuntimeError("no text")
        return self.text

    def __call__(self) -> None: ...


def odd(value: int) -> bool:
    return value % 2 == 1
