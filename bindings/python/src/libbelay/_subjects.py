"""Subjects: signals that one sends into. Subscribers: where a producer sends."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from . import _native as native
from ._core import (
    NULL, Handle, Seconds, address_of, check, count_of, seconds, taken, value_of, wrapped,
)  # fmt: skip
from ._disposables import Disposable, as_disposable
from ._loops import Loop
from ._native import ffi, lib
from ._schedulers import Scheduler
from ._signal import Signal

T = TypeVar("T")


class Reentrancy(enum.IntEnum):
    """What happens to a value that is sent from inside a delivery of the same subject."""

    QUEUE = lib.BELAY_REENTRANCY_QUEUE
    DEPTH_FIRST = lib.BELAY_REENTRANCY_DEPTH_FIRST
    LATEST = lib.BELAY_REENTRANCY_LATEST
    REJECT = lib.BELAY_REENTRANCY_REJECT


def _options(loop: Loop | None, shared: bool, reentrancy: Reentrancy, capacity: int) -> Any:
    options = ffi.new("belay_source_options *")
    options.size = ffi.sizeof("belay_source_options")
    options.loop = NULL if loop is None else loop._c
    options.shared = shared
    options.reentrancy = int(reentrancy)
    options.capacity = capacity
    return options


class Subject(Signal[T]):
    """A signal that sends what is sent into it to whoever is subscribed. (PublishSubject.)

    Its home is the ``loop``, else that of this thread, else this thread; a ``shared`` one has none,
    and can be sent into from any thread. When it is dropped without an end, who is subscribed is
    interrupted.
    """

    __slots__ = ("_target",)
    _target: int

    def __init__(
        self,
        *,
        loop: Loop | None = None,
        shared: bool = False,
        reentrancy: Reentrancy = Reentrancy.QUEUE,
        capacity: int = 0,
    ) -> None:
        options = _options(loop, shared, reentrancy, capacity)
        self._begin(lib.belay_subject_create(options), reentrancy)

    def _begin(self, pointer: Any, reentrancy: Reentrancy) -> None:
        # A batch is not entered again from inside, as depth-first would have it.
        self._own(pointer, reentrancy != Reentrancy.DEPTH_FIRST)
        self._target = address_of(pointer)

    def on_next(self, value: T) -> None:
        """Sends a value. Away from home, and from inside a delivery, it is queued. What comes after
        an end is dropped; what cannot be sent raises a BelayError."""
        native.next(self._target, value)

    def on_next_batch(self, values: Iterable[T]) -> None:
        """Sends many values: faster than one by one, above all those of a range, or of an array
        (`array.array`, a memoryview, numpy's), of which no objects are made."""
        native.next_batch(self._target, values)

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
    """A subject with a current value, which who subscribes gets first."""

    __slots__ = ()

    def __init__(
        self,
        value: T,
        *,
        loop: Loop | None = None,
        shared: bool = False,
        reentrancy: Reentrancy = Reentrancy.QUEUE,
        capacity: int = 0,
    ) -> None:
        options = _options(loop, shared, reentrancy, capacity)
        self._begin(lib.belay_subject_create_behavior(value_of(value), options), reentrancy)

    @property
    def value(self) -> T:
        """The value that was delivered last."""
        value = ffi.new("belay_value *")
        check(lib.belay_subject_get(self._source, value))
        found: T = taken(value)
        return found


class ReplaySubject(Subject[T]):
    """A subject that replays its last ``count`` values (None: all), none older than ``age`` seconds,
    to who subscribes."""

    __slots__ = ()

    def __init__(
        self,
        count: int | None = None,
        age: Seconds | None = None,
        scheduler: Scheduler | None = None,
        *,
        loop: Loop | None = None,
        shared: bool = False,
        reentrancy: Reentrancy = Reentrancy.QUEUE,
        capacity: int = 0,
    ) -> None:
        options = _options(loop, shared, reentrancy, capacity)
        clock = NULL if scheduler is None else scheduler._c
        kept = -1.0 if age is None else seconds(age)
        made = lib.belay_subject_create_replay(clock, kept, count_of(count), options)
        self._begin(made, reentrancy)


class AsyncSubject(Subject[T]):
    """A subject that sends its last value when it completes."""

    __slots__ = ()

    def __init__(
        self,
        *,
        loop: Loop | None = None,
        shared: bool = False,
        reentrancy: Reentrancy = Reentrancy.QUEUE,
        capacity: int = 0,
    ) -> None:
        options = _options(loop, shared, reentrancy, capacity)
        self._begin(lib.belay_subject_create_async(options), reentrancy)


@wrapped(lib.BELAY_KIND_SUBSCRIBER, lib.belay_subscriber_retain, "belay_subscriber *")
class Subscriber(Handle, Generic[T]):
    """Where a producer sends, on any thread. When it is dropped without an end, the subscription is
    interrupted."""

    __slots__ = ()
    _releaser = lib.belay_subscriber_release

    def on_next(self, value: T) -> None:
        """Sends a value; what comes after an end is dropped."""
        if self._c:
            native.subscriber_next(self._address, value)

    def on_next_batch(self, values: Iterable[T]) -> None:
        """Sends many values: see `Subject.on_next_batch`."""
        if self._c:
            native.subscriber_next_batch(self._address, values)

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
        pointer, self._c = self._c, NULL
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
