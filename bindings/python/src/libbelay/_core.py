"""What the package's modules share: handles, contexts, values, and answers."""

from __future__ import annotations

import atexit
import weakref
from collections.abc import Callable, Iterable
from datetime import timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from . import _native as native
from ._errors import BelayError, make_error, unhandled
from ._native import ffi, lib

if TYPE_CHECKING:
    from ._schedulers import Scheduler
    from ._signal import Signal

NULL = ffi.NULL
_FREE = ffi.addressof(lib, "pb_free")
#: No callback, no context, nothing to free.
NO_CALLBACK = (NULL, NULL, NULL)

Seconds = float | timedelta


class Wrapper:
    """An object that stands for a handle of Belay's, and is a value of that kind."""

    __slots__ = ()
    _kind: int


class Handle(Wrapper):
    """A handle that is no signal."""

    __slots__ = ("_c", "_address", "__weakref__")
    _releaser: Callable[[Any], None]
    #: The handle, which is released with the last object that has it.
    _c: Any
    #: The same as a number.
    _address: int

    def _own(self, pointer: Any) -> None:
        """Takes a reference over; raises the failure when there is none."""
        if not pointer:
            raise last_error()
        self._c = ffi.gc(pointer, type(self)._releaser)
        self._address = address_of(pointer)

    @classmethod
    def _of(cls, pointer: Any) -> Self:
        """The object of a reference, which it takes over."""
        made = cls.__new__(cls)
        made._own(pointer)
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Handle) and other._address == self._address

    def __hash__(self) -> int:
        return hash(self._address)


class BlockHandle(Handle):
    """A handle for a ``with`` block, at whose end it is left."""

    __slots__ = ()

    def _leave(self) -> None:
        """Ends it."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:  # fmt: skip
        self._leave()


def taken_handle(cls: type[Any], pointer: Any) -> Any:
    """The object of a reference, or None."""
    return cls._of(pointer) if pointer else None


def address_of(pointer: Any) -> int:
    return int(ffi.cast("uintptr_t", pointer))


# ---- callbacks ----


def callback(function: str, called: Any) -> tuple[Any, Any, Any]:
    """A function of the shim's, with its context and the function that frees that."""
    return ffi.addressof(lib, function), lib.pb_keep(id(called)), _FREE


def of_callable(function: str, called: Callable[..., Any]) -> tuple[Any, Any, Any]:
    """The same, for an object that has to be callable."""
    if not callable(called):
        raise TypeError(f"{called!r} is not callable")
    return callback(function, called)


def of_optional(function: str, called: Callable[..., Any] | None) -> tuple[Any, Any, Any]:
    return NO_CALLBACK if called is None else of_callable(function, called)


# ---- values ----


def value_of(thing: Any) -> Any:
    """The value of an object, for a call that takes it over."""
    return lib.pb_value(id(thing))


def taken(value: Any) -> Any:
    """The object of a value that was given to us: a belay_value *."""
    return native.load(address_of(value))


def handles(signals: Iterable[Any]) -> tuple[list[Any], int]:
    """The signals, each with a reference for the call that takes them over, and their number."""
    made = [lib.belay_signal_retain(as_signal(each)._c) for each in signals]
    return made, len(made)


def handle(signal: Any) -> Any:
    """A reference to a signal, for a call that takes it over."""
    return lib.belay_signal_retain(as_signal(signal)._c)


def count_of(count: int | None) -> int:
    """A count for C; None is no limit."""
    return lib.BELAY_UNLIMITED if count is None else count


def seconds(time: Seconds) -> float:
    return time.total_seconds() if isinstance(time, timedelta) else float(time)


def scheduler(given: Scheduler | None) -> Any:
    """The scheduler's handle; without one that of this thread's loop."""
    if given is None:
        from ._loops import current_scheduler

        given = current_scheduler()
    return given._c


def text(pointer: Any) -> str:
    return ffi.string(pointer).decode(errors="replace") if pointer else ""


# ---- answers ----


def last_error(code: int = 0) -> BaseException:
    """The failure of the call that has just answered."""
    error = lib.belay_last_error()
    if error and (code == 0 or lib.belay_error_code(error) == code):
        exception: BaseException = native.exception(address_of(error))
        lib.belay_last_error()  # lets go of it
        return exception
    return BelayError(code or lib.BELAY_EINVAL)


def forget_error() -> None:
    """Takes the failure that is recorded, and lets go of it."""
    lib.belay_last_error()
    lib.belay_last_error()


def check(code: int) -> int:
    """The answer of a call; raises its failure."""
    native.raise_exit()
    if code < 0:
        raise last_error(code)
    return code


# ---- what the shim calls ----

_classes: dict[int, type[Any]] = {}
_retains: dict[int, tuple[str, Any]] = {}


def wrapped(kind: int, retain: Any, pointer_type: str) -> Callable[[type[Any]], type[Any]]:
    """Registers the class that stands for the handles of a kind."""

    def note(cls: type[Any]) -> type[Any]:
        cls._kind = kind
        _classes[kind] = cls
        _retains[kind] = (pointer_type, retain)
        return cls

    return note


def _wrap(kind: int, address: int) -> Any:
    pointer_type, retain = _retains[kind]
    return _classes[kind]._of(retain(ffi.cast(pointer_type, address)))


def as_signal(thing: Any) -> Signal[Any]:
    """The signal that an object stands for: itself, an awaitable, or an iterable."""
    from ._signal import Signal

    if isinstance(thing, Signal):
        return thing
    from ._creating import from_

    return from_(thing)


def _signal_address(thing: Any) -> int:
    return address_of(handle(thing))


def _disposable_address(thing: Any) -> int:
    from ._disposables import as_disposable

    made = as_disposable(thing)
    return 0 if made is None else address_of(lib.belay_disposable_retain(made._c))


_hooks = (
    Wrapper, _wrap, _signal_address, _disposable_address, BelayError, make_error, unhandled,
)  # fmt: skip
if lib.pb_setup(id(native), id(_hooks)) < 0:
    raise ImportError("libbelay: the shim could not be set up")
lib.belay_on_unhandled_error(ffi.addressof(lib, "pb_unhandled"), NULL, NULL)

#: What has a thread that calls Python, and must not when the interpreter has gone.
with_threads: weakref.WeakSet[Any] = weakref.WeakSet()


@atexit.register
def _shut_down() -> None:
    for each in list(with_threads):
        each._end()
    lib.pb_shutdown()
