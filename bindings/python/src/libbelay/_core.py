"""Handles, contexts, values and answers, which all modules of the package share."""

from __future__ import annotations

import atexit
import weakref
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from datetime import timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar, Union

from . import _native as native
from ._errors import BelayError, failure, make_error, unhandled
from ._native import ffi, lib

if TYPE_CHECKING:
    from ._schedulers import Scheduler
    from ._signals import Signal

NULL = ffi.NULL
_FREE = ffi.addressof(lib, "pb_free")
#: No callback, no context, nothing to free.
NO_CALLBACK = (NULL, NULL, NULL)

T = TypeVar("T")
#: A time: a number of seconds, or a timedelta.
Seconds: TypeAlias = float | timedelta
#: What is taken for a signal: itself, something to be iterated over or awaited (`libbelay.from_`).
Source: TypeAlias = Union["Signal[T]", Iterable[T], AsyncIterable[T], Awaitable[T]]

_loaded = lib.pb_load_module(id(native))
if _loaded == lib.PB_ELSEWHERE:
    raise ImportError(
        "libbelay: this is a sub-interpreter, and callbacks run in the main one: import it there"
    )
if _loaded < 0:
    raise ImportError("libbelay: the shim could not be set up")


class Wrapper(native.Target):
    """An object that stands for a handle of Belay's, and is a value of that kind."""

    __slots__ = ()
    _kind: int

    if TYPE_CHECKING:
        #: The handle as a number.
        @property
        def _address(self) -> int: ...

    def to_handle(self) -> int:
        """The address of the C handle, with a reference for the caller. The handle's release
        function gives it back, and so does `from_handle` with ``is_given=True``.

        It is a handle of the library inside this package: `function_address` gives that library's
        functions. Another copy of the library in the process cannot use it.
        """
        pointer_type, retain = _retains[self._kind]
        return address_of(retain(ffi.cast(pointer_type, self._address)))

    @classmethod
    def from_handle(cls, address: int, *, is_given: bool) -> Self:
        """The object of a C handle of the library inside this package. With ``is_given`` it takes
        over a reference of the caller's; else it adds one of its own."""
        pointer_type, retain = _retains[cls._kind]
        pointer = ffi.cast(pointer_type, address)
        made: Self = cls._of(pointer if is_given else retain(pointer))
        return made

    @classmethod
    def _of(cls, pointer: Any) -> Any:
        """The object of a reference, which it takes over."""
        raise NotImplementedError


def function_address(name: str) -> int:
    """The address of a function of the library inside this package, "belay_signal_release" say,
    for C code that works with handles of this package."""
    if not name.startswith("belay_"):
        raise ValueError(f"{name!r} is no function of Belay's")
    return address_of(ffi.addressof(lib, name))


class Handle(Wrapper):
    """A handle that is no signal."""

    __slots__ = ("_c", "_number", "__weakref__")
    _releaser: Callable[[Any], None]
    #: The handle, which is released with the last object that has it.
    _c: Any
    #: The same as a number.
    _number: int

    @property
    def _address(self) -> int:
        return self._number

    def _own(self, pointer: Any) -> None:
        """Takes a reference over; raises the failure when there is none."""
        if not pointer:
            raise last_error()
        self._c = ffi.gc(pointer, type(self)._releaser)
        self._number = address_of(pointer)

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


def joining(combiner: Callable[..., Any] | None) -> tuple[Any, Any, Any]:
    """What makes one value of several: the callable, else a tuple."""
    return callback("pb_combine", None) if combiner is None else of_callable("pb_combine", combiner)


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


def queue_options(policy: int | None, capacity: int | None) -> Any:
    options = ffi.new("belay_queue_options *")
    options.size = ffi.sizeof("belay_queue_options")
    options.capacity = count_of(capacity)
    if policy is not None:
        options.policy = int(policy)
    return options


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
    else:
        exception = BelayError(code or lib.BELAY_EINVAL)
    return failure(exception)


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


# ---- called by the shim ----

_classes: dict[int, type[Any]] = {}
_retains: dict[int, tuple[str, Any]] = {}


def register(cls: type[Any], kind: int, retain: Any, pointer_type: str) -> None:
    """Registers the class that stands for the handles of a kind. (As a decorator it would hide the
    class from editors.)"""
    cls._kind = kind
    _classes[kind] = cls
    _retains[kind] = (pointer_type, retain)


def _wrap(kind: int, address: int) -> Any:
    pointer_type, retain = _retains[kind]
    return _classes[kind]._of(retain(ffi.cast(pointer_type, address)))


def as_signal(thing: Any) -> Signal[Any]:
    """The signal that an object stands for: itself, an awaitable, or an iterable."""
    from ._signals import Signal

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


# In the order of pb_hooks, in native/internal.h.
native.set_hooks(
    (
        Wrapper, _wrap, _signal_address, _disposable_address, BelayError, make_error, last_error,
        unhandled,
    )
)  # fmt: skip
lib.belay_on_unhandled_error(ffi.addressof(lib, "pb_unhandled"), NULL, NULL)

#: Objects with a thread that calls Python. They end before the interpreter does.
with_threads: weakref.WeakSet[Any] = weakref.WeakSet()


@atexit.register
def _shut_down() -> None:
    for each in list(with_threads):
        each._end()
    lib.pb_shutdown()
