"""Errors: Belay's codes as exceptions, and what happens to those that nobody handles."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from typing import Any

from ._native import ffi, lib


class BelayError(Exception):
    """A failure of Belay's: of a call, or an error event of a signal.

    An exception that Python code raised in a callback travels as itself, and is not one of these.
    """

    #: Negative: errno's and libuv's codes unchanged, Belay's own from -20000 on (``BELAY_E...``).
    code: int
    #: The origin: "belay", or the domain that the error was made with.
    domain: str
    #: The message, without the code's name.
    message: str
    #: The value that came with it, or None.
    value: Any

    def __init__(
        self, code: int, message: str | None = None, *, domain: str = "belay", value: Any = None
    ) -> None:
        if code >= 0:
            raise ValueError("an error's code is negative")
        self.code = code
        self.domain = domain
        self.message = text_of(code) if message is None else message
        self.value = value
        super().__init__(code, self.message)

    @property
    def name(self) -> str:
        """The code's name: "EINVAL", "ENOHOME", or "UNKNOWN"."""
        return str(ffi.string(lib.belay_error_name(self.code)), "ascii")

    def __str__(self) -> str:
        return f"{self.name}: {self.message}"


def text_of(code: int) -> str:
    """A code's text, in English."""
    return str(ffi.string(lib.belay_error_text(code)), "utf-8")


def make_error(
    code: int, domain: str, message: str, value: Any, cause: BaseException | None
) -> BelayError:
    """The exception that the shim makes of an error that is none of Python's."""
    error = BelayError(code, message, domain=domain, value=value)
    error.__cause__ = cause
    return error


UnhandledHook = Callable[[BaseException, str | None], object]


def _print_unhandled(error: BaseException, signal: str | None) -> None:
    print(
        "libbelay: an error that nobody handles" + (f", of {signal}:" if signal else ":"),
        file=sys.stderr,
    )
    traceback.print_exception(error)


_hook: UnhandledHook = _print_unhandled


def unhandled(error: BaseException, signal: str | None) -> None:
    """What the shim calls for such an error."""
    _hook(error, signal)


def on_unhandled_error(hook: UnhandledHook | None) -> UnhandledHook:
    """Has ``hook(error, signal)`` called for each error event that comes to a subscription without
    ``on_error``, and for what is raised where nothing can be told. ``signal`` is the signal's name,
    if it is known. None puts back the default, which prints a traceback. Returns the hook before.
    """
    global _hook
    before, _hook = _hook, hook or _print_unhandled
    return before
