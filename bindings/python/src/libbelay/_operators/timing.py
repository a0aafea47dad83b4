"""Operators about time and about where events are delivered. Without a scheduler the time is that
of this thread's loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import NULL, Seconds, handle, of_callable, scheduler, seconds
from .._native import ffi, lib
from .base import Operators, T, U

if TYPE_CHECKING:
    from .._schedulers import QueuePolicy, Scheduler
    from .._signal import Signal


class Timing(Operators[T]):
    __slots__ = ()

    # [operators timing] written by `scripts/api write` from docs/operators.tsv
    def audit(self, time: _core.Seconds, scheduler_: Scheduler | None = None) -> Signal[T]:
        """Starts a time of ``time`` (> 0) at a value, and sends the last value that has come when
        the time is over. A completion waits for that value. Keeps one value. (RxJS's auditTime.)"""
        return self._native(lib.belay_op_audit(_core.scheduler(scheduler_), _core.seconds(time)))

    def sample(self, notifier: Any) -> Signal[T]:
        """Sends the latest value each time that ``notifier`` sends one, if a new value has come
        since the last time. Ends when the source ends, without sending the value that waits. An
        error of ``notifier`` ends the signal too; its completion changes nothing. Keeps one
        value."""
        return self._apply(lib.belay_op_sample(_core.handle(notifier)))

    def sample_time(self, time: _core.Seconds, scheduler_: Scheduler | None = None) -> Signal[T]:
        """Sends the latest value every ``time`` (> 0), if a new value has come since the last time.
        Ends when the source ends, without sending the value that waits. Keeps one value."""
        return self._native(
            lib.belay_op_sample_time(_core.scheduler(scheduler_), _core.seconds(time))
        )

    def delay(self, time: _core.Seconds, scheduler_: Scheduler | None = None) -> Signal[T]:
        """Sends values and the completion ``time`` later (negative counts as 0), in their order.
        Sends an error at once. Keeps the values of the last ``time``."""
        return self._native(lib.belay_op_delay(_core.scheduler(scheduler_), _core.seconds(time)))

    def delay_subscription(
        self, time: _core.Seconds, scheduler_: Scheduler | None = None
    ) -> Signal[T]:
        """Subscribes to the source after ``time`` (negative counts as 0)."""
        return self._native(
            lib.belay_op_delay_subscription(_core.scheduler(scheduler_), _core.seconds(time))
        )

    def throttle_while(self, condition: Any) -> Signal[T]:
        """Holds the latest value back while the last value of ``condition`` is true, and sends it
        when that becomes false. Before the first value of ``condition`` all values pass. A value of
        ``condition`` that is not a bool is the error event EKIND. Ends when the source ends,
        without sending the value that waits. An error of ``condition`` ends the signal too; its
        completion changes nothing. Keeps one value."""
        return self._apply(lib.belay_op_throttle_while(_core.handle(condition)))
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
            return self._native(lib.belay_op_debounce(where, length))
        called = of_callable("pb_predicate", waits)
        return self._apply(lib.belay_op_debounce_if(where, length, *called))

    def throttle(
        self,
        time: Seconds,
        *,
        leading: bool = True,
        trailing: bool = False,
        scheduler_: Scheduler | None = None,
    ) -> Signal[T]:
        """At most one value in so many seconds: the first, or the last that came meanwhile."""
        return self._native(
            lib.belay_op_throttle(scheduler(scheduler_), seconds(time), leading, trailing)
        )

    def timeout(
        self, time: Seconds, fallback: Any = None, scheduler_: Scheduler | None = None
    ) -> Signal[Any]:
        """When no event has come for so many seconds, goes on with ``fallback``, or ends with an
        error of ETIMEDOUT."""
        other = NULL if fallback is None else handle(fallback)
        return self._apply(lib.belay_op_timeout(scheduler(scheduler_), seconds(time), other))

    def observe_on(
        self, scheduler_: Scheduler, *, policy: QueuePolicy | None = None, capacity: int = 0
    ) -> Signal[T]:
        """Delivers by work on a scheduler, from a queue of ``capacity`` values (0: 1024). What
        happens when that is full, ``policy`` says: see `QueuePolicy`."""
        options = ffi.new("belay_queue_options *")
        options.size = ffi.sizeof("belay_queue_options")
        options.capacity = capacity
        if policy is not None:
            options.policy = int(policy)
            if policy == lib.BELAY_QUEUE_BLOCK:
                lib.pb_sending_may_block()
        made = self._apply(lib.belay_op_observe_on(scheduler_._c, options))
        # What is above runs at another time, so that what comes together there stays together.
        made._is_native = True
        return made

    def subscribe_on(self, scheduler_: Scheduler) -> Signal[T]:
        """Subscribes by work on a scheduler."""
        return self._native(lib.belay_op_subscribe_on(scheduler_._c))
