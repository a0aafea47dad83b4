"""Handles, contexts, values and answers, which all modules of the package share."""

from __future__ import annotations

import atexit
import math
import os
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


class Wrapper(native.Holder):
    """An object that stands for a handle of Belay's, and is a value of that kind. Native code uses
    its `_reference`, or else its `_held`."""

    __slots__ = ()
    _kind: int

    @property
    def _held(self) -> Any:
        """The handle, which lives as long as somebody has this: another thread may end the object.
        The error EDEAD when it has ended."""
        raise NotImplementedError

    @property
    def _address(self) -> int:
        """The same as a number."""
        return address_of(self._held)

    def to_handle(self) -> int:
        """The address of the C handle, with a reference for the caller. The handle's release
        function gives it back, and so does `from_handle` with ``is_given=True``.

        It is a handle of the library inside this package: `function_address` gives that library's
        functions. Another copy of the library in the process cannot use it.
        """
        _, retain = _retains[self._kind]
        return address_of(retain(self._held))

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
    #: The address of the function that releases it.
    _releaser: int
    #: The handle, which is released with the last object that has it; NULL when this has ended.
    _c: Any
    #: The same as a number, also when this has ended.
    _number: int

    @property
    def _held(self) -> Any:
        pointer = self._c
        if not pointer:
            raise BelayError(lib.BELAY_EDEAD)
        return pointer

    def _own(self, pointer: Any) -> None:
        """Takes a reference over; raises the failure when there is none."""
        if not pointer:
            raise last_error()
        self._c, reference = owned(pointer, self._releaser)
        self._reference = reference
        self._number = reference.address
        native.raise_exit()

    def _give_back(self) -> None:
        """Gives the reference back, as soon as no call has the handle any more. Raises what a
        callable has raised then, as no finalizer can."""
        if self._reference is not None:
            self._reference.is_given_back = True
        self._c, self._reference = NULL, None
        native.raise_exit()

    @classmethod
    def _of(cls, pointer: Any) -> Self:
        """The object of a reference, which it takes over."""
        made = cls.__new__(cls)
        made._own(pointer)
        return made

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Handle):
            return self is other
        # An object that has ended has no handle: another one may have its number.
        return self._number == other._number and bool(self._c) and bool(other._c)

    def __hash__(self) -> int:
        return hash(self._number)


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


class ClosedHandle(BlockHandle):
    """A handle that is closed at the end of its block, and of the interpreter."""

    __slots__ = ()

    def close(self) -> Any:
        """Closes it."""
        raise NotImplementedError

    def _end(self) -> None:
        try:
            self.close()
        except BelayError:
            pass  # closed already, or another thread's

    def _leave(self) -> None:
        self.close()


def taken_handle(cls: type[Any], pointer: Any) -> Any:
    """The object of a reference, or None."""
    return cls._of(pointer) if pointer else None


def owned(pointer: Any, releaser: int) -> tuple[Any, Any]:
    """The handle of a reference, which is given back when nothing has the handle any more; and the
    object that does so, for native code. (`ffi.gc` gives it back before finalizers of the same
    cycle, which may use the handle.)"""
    reference = native.own(address_of(pointer), releaser)
    return ffi.from_buffer(ffi.typeof(pointer), reference), reference


def address_of(pointer: Any) -> int:
    return int(ffi.cast("uintptr_t", pointer))


def written(write: Callable[..., int], *given: Any) -> str:
    """What a function of C writes into a buffer."""
    size = write(*given, NULL, 0) + 1
    room = ffi.new("char[]", size)
    write(*given, room, size)
    return str(ffi.string(room), "utf-8", "replace")


# ---- what calls take over ----


class _Given:
    """A reference that is taken when the call is made which takes it over."""

    __slots__ = ("take", "thing", "give_back")

    def __init__(self, take: Callable[[Any], Any], thing: Any, give_back: Callable[[Any], Any]):
        self.take, self.thing, self.give_back = take, thing, give_back


def _passed(argument: Any, taken: list[tuple[_Given, Any]]) -> Any:
    if type(argument) is _Given:
        made = argument.take(argument.thing)
        taken.append((argument, made))
        return made
    if isinstance(argument, list):
        items: list[Any] = argument  # pyright: ignore[reportUnknownVariableType]
        return [_passed(each, taken) for each in items]
    return argument


