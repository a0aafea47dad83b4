"""asyncio: signals that are awaited and iterated over, and signals of what is awaited."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ._errors import BelayError
from ._loops import Loop
from ._native import lib

if TYPE_CHECKING:
    from ._signal import Signal
    from ._subjects import Subscriber

T = TypeVar("T")


def _interrupted() -> BelayError:
    return BelayError(lib.BELAY_ECANCELED, "the signal's source went without an end")


def _set_exception(future: asyncio.Future[Any], error: BaseException) -> None:
    if isinstance(error, StopIteration):  # a future takes none
        replacement = RuntimeError("a signal failed with StopIteration")
        replacement.__cause__, error = error, replacement
    future.set_exception(error)


async def first(signal: Signal[T]) -> T:
    """The first value."""
    Loop.current()
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def on_error(error: BaseException) -> None:
        if not future.done():
            _set_exception(future, error)

    def on_next(value: T) -> None:
        if not future.done():
            future.set_result(value)

    with signal.take(1).subscribe(
        on_next,
        on_error,
        lambda: on_error(BelayError(lib.BELAY_EENDED, "completed without a value")),
        on_disposed=lambda: on_error(_interrupted()),
    ):
        return await future


class _Queue:
    """The values that wait to be asked for, or the task that waits for one."""

    __slots__ = ("events", "waiter")

    def __init__(self) -> None:
        self.events: deque[tuple[int, Any]] = deque()
        self.waiter: asyncio.Future[None] | None = None

    def _add(self, kind: int, thing: Any) -> None:
        self.events.append((kind, thing))
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)

    def on_next(self, value: Any) -> None:
        self._add(lib.BELAY_EVENT_NEXT, value)

    def on_error(self, error: BaseException) -> None:
        self._add(lib.BELAY_EVENT_ERROR, error)

    def on_completed(self) -> None:
        self._add(lib.BELAY_EVENT_COMPLETED, None)

    def on_disposed(self) -> None:
        self._add(lib.BELAY_EVENT_ERROR, _interrupted())  # unless an end is before it


class Values(AsyncIterator[T]):
    """The values of one subscription, which lasts as long as this does. They wait without a
    bound."""

    __slots__ = ("_queue", "_subscription", "_is_over")

    def __init__(self, signal: Signal[T]) -> None:
        Loop.current()
        self._is_over = False
        self._queue = queue = _Queue()
        self._subscription = signal.subscribe(
            queue.on_next, queue.on_error, queue.on_completed, on_disposed=queue.on_disposed
        )

    async def __anext__(self) -> T:
        queue = self._queue
        if self._is_over:
            raise StopAsyncIteration
        while not queue.events:
            if queue.waiter is not None:
                raise RuntimeError("somebody is waiting for the next value already")
            queue.waiter = asyncio.get_running_loop().create_future()
            try:
                await queue.waiter
            finally:
                queue.waiter = None
        kind, thing = queue.events.popleft()
        if kind == lib.BELAY_EVENT_NEXT:
            value: T = thing
            return value
        self._is_over = True
        if kind == lib.BELAY_EVENT_ERROR:
            raise thing
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Disposes of the subscription."""
        self._is_over = True
        self._subscription.dispose()

    def __del__(self) -> None:
        if hasattr(self, "_subscription"):
            self._subscription.dispose()


async def _feed(source: Any, subscriber: Subscriber[Any]) -> None:
    try:
        if isinstance(source, AsyncIterable):
            async for value in source:
                subscriber.on_next(value)
        else:
            subscriber.on_next(await source)
        subscriber.on_completed()
    except Exception as error:
        subscriber.on_error(error)
    finally:
        subscriber._leave()


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
