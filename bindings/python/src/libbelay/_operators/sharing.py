"""Sharing: one subscription to a source for all who listen; and waiting."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import NULL, Seconds, check, count_of, forget_error, handle, seconds, taken
from .._native import ffi, lib
from .base import Operators, T, U

if TYPE_CHECKING:
    from .._disposables import Subscription
    from .._loops import Loop
    from .._schedulers import Scheduler
    from .._signal import Signal


class ShareRules(enum.IntFlag):
    """What of a shared signal outlives an end."""

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
        """A connectable signal: who listens gets what comes while he does."""
        return self._made(lib.belay_signal_publish(handle(self)))

    def replay(
        self, count: int | None = None, age: Seconds | None = None, scheduler: Scheduler | None = None
    ) -> Signal[T]:
        """A connectable signal that replays the last ``count`` values (None: all), none older than
        ``age`` seconds."""
        return self._made(
            lib.belay_signal_replay(handle(self), _clock(scheduler), _kept(age), count_of(count))
        )

    def multicast(self, subject: Any) -> Signal[T]:
        """A connectable signal through a subject of any kind."""
        return self._made(lib.belay_signal_multicast(handle(self), handle(subject)))

    @staticmethod
    def _made(pointer: Any) -> Signal[Any]:
        from .._signal import Signal

        return Signal._of(pointer)

    def connect(self) -> Subscription | None:
        """Of a connectable signal: subscribes to the source. What comes back disconnects when it is
        disposed of; None when the source has ended."""
        from .._disposables import Subscription

        out = ffi.new("belay_disposable **")
        check(lib.belay_signal_connect(self._c, out))
        return Subscription._of(out[0]) if out[0] else None

    def ref_count(self) -> Signal[T]:
        """Of a connectable signal: connects with the first subscription, and disconnects with the
        last one."""
        return self._native(lib.belay_op_ref_count())

    def auto_connect(self, count: int = 1) -> Signal[T]:
        """Of a connectable signal: connects with the ``count``-th subscription, for good."""
        return self._native(lib.belay_op_auto_connect(count))

    def share(self, rules: int = ShareRules.RESET) -> Signal[T]:
        """One subscription to the source, from the first who listens to the last."""
        return self._native(lib.belay_op_share(rules))

    def share_replay(
        self,
        count: int | None = None,
        age: Seconds | None = None,
        scheduler: Scheduler | None = None,
        rules: int = ShareRules.RESET,
    ) -> Signal[T]:
        """The same, with what `replay` replays."""
        called = (_clock(scheduler), _kept(age), count_of(count), rules)
        return self._native(lib.belay_op_share_replay(*called))

    def wait_first(self, loop: Loop, timeout: float | None = None) -> T:
        """Runs ``loop`` until the first value, and returns it. Raises the error, or a BelayError:
        of EENDED when there is none, of ETIMEDOUT after ``timeout`` seconds."""
        found: T = self._wait(lib.belay_signal_wait_first, loop, timeout)
        return found

    def wait_last(self, loop: Loop, timeout: float | None = None) -> T:
        """The same for the last value before the completion."""
        found: T = self._wait(lib.belay_signal_wait_last, loop, timeout)
        return found

    def _wait(self, wait: Any, loop: Loop, timeout: float | None) -> Any:
        value = ffi.new("belay_value *")
        failed: list[BaseException] = []
        heard = self.do(on_error=failed.append)
        code = wait(heard._c, loop._c, -1.0 if timeout is None else timeout, value)
        if failed:
            forget_error()
            raise failed.pop()
        check(code)
        found: Any = taken(value)
        return found
