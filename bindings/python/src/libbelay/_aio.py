"""asyncio: awaiting signals, iterating over them, and signals of coroutines."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from . import _native as native
from ._core import NULL
from ._errors import BelayError
from ._loops import at_home
from ._native import ffi, lib
from ._operators.base import FILTER, MAP
from ._schedulers import QueuePolicy

if TYPE_CHECKING:
    from ._signals import Signal
    from ._subjects import Subscriber

T = TypeVar("T")

_HOLD = ffi.addressof(lib, "pb_hold")
_CAPACITY = 1024  # of values that wait, as of other queues


def _raised(error: BaseException) -> BaseException:
    """What is raised for an error: those that look like the end of an iterator are the cause of
    another one."""
    if not isinstance(error, StopIteration | StopAsyncIteration):
        return error
    made = RuntimeError(f"a signal failed with {type(error).__name__}")
    made.__cause__ = error
    return made


async def first(signal: Signal[T]) -> T:
    """The first value."""
    at_home()
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def on_next(value: T) -> None:
        if not future.done():
            future.set_result(value)

    def on_end(error: BaseException | None) -> None:
        if not future.done():
            ended = BelayError(lib.BELAY_EENDED, "the signal completed without a value")
            future.set_exception(_raised(error or ended))

    with signal.take(1)._heard_at(None, on_next, on_end):
        return await future


class _Queue:
    """The values that wait to be asked for, or the task that waits for one."""

    __slots__ = ("values", "ends", "waiter", "policy", "capacity", "is_over")

    def __init__(self, policy: QueuePolicy, capacity: int | None) -> None:
        self.policy = policy
        self.capacity = capacity
        self.values: deque[Any] = deque()
        self.ends: list[BaseException | None] = []
        self.waiter: asyncio.Future[None] | None = None
        self.is_over = False

    def _wake(self) -> None:
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)

    def add(self, value: Any) -> None:
        """What this raises ends the subscription."""
        if self.capacity is not None and len(self.values) >= self.capacity:
            if self.policy == QueuePolicy.ERROR:
                raise BelayError(
                    lib.BELAY_EAGAIN,
                    f"{self.capacity} values wait to be asked for; values(capacity=...) lets more "
                    "wait, and values(policy=...) drops values",
                )
            if self.policy == QueuePolicy.DROP_NEWEST:
                return
            self.values.popleft()
        self.values.append(value)
        self._wake()

    def end(self, error: BaseException | None) -> None:
        if not self.ends:
            self.ends.append(error)
            self._wake()

    async def next(self) -> Any:
        """The next value, as `Values.__anext__`."""
        if self.is_over:
            raise StopAsyncIteration
        while not self.values and not self.ends:
            if self.waiter is not None:
                raise RuntimeError("somebody is waiting for the next value already")
            self.waiter = asyncio.get_running_loop().create_future()
            try:
                await self.waiter
            finally:
                self.waiter = None
        if self.values:
            return self.values.popleft()
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

    __slots__ = ("_queue", "_subscription")

    def __init__(self, signal: Signal[T], policy: QueuePolicy | None, capacity: int | None) -> None:
        policy = policy or QueuePolicy.ERROR
        if policy == QueuePolicy.BLOCK:
            raise ValueError("the loop that would ask for values cannot block")
        if capacity is not None and capacity < 0:
            raise ValueError("a capacity is not negative; None lets the queue grow")
        if policy == QueuePolicy.LATEST:
            capacity = 1
        at_home()
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
        self._subscription.dispose()

    def __del__(self) -> None:
        if hasattr(self, "_subscription"):
            self._subscription.dispose()


class HeldValues(Values[T]):
    """The same for values that count at their source until the last reference to them goes: they wait
    as they are, and the marks of the source bound them. The signal's stages run when a value is asked
    for."""

    __slots__ = ("_stages",)

    def __init__(self, signal: Signal[T]) -> None:
        self._stages = signal._stages
        held = signal._unstaged()._apply(lib.belay_op_map, _HOLD, NULL, NULL)
        super().__init__(held, None, None)

    async def __anext__(self) -> T:
        while True:
            try:
                value: Any = native.held(await super().__anext__())
            except BaseException:
                del self  # as above
                raise
            try:
                for kind, call, _ in self._stages:
                    result = call(value)
                    if kind == MAP:
                        value = result
                    elif kind == FILTER and not result:
                        break
                else:
                    return value  # type: ignore[no-any-return]
            except BaseException as error:
                await self.aclose()
                raise _raised(error)


async def _feed(source: Any, subscriber: Subscriber[Any]) -> None:
    try:
        if isinstance(source, AsyncIterable):
            async for value in source:  # pyright: ignore[reportUnknownVariableType]
                subscriber.on_next(value)
        else:
            subscriber.on_next(await source)
        subscriber.on_completed()
    except Exception as error:
        subscriber.on_error(error)
    finally:
        subscriber._give_back()


def from_async(
    source: AsyncIterable[T] | Awaitable[T] | Callable[[], AsyncIterable[T] | Awaitable[T]],
) -> Signal[T]:
    """The values of what is iterated over asynchronously, or what is awaited, in a task of
    asyncio's for each subscription; a callable makes it anew each time. Its disposal cancels the
    task, and a cancelled task interrupts the subscription."""
    from ._creating import create

    shared: list[asyncio.Future[Any]] = []

    def subscribe(subscriber: Subscriber[T]) -> Callable[[], Any]:
        made: Any = source() if callable(source) else source
        if not callable(source) and not isinstance(source, AsyncIterable):
            if not shared:
                shared.append(asyncio.ensure_future(source))
            made = asyncio.shield(shared[0])
        return asyncio.get_running_loop().create_task(_feed(made, subscriber)).cancel

    return create(subscribe)
