"""Operators about time and about where events are delivered. Without a scheduler the time is that
of this thread's loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._base import Operators, T
from ._core import NULL, Seconds, handle, of_callable, scheduler, seconds
from ._native import ffi, lib

if TYPE_CHECKING:
    from ._schedulers import QueuePolicy, Scheduler
    from ._signal import Signal


class Timing(Operators[T]):
    __slots__ = ()

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

    def throttle_while(self, condition: Any) -> Signal[T]:
        """Holds the latest value back while the last value of ``condition`` is true."""
        return self._apply(lib.belay_op_throttle_while(handle(condition)))

    def audit(self, time: Seconds, scheduler_: Scheduler | None = None) -> Signal[T]:
        """The last value of each time that a value begins."""
        return self._native(lib.belay_op_audit(scheduler(scheduler_), seconds(time)))

    def sample(self, notifier: Any) -> Signal[T]:
        """The latest value, each time that ``notifier`` sends one."""
        return self._apply(lib.belay_op_sample(handle(notifier)))

    def sample_time(self, time: Seconds, scheduler_: Scheduler | None = None) -> Signal[T]:
        """The latest value, every so many seconds."""
        return self._native(lib.belay_op_sample_time(scheduler(scheduler_), seconds(time)))

    def delay(self, time: Seconds, scheduler_: Scheduler | None = None) -> Signal[T]:
        """Values and completion so many seconds later, an error at once."""
        return self._native(lib.belay_op_delay(scheduler(scheduler_), seconds(time)))

    def delay_subscription(self, time: Seconds, scheduler_: Scheduler | None = None) -> Signal[T]:
        """Subscribes after so many seconds."""
        return self._native(lib.belay_op_delay_subscription(scheduler(scheduler_), seconds(time)))

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
