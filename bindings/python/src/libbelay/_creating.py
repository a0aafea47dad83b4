"""Signals made of values, of callables and of time."""

from __future__ import annotations

import inspect
from builtins import range as _range
from collections.abc import AsyncIterable, Callable, Iterable
from typing import Any, TypeVar, overload

from ._core import (
    NULL, Seconds, Source, address_of, callback, count_of, error_of, give, of_callable, scheduler,
    seconds, value_of,
)  # fmt: skip
from ._disposables import CompositeDisposable, Disposable, as_disposable
from ._errors import unhandled
from ._native import ffi, lib
from ._schedulers import Scheduler
from ._signals import Signal
from ._sites import begin_options
from ._subjects import Subscriber

T = TypeVar("T")
U = TypeVar("U")


def create(
    subscribe: Callable[[Subscriber[T]], Any], *, label: str | None = None, site: str | None = None
) -> Signal[T]:
    """A cold signal: ``subscribe(subscriber)`` runs for each subscription, and sends into the
    subscriber, then or later. Its result, a `Disposable`, a callable or None, ends that; its
    exception is the error event.

    Reports name it by the ``label``, and by the ``site``, the line of code that made it, by default
    the one that makes it. Both are kept for good."""
    if not callable(subscribe):
        raise TypeError(f"{subscribe!r} is not callable")

    def produce(subscriber: Subscriber[T]) -> Any:
        try:
            return as_disposable(subscribe(subscriber))
        except BaseException as error:
            if subscriber._c:
                subscriber.on_error(error)
            else:
                unhandled(error, None)
            if not isinstance(error, Exception):
                raise
            return None

    options = begin_options("belay_source_options", label, site)
    return Signal._of(give(lib.belay_signal_create, *callback("pb_producer", produce), options))


def just(value: T) -> Signal[T]:
    """One value, then completed."""
    return Signal._of(give(lib.belay_signal_just, value_of(value)))


def of(*values: T) -> Signal[T]:
    """Values, then completed."""
    return Signal._of(give(lib.belay_signal_from, [value_of(v) for v in values], len(values)))


