"""Operators that go from one signal to others. Where a callable returns a signal, or a value is
one, anything does that `libbelay.from_` takes: an iterable, something to be awaited."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import Source, Seconds, count_of, inner_signal, of_callable, scheduler, seconds
from .._native import lib
from .base import MAP, Operators, T, U

if TYPE_CHECKING:
    from .._schedulers import Scheduler
    from .._signals import Signal


class Flattening(Operators[T]):
    __slots__ = ()

    # [operators flattening] written by `scripts/api write` from docs/operators.tsv
    def concat_map(self, mapper: Callable[[T], Source[U]]) -> Signal[U]:
        """Makes a signal of each value and sends the values of one signal after the other: a
        flat_map with a limit of 1."""
        return self._apply(lib.belay_op_concat_map, *_core.of_callable("pb_flat_map", mapper))

    def switch_map(self, mapper: Callable[[T], Source[U]]) -> Signal[U]:
        """Makes a signal of each value and sends the values of the latest one. The one before is
        disposed of."""
        return self._apply(lib.belay_op_switch_map, *_core.of_callable("pb_flat_map", mapper))

    def exhaust_map(self, mapper: Callable[[T], Source[U]]) -> Signal[U]:
        """Makes a signal of a value and sends the values of that signal. Drops values that come
        while it is active."""
        return self._apply(lib.belay_op_exhaust_map, *_core.of_callable("pb_flat_map", mapper))

    def merge(self, *others: Source[U]) -> Signal[T | U]:
        """Sends the values of the source and of ``others`` as they come. Completes when all of them
        have completed. Ends with the first error."""
        return self._apply(lib.belay_op_merge, *_core.handles(others))

    def merge_delay_error(self, *others: Source[U]) -> Signal[T | U]:
        """Sends the values of all signals as they come, but holds an error back until all of them
        have ended. Of several errors, the first one is passed on."""
        return self._apply(lib.belay_op_merge_delay_error, *_core.handles(others))

    def concat(self, *others: Source[U]) -> Signal[T | U]:
        """Sends the values of the source, then those of ``others``, one after the other."""
        return self._apply(lib.belay_op_concat, *_core.handles(others))

    def then(self, next_: Source[U]) -> Signal[U]:
        """Drops the values of the source. Sends those of ``next`` after its completion."""
        return self._apply(lib.belay_op_then, _core.handle(next_))

    def catch_to(self, value: U) -> Signal[T | U]:
        """Sends ``value`` in place of an error, and completes."""
        return self._apply(lib.belay_op_catch_to, _core.value_of(value))
    # [end]

    def flat_map(
        self, mapper: Callable[[T], Source[U]], limit: int | None = None
    ) -> Signal[U]:
        """The values of the signals that ``mapper`` makes, as they come; of at most ``limit`` at a
        time (None: of all)."""
        called = of_callable("pb_flat_map", mapper)
        return self._apply(lib.belay_op_flat_map, count_of(limit), *called)

    def expand(
        self, mapper: Callable[[T], Source[Any]], limit: int | None = None
    ) -> Signal[T]:
        """Each value, and those of the signal made of it, treated likewise."""
        called = of_callable("pb_flat_map", mapper)
        return self._apply(lib.belay_op_expand, count_of(limit), *called)

    def merge_all(self: Operators[Source[U]], limit: int | None = None) -> Signal[U]:
        """The values of signals that are values, as they come."""
        return self._staged(MAP, inner_signal)._apply(lib.belay_op_merge_all, count_of(limit))

    def concat_all(self: Operators[Source[U]]) -> Signal[U]:
        """The values of signals that are values, one signal after the other."""
        return self._staged(MAP, inner_signal)._apply(lib.belay_op_concat_all)

    def switch_to_latest(self: Operators[Source[U]]) -> Signal[U]:
        """The values of the signal that came last."""
        return self._staged(MAP, inner_signal)._apply(lib.belay_op_switch_to_latest)

    def repeat(self, count: int | None = None) -> Signal[T]:
        """Subscribes again after each completion, ``count`` times in all; None: without end."""
        return self._apply(lib.belay_op_repeat, count_of(count))

    def repeat_when(self, answer: Callable[[Signal[Any]], Source[Any]]) -> Signal[T]:
        """Subscribes again with each value of the signal that ``answer`` makes of the
        completions."""
        return self._apply(lib.belay_op_repeat_when, *of_callable("pb_when", answer))

    def catch(self, recover: Callable[[BaseException], Source[U]]) -> Signal[T | U]:
        """After an error goes on with the signal that ``recover`` returns."""
        return self._apply(lib.belay_op_catch, *of_callable("pb_catch", recover))

    def retry(self, count: int | None = None) -> Signal[T]:
        """Subscribes again after each error, ``count`` times in all; None: without end."""
        return self._apply(lib.belay_op_retry, count_of(count))

    def retry_when(self, answer: Callable[[Signal[BaseException]], Source[Any]]) -> Signal[T]:
        """Subscribes again with each value of the signal that ``answer`` makes of the errors."""
        return self._apply(lib.belay_op_retry_when, *of_callable("pb_when", answer))

    def retry_backoff(
        self,
        time: Seconds,
        *,
        factor: float = 2.0,
        longest: Seconds = 60.0,
        jitter: float = 0.0,
        attempts: int | None = None,
        reset_on_value: bool = False,
        scheduler_: Scheduler | None = None,
    ) -> Signal[T]:
        """Subscribes again after so many seconds, ``factor`` times as long after each further
        error, but never longer than ``longest``; ``attempts`` times in all (None: without
        end). With ``reset_on_value``, a value lets the waits and the count begin anew."""
        return self._apply(
            lib.belay_op_retry_backoff,
            scheduler(scheduler_),
            seconds(time),
            factor,
            seconds(longest),
            jitter,
            count_of(attempts),
            reset_on_value,
        )

    def attempt(self, action: Callable[[T], Any]) -> Signal[T]:
        """Calls ``action`` with each value before it is passed on; what it raises is the error."""
        return self._apply(lib.belay_op_attempt, *of_callable("pb_attempt", action))
