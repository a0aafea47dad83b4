"""Senders that wait while a queue is full."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from . import _native as native
from ._core import Seconds, waiting_time
from ._errors import BelayError
from ._native import lib

T = TypeVar("T")

_turned = threading.Condition()
_waiting = 0
#: A loop that is run without Python, such as a worker's, does not tell of its turns.
_LONGEST = 0.01


def tell_turned() -> None:
    """After a turn of a loop: its queue may have room again."""
    if _waiting:
        with _turned:
            _turned.notify_all()


def _attempts(send: Callable[[T], object], value: T) -> Iterator[BaseException]:
    """Sends until there is room, and gives the failure each time that there is none."""
    while True:
        try:
            send(value)
            return
        except BelayError as error:
            if error.code != lib.BELAY_EAGAIN:
                raise
            yield error


def wait_to_send(send: Callable[[T], object], value: T, timeout: Seconds | None) -> None:
    """See `Subject.send_wait`."""
    limit = waiting_time(timeout)
    native.wait_for_room(1e9 if limit is None else limit)
    try:
        _wait_to_send(send, value, limit)
    finally:
        native.wait_for_room(0)


def _wait_to_send(send: Callable[[T], object], value: T, limit: float | None) -> None:
    global _waiting
    end = None if limit is None else time.monotonic() + limit
    for failure in _attempts(send, value):
        left = _LONGEST if end is None else min(_LONGEST, end - time.monotonic())
        if left <= 0:
            raise BelayError(lib.BELAY_ETIMEDOUT, "the queue stayed full") from failure
        with _turned:
            _waiting += 1
            try:
                _turned.wait(left)
            finally:
                _waiting -= 1


async def send_later(send: Callable[[T], object], value: T) -> None:
    """See `Subject.asend`."""
    pause = 0.0
    for _ in _attempts(send, value):
        await asyncio.sleep(pause)
        pause = min(_LONGEST, pause + 0.001)