def from_(source: Source[T]) -> Signal[T]:
    """The values of what is iterated over, for each subscription anew; or of what is awaited, or
    iterated over asynchronously (`from_async`). A signal is itself; a text is one value."""
    if isinstance(source, Signal):
        return source
    if isinstance(source, str | bytes | bytearray):
        one: Signal[Any] = just(source)
        return one
    if isinstance(source, list | tuple):
        return of(*source)
    if isinstance(source, _range) and source.step == 1:
        first, count = source.start, source.stop - source.start
        if first >= -(2**63) and source.stop < 2**63 and 0 <= count < 2**63:
            numbers: Signal[Any] = range(first, count)
            return numbers
    awaits = inspect.isawaitable(source)
    # A future of asyncio's can be iterated over as well, but only by what awaits it.
    if isinstance(source, Iterable) and not awaits:
        iterable: Any = source
        return defer(lambda: from_iterator(iter(iterable)))
    if awaits or isinstance(source, AsyncIterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        from ._aio import from_async

        awaited: Any = source
        return from_async(awaited)
    raise TypeError(f"{source!r} is no signal, and nothing to make one of")


def from_iterator(iterator: Iterable[T]) -> Signal[T]:
    """The values of an iterator. All subscriptions share it: a later one gets what is left."""
    return Signal._of(give(lib.belay_signal_from_iterator, *callback("pb_iterate", iter(iterator))))


def from_optional(value: T | None) -> Signal[T]:
    """A value, then completed; of None only the completion."""
    return Signal._of(give(lib.belay_signal_from_optional, value_of(value)))


def from_result(result: T | BaseException) -> Signal[T]:
    """A value, then completed; an exception as the error."""
    if not isinstance(result, BaseException):
        return Signal._of(give(lib.belay_signal_from_result, value_of(result)))
    failure = lib.belay_value_failure_with(error_of(result))
    return Signal._of(lib.belay_signal_from_result(failure))


def empty() -> Signal[Any]:
    """Completed, at once."""
    return Signal._of(lib.belay_signal_empty())


def never() -> Signal[Any]:
    """Nothing, ever."""
    return Signal._of(lib.belay_signal_never())


def throw(error: BaseException) -> Signal[Any]:
    """An error, at once."""
    return Signal._of(lib.belay_signal_error(error_of(error)))


def range(start: int, count: int) -> Signal[int]:
    """``count`` integers from ``start`` on, then completed."""
    return Signal._of(lib.belay_signal_range(start, count))


@overload
def generate(
    initial: T, condition: Callable[[T], Any] | None, iterate: Callable[[T], T], result: None = None
) -> Signal[T]: ...
@overload
def generate(
    initial: T, condition: Callable[[T], Any] | None, iterate: Callable[[T], T],
    result: Callable[[T], U],
) -> Signal[U]: ...  # fmt: skip
def generate(
    initial: T,
    condition: Callable[[T], Any] | None,
    iterate: Callable[[T], T],
    result: Callable[[T], U] | None = None,
) -> Signal[Any]:
    """A loop: sends what ``result`` makes of the state, and goes on to ``iterate(state)``, while
    ``condition(state)`` is true (None: for ever)."""
    for each in (condition, iterate, result):
        if each is not None and not callable(each):
            raise TypeError(f"{each!r} is not callable")
    calls = (condition, iterate, result)
    _, ctx, free = callback("pb_generate_next", calls)
    functions = [
        NULL if call is None else ffi.addressof(lib, f"pb_generate_{name}")
        for name, call in (("condition", condition), ("next", iterate), ("result", result))
    ]
    return Signal._of(give(lib.belay_signal_generate, value_of(initial), *functions, ctx, free))


def repeat_value(value: T, count: int | None = None) -> Signal[T]:
    """A value ``count`` times, then completed; None: until it is disposed of."""
    return Signal._of(give(lib.belay_signal_repeat_value, value_of(value), count_of(count)))


def defer(factory: Callable[[], Source[T]]) -> Signal[T]:
    """The signal that ``factory`` returns for each subscription."""
    return Signal._of(give(lib.belay_signal_defer, *of_callable("pb_make_signal", factory)))


def using(make: Callable[[], Any], use: Callable[[Any], Source[T]]) -> Signal[T]:
    """For each subscription makes a resource, and the signal that uses it. With the subscription
    the resource ends: a context manager is left, anything else disposed of or closed."""
    if not callable(make) or not callable(use):
        raise TypeError("using takes two callables")

    def made() -> tuple[Any, int]:
        resource: Any = make()
        if hasattr(resource, "__exit__"):
            end = Disposable(lambda: resource.__exit__(None, None, None))
            entered = resource.__enter__()
        else:
            close = getattr(resource, "dispose", None) or getattr(resource, "close", None)
            end = as_disposable(close) or Disposable()
            entered = resource
        # The disposable's action keeps the signal that uses the resource.
        keeping = CompositeDisposable(end)
        keeping.add(lambda: entered)  # so long what is used lives
        return entered, address_of(lib.belay_disposable_retain(keeping._c))

    _, ctx, free = callback("pb_make_resource", (made, use))
    functions = (ffi.addressof(lib, "pb_make_resource"), ffi.addressof(lib, "pb_use_resource"))
    return Signal._of(give(lib.belay_signal_using, *functions, ctx, free))


def start(work: Callable[[], T], scheduler_: Scheduler | None = None) -> Signal[T]:
    """Runs ``work`` on a scheduler for each subscription, and sends its result."""
    called = of_callable("pb_produce", work)
    return Signal._of(give(lib.belay_signal_start, scheduler(scheduler_), *called))


def start_eagerly(work: Callable[[], T], scheduler_: Scheduler | None = None) -> Signal[T]:
    """Runs ``work`` on a scheduler once, whether or not there is a listener, and sends its result,
    also to later subscriptions."""
    called = of_callable("pb_produce", work)
    return Signal._of(give(lib.belay_signal_start_eagerly, scheduler(scheduler_), *called))


def timer(time: Seconds, scheduler_: Scheduler | None = None) -> Signal[int]:
    """0 after so many seconds, then completed."""
    return Signal._of(lib.belay_signal_timer(scheduler(scheduler_), seconds(time)))


def interval(time: Seconds, scheduler_: Scheduler | None = None) -> Signal[int]:
    """0, 1, 2, … every so many seconds."""
    return Signal._of(lib.belay_signal_interval(scheduler(scheduler_), seconds(time)))
