"""Errors: Belay's codes as exceptions, and the hook for errors without a handler."""

from __future__ import annotations

import functools
import queue
import reprlib
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any, Self

from ._native import ffi, lib


class BelayError(Exception):
    """A failure of Belay's: of a call, or an error event of a signal.

    Where Python has an exception for a code, the error is that one too: one of ETIMEDOUT is a
    TimeoutError, one of EINVAL a ValueError, one of the system's for a file a FileNotFoundError or
    another OSError. An exception that Python code raised in a callback travels as itself, and is
    not one of these.
    """

    #: Negative: errno's and libuv's codes unchanged, Belay's own from -20000 on (``BELAY_E...``).
    code: int
    #: The origin: "belay", or the domain that the error was made with.
    domain: str
    #: The message, without the code's name.
    message: str
    #: The value that came with it, or None.
    value: Any

    def __new__(
        cls, code: int, message: str | None = None, *, domain: str = "belay", value: Any = None
    ) -> Self:
        if code >= 0:
            raise ValueError("an error's code is negative")
        chosen = _class_of(code, domain) if cls is BelayError else cls
        # OSError reads errno and its text here. MemoryError makes none of a subclass that has another
        # class before it.
        told = text_of(code) if message is None else message
        maker: Any = Exception if issubclass(chosen, MemoryError) else super(BelayError, chosen)
        made: Self = maker.__new__(chosen, -code, told)
        return made

    def __init__(
        self, code: int, message: str | None = None, *, domain: str = "belay", value: Any = None
    ) -> None:
        self.code = code
        self.domain = domain
        self.message = text_of(code) if message is None else message
        self.value = value
        super().__init__(code, self.message)

    def __reduce__(self) -> Any:
        cls = type(self)
        own = BelayError if cls in _classes.values() else cls
        return _made_again, (own, self.code, self.message, self.domain), self.__dict__

    @property
    def name(self) -> str:
        """The code's name: "EINVAL", "ENOHOME", or "UNKNOWN"."""
        return str(ffi.string(lib.belay_error_name(self.code)), "ascii")

    def __str__(self) -> str:
        return f"{self.name}: {self.message}"

    def __repr__(self) -> str:
        return f"BelayError({self.name}, {self.message!r})"


def _made_again(cls: type[BelayError], code: int, message: str, domain: str) -> BelayError:
    # A subclass may take other arguments.
    made = BelayError.__new__(cls, code, message, domain=domain)
    BelayError.__init__(made, code, message, domain=domain)
    return made


#: The second class of an error, by its code.
_BASES: dict[int, type[Exception]] = {
    lib.BELAY_EAGAIN: queue.Full,
    lib.BELAY_EINVAL: ValueError,
    lib.BELAY_EKIND: TypeError,
    lib.BELAY_ENOENT: LookupError,
    lib.BELAY_ENOMEM: MemoryError,
    lib.BELAY_EDEAD: ReferenceError,
    lib.BELAY_ERELEASED: ReferenceError,
    lib.BELAY_ENOTSUP: NotImplementedError,
    lib.BELAY_EREENTRANT: RecursionError,
    lib.BELAY_EILSEQ: ValueError,
    lib.BELAY_EBUSY: RuntimeError,
    lib.BELAY_EDEADLK: RuntimeError,
    lib.BELAY_EBOUND: RuntimeError,
    lib.BELAY_ECLOSED: RuntimeError,
    lib.BELAY_ENOHOME: RuntimeError,
    lib.BELAY_EWRONGTHREAD: RuntimeError,
}
_NO_SYSTEM_ERRORS = {lib.BELAY_ECANCELED, lib.BELAY_ERANGE, lib.BELAY_EINPROGRESS}


#: The classes of errors that are one of those, too.
_classes: dict[type[Exception], type[BelayError]] = {}


