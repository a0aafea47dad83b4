"""Subjects: signals that a program sends into. Subscribers: the far end of a producer."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypedDict, TypeVar, Unpack

from . import _native as native
from ._core import (
    NULL, Handle, Seconds, check, count_of, error_of, function_address, give, seconds,
    taken, value_of, register,
)  # fmt: skip
from ._disposables import Disposable, as_disposable
from ._loops import Loop, as_loop, at_home
from ._native import ffi, lib
from ._sending import send_later, send_on_a_thread, wait_to_send
from ._schedulers import Scheduler
from ._signals import Signal
from ._sites import begin_options

T = TypeVar("T")


class Reentrancy(enum.IntEnum):
    """The fate of a value that is sent from inside a delivery of the same subject."""

    QUEUE = lib.BELAY_REENTRANCY_QUEUE
    DEPTH_FIRST = lib.BELAY_REENTRANCY_DEPTH_FIRST
    LATEST = lib.BELAY_REENTRANCY_LATEST
    REJECT = lib.BELAY_REENTRANCY_REJECT


class PropertyOptions(TypedDict, total=False):
    """The options of a property, which every subject has, too. Each label and each site is kept for
    good."""

    #: The name in reports, and that of the signal.
    label: str | None
    #: The line of code that made it, in reports; by default the one that makes it.
    site: str | None
    #: Its home; without one the loop of this thread, else this thread.
    loop: Loop | None
    #: How many values that are sent from inside a delivery wait at most (0: 1024).
    capacity: int


class SourceOptions(PropertyOptions, total=False):
    """The options of every subject."""

    #: It has no home: any thread may send, and what is subscribed is called on the thread that
    #: sends, or at the home of the subscription.
    shared: bool
    #: The fate of a value that is sent from inside a delivery.
    reentrancy: Reentrancy


def _source_options(kind: str, given: PropertyOptions, known: dict[str, Any]) -> Any:
    at_home()
    unknown = given.keys() - known.keys()
    if unknown:
        raise TypeError(f"a {kind} has no option {', '.join(sorted(unknown))}")
    options = begin_options("belay_source_options", given.get("label"), given.get("site"))
    loop = given.get("loop")
    options.loop = NULL if loop is None else as_loop(loop)._c
    options.capacity = given.get("capacity", 0)
    return options


def property_options(given: PropertyOptions) -> Any:
    """The options of C for a property."""
    return _source_options("property", given, PropertyOptions.__annotations__)


def _options(given: SourceOptions) -> Any:
    options = _source_options("subject", given, SourceOptions.__annotations__)
    options.shared = given.get("shared", False)
    options.reentrancy = int(given.get("reentrancy", Reentrancy.QUEUE))
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
        """The same in a coroutine, which lets others run while it waits. A task that is cancelled
        meanwhile does not send."""
        if self._is_shared:
            await send_on_a_thread(self.on_next, value)
        else:
            await send_later(self.on_next, value)

    def on_error(self, error: BaseException) -> None:
        """Ends it with an error."""
        _answer(lib.belay_subject_error(self._source, error_of(error)))

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
        self._begin(give(lib.belay_subject_create_behavior, value_of(value), made), options)


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
        count: int | None = 1024,
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
    _releaser = function_address("belay_subscriber_release")

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
        self._end(lib.belay_subscriber_error, error_of(error))

    def on_completed(self) -> None:
        """Ends the subscription."""
        self._end(lib.belay_subscriber_completed)

    def _end(self, end: Callable[..., int], *given: Any) -> None:
        pointer = self._c  # which another thread may give back meanwhile
        try:
            _answer(end(pointer, *given) if pointer else 0)
        finally:
            self._give_back()  # the error that it would keep may have this object in its traceback

    def add(self, teardown: Disposable | Callable[[], Any]) -> None:
        """Has a disposable, or an action, end with the subscription."""
        made, pointer = as_disposable(teardown), self._c
        if made is not None and pointer:
            check(lib.belay_subscriber_add(pointer, made._c))
        elif made is not None:
            made.dispose()

    @property
    def is_disposed(self) -> bool:
        """True when nobody listens any more."""
        pointer = self._c
        return not pointer or bool(lib.belay_subscriber_is_disposed(pointer))


register(Subscriber, lib.BELAY_KIND_SUBSCRIBER, lib.belay_subscriber_retain, "belay_subscriber *")


native.use_for(Subject, Subscriber)
