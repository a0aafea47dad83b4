"""Sharing: one subscription to a source for all listeners. Waiting."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from .._core import NULL, Seconds, Source, count_of, give, handle, placed, seconds, waiting_time
from .._errors import BelayError
from .._loops import as_loop, at_home
from .._native import lib
from .base import Operators, T

if TYPE_CHECKING:
    from .._disposables import Subscription
    from .._loops import Loop
    from .._schedulers import Scheduler
    from .._signals import Signal


class ShareRules(enum.IntFlag):
    """The parts of a shared signal that outlive an end.

    A connection that is kept ends with its source, or with the loop on which it was made. On a
    thread without a loop, a connection to a source without an end, such as `never`, goes on."""

    RESET = 0
    KEEP_ERROR = lib.BELAY_SHARE_KEEP_ERROR
    KEEP_COMPLETED = lib.BELAY_SHARE_KEEP_COMPLETED
    KEEP_CONNECTION = lib.BELAY_SHARE_KEEP_CONNECTION


def _kept(age: Seconds | None) -> float:
    return -1.0 if age is None else seconds(age)


def _clock(scheduler: Scheduler | None) -> Any:
    return NULL if scheduler is None else scheduler._c


class Sharing(Operators[T]):
    __slots__ = ()

    # [operators sharing] written by `scripts/api write` from docs/operators.tsv
    # [end]

    def publish(self) -> Signal[T]:
        """A connectable signal: a subscription gets what comes from then on."""
        return self._hub(lib.belay_signal_publish)

    def replay(
        self, count: int | None = 1024, age: Seconds | None = None, scheduler: Scheduler | None = None
    ) -> Signal[T]:
        """A connectable signal that replays the last ``count`` values (None: all), none older than
        ``age`` seconds."""
        return self._hub(lib.belay_signal_replay, _clock(scheduler), _kept(age), count_of(count))

    def multicast(self, subject: Signal[Any]) -> Signal[T]:
        """A connectable signal through a subject of any kind."""
        return self._hub(lib.belay_signal_multicast, handle(subject))

    def _hub(self, make: Any, *given: Any) -> Signal[Any]:
        from .._signals import Signal

        at_home()
        return Signal._of(give(make, handle(self), *given))

    def connect(self) -> Subscription | None:
        """Of a connectable signal: subscribes to the source. Disposing of the result disconnects.
        Returns None when the source has ended."""
        from .._disposables import Subscription

        at_home()
        connected: Subscription | None = placed(Subscription, lib.belay_signal_connect, self._c)
        return connected

    def ref_count(self) -> Signal[T]:
        """Of a connectable signal: connects with the first subscription, and disconnects with the
        last one."""
        return self._apply(lib.belay_op_ref_count)

    def auto_connect(self, count: int = 1) -> Signal[T]:
        """Of a connectable signal: connects with the ``count``-th subscription, for good."""
        return self._apply(lib.belay_op_auto_connect, count)

    def share(self, rules: int = ShareRules.RESET) -> Signal[T]:
        """Shares one subscription to the source, from the first listener to the last."""
        return self._apply(lib.belay_op_share, rules)

    def share_replay(
        self,
        count: int | None = 1024,
        age: Seconds | None = None,
        scheduler: Scheduler | None = None,
        rules: int = ShareRules.RESET,
    ) -> Signal[T]:
        """The same, with what `replay` replays."""
        called = (_clock(scheduler), _kept(age), count_of(count), rules)
        return self._apply(lib.belay_op_share_replay, *called)

    def share_until(
        self,
        *,
        error: Source[Any] | None = None,
        completed: Source[Any] | None = None,
        unused: Source[Any] | None = None,
        replayed: int = 0,
    ) -> Signal[T]:
        """Shares one subscription as `share` does. An error, the completion, and the subscription
        without listeners are kept until ``error``, ``completed`` or ``unused`` sends a value; without
        that signal they are not kept. A later listener first gets the last ``replayed`` values."""
        signals = (NULL if each is None else handle(each) for each in (error, completed, unused))
        return self._apply(lib.belay_op_share_until, replayed, *signals)

    def wait_first(self, loop: Loop, timeout: Seconds | None = None) -> T:
        """Runs ``loop`` until the first value, and returns it. Raises the error, or a BelayError:
        of EENDED when there is none, of ETIMEDOUT after ``timeout`` seconds, of ECANCELED when the
        signal was interrupted or the loop was stopped. Ctrl-C leaves it."""
        return self.take(1).wait_last(loop, timeout)

    def wait_last(self, loop: Loop, timeout: Seconds | None = None) -> T:
        """The same for the last value before the completion."""
        as_loop(loop)
        values: list[Any] = []
        ends: list[BaseException | None] = []

        def note(value: Any) -> None:
            values[:] = [value]

        with self._heard_at(loop, note, ends.append):
            loop._run_until(lambda: bool(ends), waiting_time(timeout))
        if ends[0] is not None:
            raise ends.pop(0)  # type: ignore[misc]  # without a cycle through this frame
        if not values:
            raise BelayError(lib.BELAY_EENDED, "the signal completed without a value")
        last: T = values[0]
        return last