@functools.cache
def _class_of(code: int, domain: str) -> type[BelayError]:
    if domain == "libuv":  # of a file, say
        return _class_with(type(OSError(-code, "")))
    if code in _NO_SYSTEM_ERRORS or code <= lib.BELAY_ENOHOME and code not in _BASES:
        return BelayError
    return _class_with(_BASES.get(code) or type(OSError(-code, "")))


def _class_with(base: type[Exception]) -> type[BelayError]:
    made = _classes.get(base)
    if made is None:
        made = type("BelayError", (BelayError, base), {"__module__": __name__})
        _classes[base] = made
    return made


#: Remedies, for messages that name none.
_REMEDIES: dict[int, str] = {
    lib.BELAY_EAGAIN: "the receiver has to go on running, or the sender to wait (send_wait, asend)",
    lib.BELAY_ENOHOME: "make it on a thread with a Loop, or shared=True, or send by Loop.post",
    lib.BELAY_EWRONGTHREAD: "call it on the thread of its loop, by Loop.post for example",
    lib.BELAY_EKIND: "convert the value first, by map for example",
    lib.BELAY_EBUSY: "wait until the present one has ended",
    lib.BELAY_EDEAD: "keep the owner alive for as long as it is used",
    lib.BELAY_EREENTRANT: "send later, by Scheduler.schedule for example",
    lib.BELAY_ECLOSED: "make another Loop",
}


def failure(error: BaseException) -> BaseException:
    """The failure of a call, with a message that names the call and what may help. Only for what has
    just been made: an exception of the program's may be on its way on other threads, too."""
    if isinstance(error, BelayError):
        remedy = _REMEDIES.get(error.code)
        call = _public_call(error.code)
        error.message = (
            (f"{call}: " if call else "") + error.message + (f" ({remedy})" if remedy else "")
        )
        error.args = (error.args[0], error.message)
    return error


class _Shown(reprlib.Repr):
    """A short form of an object, whatever its `__repr__` does."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 100

    def repr(self, x: Any) -> str:
        try:
            return super().repr(x)
        except Exception:
            return f"<{type(x).__name__}>"


_shown = _Shown().repr


def _public_call(code: int) -> str:
    """The function of the package that the program has called, with what it was given."""
    frame = sys._getframe(1)
    called: types.FrameType | None = None
    while frame and frame.f_globals.get("__name__", "").startswith("libbelay"):
        if code == lib.BELAY_EAGAIN and frame.f_code.co_name == "_attempts":
            return ""  # of send_wait and asend, which try again
        called, frame = frame, frame.f_back  # type: ignore[assignment]
    if called is None or called.f_code.co_name == "last_error":
        return ""  # a method of C's
    made = called.f_code
    names = made.co_varnames[: made.co_argcount + made.co_kwonlyargcount]
    given = [
        f"{name}={_shown(called.f_locals[name])}"
        for name in names
        if name not in ("self", "cls") and name in called.f_locals
    ]
    name = made.co_name
    if name == "__init__":
        name = type(called.f_locals["self"]).__name__
    return f"{name}({', '.join(given)})"


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


def tell(hook: UnhandledHook, error: BaseException, signal: str | None) -> None:
    """Tells a hook of an error. When the hook raises, prints the error, and what it has raised."""
    try:
        hook(error, signal)
    except BaseException as raised:
        _print_unhandled(error, signal)
        _print_unhandled(raised, None)
        if not isinstance(raised, Exception):
            raise


def unhandled(error: BaseException, signal: str | None) -> None:
    """Called by the shim for an error without a handler."""
    tell(_hook, error, signal)


def on_unhandled_error(hook: UnhandledHook | None) -> UnhandledHook:
    """Has ``hook(error, signal)`` called for each error event that comes to a subscription without
    ``on_error``, and for what is raised where nothing can be told. ``signal`` is the signal's name,
    if it is known. None puts back the default, which prints a traceback, as for a hook that raises.
    Returns the hook before.
    """
    global _hook
    before, _hook = _hook, hook or _print_unhandled
    return before
