"""Subjects: signals that a program sends into. Subscribers: the far end of a producer."""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypedDict, TypeVar, Unpack

from . import _native as native
from ._core import (
    NULL, Handle, Seconds, address_of, check, count_of, seconds, taken, value_of, register,
)  # fmt: skip
from ._disposables import Disposable, as_disposable
from ._loops import Loop, at_home
from ._native import ffi, lib
from ._sending import send_later, wait_to_send
from ._schedulers import Scheduler
from ._signals import Signal

T = TypeVar("T")


class Reentrancy(enum.IntEnum):
    """The fate of a value that is sent from inside a delivery of the same subject."""

    QUEUE = lib.BELAY_REENTRANCY_QUEUE
    DEPTH_FIRST = lib.BELAY_REENTRANCY_DEPTH_FIRST
    LATEST = lib.BELAY_REENTRANCY_LATEST
    REJECT = lib.BELAY_REENTRANCY_REJECT


class SourceOptions(TypedDict, total=False):
    """The options of every subject."""

    #: Its home; without one the loop of this thread, else this thread.
    loop: Loop | None
    #: It has no home: any thread may send, and what is subscribed is called on the thread that
    #: sends, or at the home of the subscription.
    shared: bool
    #: The fate of a value that is sent from inside a delivery.
    reentrancy: Reentrancy
    #: How many such values wait at most (0: 1024).
    capacity: int


def _options(given: SourceOptions) -> Any:
    at_home()
    unknown = given.keys() - SourceOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"a subject has no option {', '.join(sorted(unknown))}")
    options = ffi.new("belay_source_options *")
    options.size = ffi.sizeof("belay_source_options")
    loop = given.get("loop")
    options.loop = NULL if loop is None else loop._c
    options.shared = given.get("shared", False)
    options.reentrancy = int(given.get("reentrancy", Reentrancy.QUEUE))
    options.capacity = given.get("capacity", 0)
    return options


class Subject(Signal[T]):
    """A signal that sends what is sent into it to its subscriptions. (PublishSubject.)

    Its home is the ``loop``, else that of this thread, else this thread; a ``shared`` one has none,
    and any thread may send into it. When a subject is dropped without an end, its subscriptions are
    interrupted.
    """

    __slots__ = ("_is_shared",)
    _is_shared: bool

    def __init__(self, **options: Unpack[SourceOptions]) -> None:
        self._begin(lib.belay_subject_create(_options(options)), options)

    def _begin(self, pointer: Any, options: SourceOptions) -> None:
        self._own(pointer)
        self._target = address_of(pointer)
        self._is_shared = options.get("shared", False)

    # C replaces these two: see the end of the file.
    def on_next(self, value: T) -> None:
        """Sends a value. Away from home, and from inside a delivery, it is queued. A value after
        an end is dropped; a value that cannot be sent raises a BelayError."""

    def on_next_batch(self, values: Iterable[T]) -> None:
        """Sends many values: faster than one by one, above all those of a range, or of an array
        (`array.array`, a memoryview, numpy's), of which no objects are made."""

    def send_wait(self, value: T, timeout: Seconds | None = None) -> None:
        """Sends a value, and waits while the queue at the subject's home is full, at most
        ``timeout`` seconds. For threads other than the home's, which has to go on running."""
        wait_to_send(self.on_next, value, timeout)

    async def asend(self, value: T) -> None:
        """The same in a coroutine, which lets others run while it waits."""
        if self._is_shared:
            await asyncio.to_thread(self.send_wait, value)
        else:
            await send_later(self.on_next, value)

    def on_error(self, error: BaseException) -> None:
        """Ends it with an error."""
        made = lib.pb_error(id(error))
        code = lib.belay_subject_error(self._source, made)
        lib.belay_error_release(made)
        _answer(code)

    def on_completed(self) -> None:
        """Ends it."""
        _answer(lib.belay_subject_completed(self._source))

    @property
    def subscriber_count(self) -> int:
        """How many are subscribed; away from its home an estimate."""
        return int(lib.belay_subject_count(self._source))


