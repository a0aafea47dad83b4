"""asyncio: awaiting signals, iterating over them, and signals of coroutines."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from . import _native as native
from ._core import NULL
from ._errors import BelayError, unhandled
from ._loops import at_home
from ._native import ffi, lib
from ._operators.base import FILTER, MAP
from ._schedulers import QueuePolicy

if TYPE_CHECKING:
    from ._signals import Signal, Stage
    from ._subjects import Subscriber

T = TypeVar("T")

_HOLD = ffi.addressof(lib, "pb_hold")
_CAPACITY = 1024  # of values that wait, as of other queues


def _raised(error: BaseException) -> BaseException:
    """The exception to raise for an error: one that looks like the end of an iterator is the cause
    of another one."""
    if not isinstance(error, StopIteration | StopAsyncIteration):
        return error
    made = RuntimeError(f"a signal failed with {type(error).__name__}")
    made.__cause__ = error
    return made


def _without_value(end: BaseException | None) -> BaseException:
    """The same for an end, an error or the completion, before there was a value."""
    if end is None:
        return BelayError(lib.BELAY_EENDED, "the signal completed without a value")
    return _raised(end)


def _wake(waiter: asyncio.Future[None]) -> None:
    # Nothing wakes a task of a loop that is closed.
    if not waiter.done() and not waiter.get_loop().is_closed():
        waiter.set_result(None)


def _put_back(values: deque[Any], left: deque[Any], loaded: Callable[[Any], Any] | None) -> None:
    """Leaves values that nobody has taken to the next subscription."""
    while values:
        value = values.pop()
        left.appendleft(loaded(value) if loaded else value)


class _First(asyncio.Future[None]):
    """Is done when the first value of a signal has come, or its end. The cancellation of a task
    that waits for it cancels it at once. From then on nothing comes, and a value that has come goes
    back to a source that keeps it."""

    def __init__(self, signal: Signal[Any]) -> None:
        super().__init__(loop=asyncio.get_running_loop())
        self.values: deque[Any] = deque()
        self.ends: list[BaseException | None] = []
        self._left = signal._left
        self._subscription = signal.take(1)._heard_at(None, self._hear, self._end)

    def _hear(self, value: Any) -> None:
        self.values.append(value)
        _wake(self)

    def _end(self, error: BaseException | None) -> None:
        self.ends.append(error)
        _wake(self)

    def leave(self) -> None:
        """Ends the subscription."""
        self._subscription.dispose()
        if self._left is not None and self.values:
            _put_back(self.values, self._left, None)
            self.ends.clear()

    def cancel(self, msg: Any | None = None) -> bool:
        is_cancelled = super().cancel(msg)
        self.leave()
        return is_cancelled


async def _first(signal: Signal[Any]) -> Any:
    # A value that has come may have gone back to a source that keeps it, and the task that was
    # cancelled may wait all the same. Another source is not kept: when nobody has it, it interrupts.
    again = None if signal._left is None else signal
    heard = _First(signal)
    del signal
    while True:
        try:
            await heard
        except BaseException:
            heard.leave()
            raise
        if heard.values:
            return heard.values.popleft()
        if heard.ends:
            del again  # or the traceback keeps it, whose future may keep the error
            raise _without_value(heard.ends.pop(0))
        assert again is not None
        heard = _First(again)


async def first(signal: Signal[T]) -> T:
    """The first value."""
    at_home()
    stages: tuple[Stage, ...] = ()
    if signal._left is not None and signal._stages:
        stages, signal = signal._stages, signal._unstaged()
    while True:
        waiting = _first(signal)
        if signal._left is None:
            del signal  # as above
            return await waiting  # type: ignore[no-any-return]
        passes, value = _through(stages, await waiting)
        if passes:
            return value  # type: ignore[no-any-return]


def _through(stages: tuple[Stage, ...], value: Any) -> tuple[bool, Any]:
    """Whether a value gets through the stages, and what they make of it."""
    for kind, call, _ in stages:
        try:
            result = call(value)
        except BaseException as error:
            raise _raised(error)
        if kind == MAP:
            value = result
        elif kind == FILTER and not result:
            return False, None
    return True, value


class _Sending(threading.local):
    """While a task sends that can wait for room: the queues that its value has come to, and that have
    too little room for more."""

    full: list[_Queue] | None = None


_sending = _Sending()


class _Queue:
    """The values that wait to be asked for, or the task that waits for one."""

    __slots__ = ("values", "ends", "waiter", "policy", "capacity", "is_asked", "is_over", "senders")

    def __init__(self, policy: QueuePolicy, capacity: int | None) -> None:
        self.policy = policy
        self.capacity = capacity
        self.values: deque[Any] = deque()
        self.ends: list[BaseException | None] = []
        self.waiter: asyncio.Future[None] | None = None
        self.is_asked = False  # somebody has asked for a value
        self.is_over = False
        self.senders: list[asyncio.Future[None]] = []  # which wait for room

    def _wake(self) -> None:
        if self.waiter is not None:
            _wake(self.waiter)

    def add(self, value: Any) -> None:
        """An exception of this ends the subscription."""
        # Of several tasks that can wait each may have a value more on its way.
        full = _sending.full
        can_wait = self.is_asked and full is not None and self not in full
        if self.capacity is not None and len(self.values) >= self.capacity:
            if self.policy == QueuePolicy.DROP_NEWEST:
                return
            if self.policy != QueuePolicy.ERROR:
                self.values.popleft()
            elif not can_wait or len(self.values) >= 2 * self.capacity:
                raise BelayError(
                    lib.BELAY_EAGAIN,
                    f"{self.capacity} values wait to be asked for; values(capacity=...) lets more "
                    "wait, and values(policy=...) drops values",
                )
        self.values.append(value)
        self._wake()
        if full is not None and can_wait and self._is_half_full:
            full.append(self)

    @property
    def _is_half_full(self) -> bool:
        """Whether a task that can wait is to wait: one value of it may come as several."""
        if self.capacity is None or self.policy != QueuePolicy.ERROR:
            return False
        return len(self.values) * 2 >= min(self.capacity, _CAPACITY)

    async def room(self) -> None:
        """Waits for room, or for the end."""
        while self._is_half_full and not self.ends and not self.is_over:
            sender = asyncio.get_running_loop().create_future()
            self.senders.append(sender)
            await sender

    def _wake_senders(self) -> None:
        senders, self.senders = self.senders, []
        for sender in senders:
            _wake(sender)

    def end(self, error: BaseException | None) -> None:
        if not self.ends:
            self.ends.append(error)
            self._wake()
            self._wake_senders()

    async def next(self) -> Any:
        """The next value, as `Values.__anext__`."""
        if self.is_over:
            raise StopAsyncIteration
        self.is_asked = True
        while not self.values and not self.ends:
            if self.waiter is not None:
                raise RuntimeError("somebody is waiting for the next value already")
            self.waiter = asyncio.get_running_loop().create_future()
            try:
                await self.waiter
            finally:
                self.waiter = None
        if self.values:
            value = self.values.popleft()
            if self.senders and not self._is_half_full:
                self._wake_senders()
            return value
        self.is_over = True
        error = self.ends.pop()
        if error is None:
            raise StopAsyncIteration
        try:
            raise _raised(error)
        finally:
            del error  # else a cycle through this frame


class Values(AsyncIterator[T]):
    """The values of one subscription, which lasts as long as this does."""

    __slots__ = ("_queue", "_subscription", "_left")
    _loaded: Callable[[Any], Any] | None = None

    def __init__(self, signal: Signal[T], policy: QueuePolicy | None, capacity: int | None) -> None:
        policy = policy or QueuePolicy.ERROR
        if policy == QueuePolicy.BLOCK:
            raise ValueError("the loop that would ask for values cannot block")
        if capacity is not None and capacity < 0:
            raise ValueError("a capacity is not negative; None lets the queue grow")
        if policy == QueuePolicy.LATEST:
            capacity = 1
        at_home()
        self._left = None if signal._stages else signal._left
        self._queue = queue = _Queue(policy, _CAPACITY if capacity == 0 else capacity)
        self._subscription = signal._heard_at(None, queue.add, queue.end)

    async def __anext__(self) -> T:
        try:
            value: T = await self._queue.next()
            return value
        except BaseException:
            del self  # or the traceback, that of a cancelled task say, keeps the subscription
            raise

    async def aclose(self) -> None:
        """Disposes of the subscription."""
        self._queue.is_over = True
        self._leave()

    def _leave(self) -> None:
        self._subscription.dispose()
        if self._left is not None:
            _put_back(self._queue.values, self._left, self._loaded)

    def __del__(self) -> None:
        if hasattr(self, "_subscription"):
            self._leave()


class HeldValues(Values[T]):
    """The same for values that count at their source until the last reference to them goes: they wait
    as they are, and the marks of the source bound them. The signal's stages run when a value is asked
    for."""

    __slots__ = ("_stages",)
    _loaded = staticmethod(native.held)

    def __init__(self, signal: Signal[T]) -> None:
        self._stages = signal._stages
        held = signal._unstaged()._apply(lib.belay_op_map, _HOLD, NULL, NULL)
        super().__init__(held, None, None)
        self._left = signal._left

    async def __anext__(self) -> T:
        while True:
            try:
                value: Any = native.held(await super().__anext__())
            except BaseException:
                del self  # as above
                raise
            try:
                passes, value = _through(self._stages, value)
            except BaseException:
                await self.aclose()
                raise
            if passes:
                return value  # type: ignore[no-any-return]


def _send(subscriber: Subscriber[Any], value: Any) -> list[_Queue]:
    """Sends a value, and returns the queues whose room the next one is to wait for."""
    outer, _sending.full = _sending.full, []
    try:
        subscriber.on_next(value)
        return _sending.full
    finally:
        _sending.full = outer


async def _iterate(source: AsyncIterable[Any], subscriber: Subscriber[Any]) -> None:
    iterator = aiter(source)
    try:
        async for value in iterator:
            for queue in _send(subscriber, value):
                await queue.room()
            if subscriber.is_disposed:
                await asyncio.sleep(0)  # where the task is cancelled
    except GeneratorExit:
        raise  # nothing can be awaited any more
    except BaseException:
        await _close(iterator)
        raise


async def _close(iterator: Any) -> None:
    """Ends an iterator before its end, unless another subscription is waiting for it."""
    close = getattr(iterator, "aclose", None)
    if close is None or getattr(iterator, "ag_running", False):
        return
    try:
        await close()
    except Exception as error:
        unhandled(error, None)


async def _feed(source: Any, subscriber: Subscriber[Any]) -> None:
    try:
        if isinstance(source, AsyncIterable):
            await _iterate(source, subscriber)  # pyright: ignore[reportUnknownArgumentType]
        else:
            _send(subscriber, await source)
        subscriber.on_completed()
    except Exception as error:
        del source  # a future that keeps the error, whose traceback keeps this frame
        subscriber.on_error(error)
    finally:
        subscriber._give_back()


class _Shared:
    """The task of an awaitable, which can be awaited once, for all subscriptions."""

    __slots__ = ("awaitable", "task", "count")

    def __init__(self, awaitable: Awaitable[Any]) -> None:
        self.awaitable: Awaitable[Any] | None = awaitable
        self.task: asyncio.Future[Any] | None = None
        self.count = 0

    def enter(self) -> asyncio.Future[Any]:
        """For a subscription."""
        if self.task is None and self.awaitable is not None:
            self.task, self.awaitable = asyncio.ensure_future(self.awaitable), None
        self.count += 1
        return asyncio.shield(self.task)  # type: ignore[arg-type]

    def leave(self) -> None:
        """At its end. The last one cancels the task."""
        self.count -= 1
        if self.count == 0 and self.task is not None:
            self.task.cancel()


def from_async(
    source: AsyncIterable[T] | Awaitable[T] | Callable[[], AsyncIterable[T] | Awaitable[T]],
) -> Signal[T]:
    """The values of what is iterated over asynchronously, or what is awaited, in a task of
    asyncio's for each subscription; a callable makes it anew each time. Its disposal cancels the
    task, and a cancelled task interrupts the subscription. An iterator that has not ended by then
    is closed, by its ``aclose()``. The subscriptions to something to be awaited share it, and the
    disposal of the last one cancels it.

    The task of an iterator waits while an `async for` to which its values come at once has half as
    many of them waiting as may wait. Behind what brings values later, `observe_on` say, it does not
    wait. It does not wait for an iterator that nobody has asked for a value yet. One that has been
    asked, and is asked no more, holds up the source, and its other subscribers too."""
    from ._creating import create

    shared: Any = None
    if not callable(source) and not isinstance(source, AsyncIterable):
        shared = _Shared(source)

    def subscribe(subscriber: Subscriber[T]) -> Callable[[], Any]:
        host = asyncio.get_running_loop()
        made: Any = shared.enter() if shared else source() if callable(source) else source
        task = host.create_task(_feed(made, subscriber))

        def leave() -> None:
            task.cancel()
            if shared:
                shared.leave()

        return leave

    return create(subscribe)
