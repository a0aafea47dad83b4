"""Operators about time and about where events are delivered. Without a scheduler the time is that
of this thread's loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from .. import _core
from .._core import (
    Source, NULL, Seconds, handle, of_callable, queue_options, scheduler, seconds,
)  # fmt: skip
from .._native import lib
from .base import Operators, T, U

if TYPE_CHECKING:
    from .._schedulers import QueuePolicy, Scheduler
    from .._signals import Signal


class Timing(Operators[T]):
    __slots__ = ()

    # [operators timing] written by `scripts/api write` from docs/operators.tsv
    def audit(self, time: _core.Seconds, scheduler_: Scheduler | None = None) -> Signal[T]:
        """Starts a time of ``time`` (> 0) at a value, and sends the last value that has come when
        the time is over. A completion waits for that value. Keeps one value. (RxJS's auditTime.)"""
        return self._apply(lib.belay_op_audit, _core.scheduler(scheduler_), _core.seconds(time))

    def sample(self, notifier: Source[Any]) -> Signal[T]:
        """Sends the latest value each time that ``notifier`` sends one, if a new value has come
        since the last time. Ends when the source ends, without sending the value that waits. An
        error of ``notifier`` ends the signal too; its completion changes nothing. Keeps one
        value."""
        return self._apply(lib.belay_op_sample, _core.handle(notifier))

    def sample_time(self, time: _core.Seconds, scheduler_: Scheduler | None = None) -> Signal[T]:
        """Sends the latest value every ``time`` (> 0), if a new value has come since the last time.
        Ends when the source ends, without sending the value that waits. Keeps one value."""
        return self._apply(
            lib.belay_op_sample_time, _core.scheduler(scheduler_), _core.seconds(time)
        )

    def delay(self, time: _core.Seconds, scheduler_: Scheduler | None = None) -> Signal[T]:
        """Sends values and the completion ``time`` later (negative counts as 0), in their order.
        Sends an error at once. Keeps the values of the last ``time``."""
        return self._apply(lib.belay_op_delay, _core.scheduler(scheduler_), _core.seconds(time))

    def delay_subscription(
        self, time: _core.Seconds, scheduler_: Scheduler | None = None
    ) -> Signal[T]:
        """Subscribes to the source after ``time`` (negative counts as 0)."""
        return self._apply(
            lib.belay_op_delay_subscription, _core.scheduler(scheduler_), _core.seconds(time)
        )

    def throttle_while(self, condition: Source[bool]) -> Signal[T]:
        """Holds the latest value back while the last value of ``condition`` is true, and sends it
        when that becomes false. Before the first value of ``condition`` all values pass. A value of
        ``condition`` that is not a bool is the error event EKIND. Ends when the source ends,
        without sending the value that waits. An error of ``condition`` ends the signal too; its
        completion changes nothing. Keeps one value."""
        return self._apply(lib.belay_op_throttle_while, _core.handle(condition))

    def debounce_when(self, mapper: Callable[[T], Source[Any]]) -> Signal[T]:
        """Makes a signal of each value, and sends the last value when the signal made of it sends
        one, unless another value has come before. A completion sends the value that waits first.
        The completion of a signal that was made changes nothing; its error ends the signal. Keeps
        one value. (RxJS's debounce.)"""
        return self._apply(lib.belay_op_debounce_when, *_core.of_callable("pb_flat_map", mapper))

    def audit_when(self, mapper: Callable[[T], Source[Any]]) -> Signal[T]:
        """Makes a signal of a value, and when that sends one, sends the last value that has come. A
        completion waits for that value. If the signal completes without a value, the last value
        waits for the next one. An error of the signal ends this one. Keeps one value. (RxJS's
        audit.)"""
        return self._apply(lib.belay_op_audit_when, *_core.of_callable("pb_flat_map", mapper))

    def delay_when(self, mapper: Callable[[T], Source[Any]]) -> Signal[T]:
        """Makes a signal of each value, and sends the value when that signal sends one: values may
        change their order. Drops the value if its signal completes without one. Completes with the
        source and all of these signals, and ends with the first error. 1024 values may wait;
        belay_signal_set_queue() changes that. (RxJS's delayWhen.)"""
        return self._apply(lib.belay_op_delay_when, *_core.of_callable("pb_flat_map", mapper))
    # [end]

    def debounce(
        self,
        time: Seconds,
        waits: Callable[[T], Any] | None = None,
        scheduler_: Scheduler | None = None,
    ) -> Signal[T]:
        """The last value, once none has come for so many seconds. With ``waits`` any value for
        which it is not true is sent at once."""
        where, length = scheduler(scheduler_), seconds(time)
        if waits is None:
            return self._apply(lib.belay_op_debounce, where, length)
        called = of_callable("pb_predicate", waits)
        return self._apply(lib.belay_op_debounce_if, where, length, *called)

    def throttle(
        self,
        time: Seconds,
        *,
        leading: bool = True,
        trailing: bool = False,
        scheduler_: Scheduler | None = None,
    ) -> Signal[T]:
        """At most one value in so many seconds: the first, or the last that came meanwhile."""
        return self._apply(
            lib.belay_op_throttle, scheduler(scheduler_), seconds(time), leading, trailing
        )

    def throttle_when(
        self, mapper: Callable[[T], Source[Any]], *, leading: bool = True, trailing: bool = False
    ) -> Signal[T]:
        """A value begins a period, which ends when the signal made of the value sends one or
        completes. Sends the first value of each period, or the last that came meanwhile. A period
        that completes drops its last value. (RxJS's throttle.)"""
        called = of_callable("pb_flat_map", mapper)
        return self._apply(lib.belay_op_throttle_when, *called, leading, trailing)

    @overload
    def timeout_when(
        self,
        mapper: Callable[[T], Source[Any]],
        fallback: None = None,
        *,
        first: Source[Any] | None = None,
    ) -> Signal[T]: ...
    @overload
    def timeout_when(
        self,
        mapper: Callable[[T], Source[Any]],
        fallback: Source[U],
        *,
        first: Source[Any] | None = None,
    ) -> Signal[T | U]: ...
    def timeout_when(
        self,
        mapper: Callable[[T], Source[Any]],
        fallback: Source[Any] | None = None,
        *,
        first: Source[Any] | None = None,
    ) -> Signal[Any]:
        """When the signal made of a value sends one before the next value has come, goes on with
        ``fallback``, or ends with an error of ETIMEDOUT. ``first`` limits the time before the first
        value. The completion of these signals changes nothing."""
        limit = NULL if first is None else handle(first)
        other = NULL if fallback is None else handle(fallback)
        called = of_callable("pb_flat_map", mapper)
        return self._apply(lib.belay_op_timeout_when, limit, other, *called)

    @overload
    def timeout(
        self, time: Seconds, fallback: None = None, scheduler_: Scheduler | None = None
    ) -> Signal[T]: ...
    @overload
    def timeout(
        self, time: Seconds, fallback: Source[U], scheduler_: Scheduler | None = None
    ) -> Signal[T | U]: ...
    def timeout(
        self, time: Seconds, fallback: Source[Any] | None = None,
        scheduler_: Scheduler | None = None,
    ) -> Signal[Any]:  # fmt: skip
        """When no event has come for so many seconds, goes on with ``fallback``, or ends with an
        error of ETIMEDOUT."""
        other = NULL if fallback is None else handle(fallback)
        return self._apply(lib.belay_op_timeout, scheduler(scheduler_), seconds(time), other)

    def observe_on(
        self, scheduler_: Scheduler, *, policy: QueuePolicy | None = None, capacity: int | None = 0
    ) -> Signal[T]:
        """Delivers by work on a scheduler, from a queue of ``capacity`` values (0: 1024, None: it
        grows). ``policy`` tells what a full one does: see `QueuePolicy`."""
        options = queue_options(policy, capacity)
        return self._apply(lib.belay_op_observe_on, scheduler_._c, options)

    def subscribe_on(self, scheduler_: Scheduler) -> Signal[T]:
        """Subscribes by work on a scheduler."""
        return self._apply(lib.belay_op_subscribe_on, scheduler_._c)
