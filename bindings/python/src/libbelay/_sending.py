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


def _attempts(
    send: Callable[[T], object], value: T, given_up: bytearray
) -> Iterator[BaseException]:
    """Sends until there is room, and gives the failure each time that there is none."""
    while not given_up[0]:
        try:
            send(value)
            return
        except BelayError as error:
            if error.code != lib.BELAY_EAGAIN:
                raise
            yield error


def wait_to_send(
    send: Callable[[T], object], value: T, timeout: Seconds | None,
    given_up: bytearray | None = None,
) -> None:  # fmt: skip
    """See `Subject.send_wait`. Another thread ends it by setting the byte of ``given_up``."""
    limit = waiting_time(timeout)
    given_up = given_up or bytearray(1)
    native.wait_for_room(1e9 if limit is None else limit, given_up)
    try:
        _wait_to_send(send, value, limit, given_up)
    finally:
        native.wait_for_room(0, given_up)


def _wait_to_send(
    send: Callable[[T], object], value: T, limit: float | None, given_up: bytearray
) -> None:
    global _waiting
    end = None if limit is None else time.monotonic() + limit
    for failure in _attempts(send, value, given_up):
        left = _LONGEST if end is None else min(_LONGEST, end - time.monotonic())
        if left <= 0:
            raise BelayError(lib.BELAY_ETIMEDOUT, "the queue stayed full") from failure
        with _turned:
            _waiting += 1
            try:
                _turned.wait(left)
            finally:
                _waiting -= 1


async def send_on_a_thread(send: Callable[[T], object], value: T) -> None:
    """See `Subject.asend`, where the send itself may wait."""
    given_up = bytearray(1)
    try:
        await asyncio.to_thread(wait_to_send, send, value, None, given_up)
    finally:
        given_up[0] = 1


async def send_later(send: Callable[[T], object], value: T) -> None:
    """See `Subject.asend`."""
    pause = 0.0
    for _ in _attempts(send, value, bytearray(1)):
        await asyncio.sleep(pause)
        pause = min(_LONGEST, pause + 0.001)