def give(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function of C, which takes over what `handle`, `value_of`, `callback` and their like
    stand for. Gives that back when another argument is refused, so that the call is not reached."""
    taken: list[tuple[_Given, Any]] = []
    try:
        return function(*[_passed(each, taken) for each in arguments])
    except Exception:  # of cffi's; what a callable raises in the call is another kind
        for each, made in taken:
            each.give_back(made)
        raise


def placed(cls: type[Any], function: Callable[..., int], *arguments: Any) -> Any:
    """The object of the disposable that a function of C puts at its last argument, or None."""
    out = ffi.new("belay_disposable **")
    try:
        check(give(function, *arguments, out))
    except BaseException:
        if out[0]:
            lib.belay_disposable_release(out[0])
        raise
    return taken_handle(cls, out[0])


# ---- callbacks ----


def _kept(called: Any) -> Any:
    return lib.pb_keep(id(called))


def kept_context(called: Any) -> tuple[Any, Any]:
    """A context, which keeps an object, for a call that nothing can refuse any more; and the
    function that frees it."""
    return _kept(called), _FREE


def callback(function: str, called: Any) -> tuple[Any, Any, Any]:
    """A function of the shim's, with its context and the function that frees that."""
    return ffi.addressof(lib, function), _Given(_kept, called, lib.pb_free), _FREE


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


# ---- texts ----


def encoded(given: str) -> bytes:
    """A text for C, where a NUL ends it."""
    return _without_nul(given.encode())


def encoded_path(path: str | bytes | os.PathLike[Any]) -> bytes:
    """A path for C."""
    return _without_nul(os.fsencode(path))


def _without_nul(given: bytes) -> bytes:
    if b"\0" in given:
        raise ValueError("embedded null byte")
    return given


# ---- values ----


def _value(thing: Any) -> Any:
    return lib.pb_value(id(thing))


def value_of(thing: Any) -> Any:
    """The value of an object, for a call that takes it over."""
    return _Given(_value, thing, lib.belay_value_release)


def error_of(exception: BaseException) -> Any:
    """The error that carries an exception."""
    if not isinstance(exception, BaseException):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{exception!r} is no exception")
    return ffi.gc(lib.pb_error(id(exception)), lib.belay_error_release)


def taken(value: Any) -> Any:
    """The object of a value that was given to us: a belay_value *."""
    return native.load(address_of(value))


def handles(signals: Iterable[Any]) -> tuple[list[Any], int]:
    """The signals, each with a reference for the call that takes them over, and their number."""
    made = [handle(each) for each in signals]
    return made, len(made)


def handle(signal: Any) -> Any:
    """A reference to a signal, for a call that takes it over."""
    return _Given(_reference, as_signal(signal), lib.belay_signal_release)


def _reference(signal: Signal[Any]) -> Any:
    return lib.belay_signal_retain(signal._c)


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


def waiting_time(timeout: Seconds | None) -> float | None:
    """How long to wait at most; None for no limit."""
    if timeout is None:
        return None
    time = seconds(timeout)
    if math.isnan(time):
        raise BelayError(lib.BELAY_EINVAL, f"{timeout!r} is no time to wait")
    return max(time, 0.0)


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
    native.raise_exit()
    error = lib.belay_last_error()
    if error and (code == 0 or lib.belay_error_code(error) == code):
        is_programs = ffi.string(lib.belay_error_domain(error)) == b"python"
        exception: BaseException = native.exception(address_of(error))
        lib.belay_last_error()  # lets go of it
        if is_programs:
            return exception
    else:
        exception = BelayError(code or lib.BELAY_EINVAL)
    return failure(exception)


def forget_error() -> None:
    """Takes the failure that is recorded, and lets go of it."""
    lib.belay_last_error()
    lib.belay_last_error()


def check(code: int) -> int:
    """The answer of a call; raises its failure."""
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
        return thing  # pyright: ignore[reportUnknownVariableType]
    from ._creating import from_

    return from_(thing)


def inner_signal(thing: Any) -> Signal[Any]:
    """The same, for a stage before an operator that takes signals: of the class that is a signal also
    as a value."""
    made = as_signal(thing)
    cls = _classes[made._kind]
    return made if type(made) is cls else cls._of(_reference(made))


def _signal_address(thing: Any) -> int:
    return address_of(_reference(as_signal(thing)))


def _disposable_address(thing: Any) -> int:
    from ._disposables import as_disposable

    made = as_disposable(thing)
    return 0 if made is None else address_of(lib.belay_disposable_retain(made._c))


# In the order of pb_hooks, in native/internal.h.
native.set_hooks(
    (
        Wrapper, _wrap, _classes, _signal_address, _disposable_address, BelayError, make_error,
        last_error, unhandled,
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