def _answer(code: int) -> None:
    if code == lib.BELAY_EENDED:
        lib.belay_last_error()
    else:
        check(code)


class BehaviorSubject(Subject[T]):
    """A subject with a current value, which a subscription gets first."""

    __slots__ = ()

    def __init__(self, value: T, **options: Unpack[SourceOptions]) -> None:
        made = _options(options)
        self._begin(lib.belay_subject_create_behavior(value_of(value), made), options)


    @property
    def value(self) -> T:
        """The value that was delivered last."""
        value = ffi.new("belay_value *")
        check(lib.belay_subject_get(self._source, value))
        found: T = taken(value)
        return found


class ReplaySubject(Subject[T]):
    """A subject that replays its last ``count`` values (None: all), none older than ``age`` seconds,
    to each subscription."""

    __slots__ = ()

    def __init__(
        self,
        count: int | None = None,
        age: Seconds | None = None,
        scheduler: Scheduler | None = None,
        **options: Unpack[SourceOptions],
    ) -> None:
        clock = NULL if scheduler is None else scheduler._c
        kept = -1.0 if age is None else seconds(age)
        made = _options(options)
        self._begin(lib.belay_subject_create_replay(clock, kept, count_of(count), made), options)



class AsyncSubject(Subject[T]):
    """A subject that sends its last value when it completes."""

    __slots__ = ()

    def __init__(self, **options: Unpack[SourceOptions]) -> None:
        self._begin(lib.belay_subject_create_async(_options(options)), options)



class Subscriber(Handle, Generic[T]):
    """Where a producer sends, on any thread. When it is dropped without an end, the subscription is
    interrupted."""

    __slots__ = ()
    _releaser = lib.belay_subscriber_release

    def _own(self, pointer: Any) -> None:
        super()._own(pointer)
        self._target = self._address

    # C replaces these two: see the end of the file.
    def on_next(self, value: T) -> None:
        """Sends a value; a value after an end is dropped."""

    def on_next_batch(self, values: Iterable[T]) -> None:
        """Sends many values: see `Subject.on_next_batch`."""

    def send_wait(self, value: T, timeout: Seconds | None = None) -> None:
        """Sends a value, and waits while the queue at home is full: see `Subject.send_wait`."""
        wait_to_send(self.on_next, value, timeout)

    async def asend(self, value: T) -> None:
        """The same in a coroutine, which lets others run while it waits."""
        await send_later(self.on_next, value)

    def on_error(self, error: BaseException) -> None:
        """Ends the subscription with an error."""
        if self._c:
            made = lib.pb_error(id(error))
            code = lib.belay_subscriber_error(self._c, made)
            lib.belay_error_release(made)
            self._leave()
            _answer(code)

    def on_completed(self) -> None:
        """Ends the subscription."""
        if self._c:
            code = lib.belay_subscriber_completed(self._c)
            self._leave()
            _answer(code)

    def _leave(self) -> None:
        """Gives the handle back: the error that it would keep may have this object in its
        traceback."""
        pointer, self._c, self._target = self._c, NULL, 0
        if pointer:
            ffi.release(pointer)

    def add(self, teardown: Disposable | Callable[[], Any]) -> None:
        """Has a disposable, or an action, end with the subscription."""
        made = as_disposable(teardown)
        if made is not None and self._c:
            check(lib.belay_subscriber_add(self._c, made._c))
        elif made is not None:
            made.dispose()

    @property
    def is_disposed(self) -> bool:
        """True when nobody listens any more."""
        return not self._c or bool(lib.belay_subscriber_is_disposed(self._c))


register(Subscriber, lib.BELAY_KIND_SUBSCRIBER, lib.belay_subscriber_retain, "belay_subscriber *")


native.use_for(Subject, Subscriber)
