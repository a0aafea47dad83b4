"""Schedulers: where and when work runs."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._core import (
    BlockHandle, Handle, Seconds, callback, check, function_address, of_callable, placed, seconds,
    taken_handle, with_threads, register,
)  # fmt: skip
from ._disposables import Disposable
from ._native import ffi, lib
from ._sites import begin_options

if TYPE_CHECKING:
    from ._loops import Loop


class QueuePolicy(enum.IntEnum):
    """The fate of a value for which a queue has no room."""

    ERROR = lib.BELAY_QUEUE_ERROR
    DROP_OLDEST = lib.BELAY_QUEUE_DROP_OLDEST
    DROP_NEWEST = lib.BELAY_QUEUE_DROP_NEWEST
    LATEST = lib.BELAY_QUEUE_LATEST
    BLOCK = lib.BELAY_QUEUE_BLOCK


class Recursion(Handle):
    """Lets recursive work ask for another run."""

    __slots__ = ()
    _releaser = function_address("belay_recursion_release")

    def again(self) -> None:
        """Asks for one more run."""
        check(lib.belay_recursion_again(self._c))


class Scheduler(Handle):
    """Runs work: at once, on a loop, on a thread. Each method returns a disposable that takes the
    work back."""

    __slots__ = ()
    _releaser = function_address("belay_scheduler_release")

    def __init__(self) -> None:
        raise TypeError("schedulers are Loop.scheduler, Worker.scheduler, immediate(), …")

    @classmethod
    def _lent(cls, pointer: Any) -> Any:
        """The object of a scheduler that is borrowed; None for none."""
        return taken_handle(cls, pointer and lib.belay_scheduler_retain(pointer))

    @property
    def now(self) -> float:
        """Seconds on its clock."""
        return float(lib.belay_scheduler_now(self._c))

    @property
    def queue_high_water(self) -> int:
        """The most that ever waited in its queue."""
        return int(lib.belay_scheduler_queue_high_water(self._c))

    def schedule(self, action: Callable[[], Any]) -> Disposable:
        """Runs ``action`` as soon as it can. Any thread for that of a loop or a worker."""
        return self._scheduled(lib.belay_scheduler_schedule, *of_callable("pb_action", action))

    def _scheduled(self, schedule: Callable[..., int], *given: Any) -> Disposable:
        made: Disposable = placed(Disposable, schedule, self._c, *given)
        return made

    def after(self, time: Seconds, action: Callable[[], Any]) -> Disposable:
        """Runs ``action`` once, in so many seconds."""
        called = of_callable("pb_action", action)
        return self._scheduled(lib.belay_scheduler_after, seconds(time), *called)

    def every(
        self, interval: Seconds, action: Callable[[], Any], *, first: Seconds | None = None,
        leeway: Seconds = 0,
    ) -> Disposable:  # fmt: skip
        """Runs ``action`` every so many seconds, at most ``leeway`` late."""
        called = of_callable("pb_action", action)
        begin, length = seconds(interval if first is None else first), seconds(interval)
        return self._scheduled(
            lib.belay_scheduler_every, begin, length, seconds(leeway), *called
        )

    def recursive(self, action: Callable[[Recursion], Any]) -> Disposable:
        """Runs ``action(recursion)``, and once more for each ``recursion.again()``."""
        if not callable(action):
            raise TypeError(f"{action!r} is not callable")

        def run(address: int) -> None:
            pointer = ffi.cast("belay_recursion *", address)
            action(Recursion._of(lib.belay_recursion_retain(pointer)))

        return self._scheduled(lib.belay_scheduler_recursive, *callback("pb_recursive", run))


register(Scheduler, lib.BELAY_KIND_SCHEDULER, lib.belay_scheduler_retain, "belay_scheduler *")


_MOST = 1_000_000  # pieces of work for which `flush` looks at exceptions


class VirtualScheduler(Scheduler):
    """A scheduler whose time passes when it is told to: for tests. An exception of work that is no
    Exception ends the call, and the work behind it waits for the next one."""

    __slots__ = ()

    def __init__(self) -> None:
        self._own(lib.belay_scheduler_create_virtual())

    def advance(self, time: Seconds) -> None:
        """Lets so many seconds pass, and runs what is due."""
        span = seconds(time)
        if not span >= 0:
            check(lib.belay_scheduler_advance(self._c, span))
        while self._run_to(span) > 0:
            span = 0.0  # at its end more may have been scheduled for it

    def _run_to(self, span: float) -> int:
        """Runs what is due in so many seconds, up to a mark that it puts there. Returns how many
        pieces there were."""
        reached: list[bool] = []
        with self.after(span, lambda: reached.append(True)):
            count = -1
            while not reached:
                count += self._step()
        return count

    def _step(self) -> int:
        # One at a time: C would go on behind an exception that is to be raised.
        return check(lib.belay_scheduler_step(self._c, 1))

    def step(self, count: int = 1) -> int:
        """Runs the next pieces of work, whenever they are due; returns how many there were."""
        done = 0
        while done < count and self._step():
            done += 1
        return done

    def flush(self) -> None:
        """Runs all there is. The error EAGAIN when millions of pieces are not enough."""
        self.step(_MOST)
        check(lib.belay_scheduler_flush(self._c))


class PoolScheduler(Scheduler):
    """Runs work on threads of libuv's pool, one piece after the other. The loop has to run."""

    __slots__ = ()

    def __init__(self, loop: Loop) -> None:
        from ._loops import as_loop

        self._own(lib.belay_scheduler_create_pool(as_loop(loop)._c))


class SubscriptionScheduler(Scheduler):
    """Runs work at once where there is a current scheduler, and else on ``background``."""

    __slots__ = ()

    def __init__(self, background: Scheduler) -> None:
        self._own(lib.belay_scheduler_create_subscription(background._c))


def immediate() -> Scheduler:
    """Runs work at once, in the call."""
    made: Scheduler = Scheduler._lent(lib.belay_scheduler_immediate())
    return made


def trampoline() -> Scheduler:
    """Runs work on the calling thread: at once, or, inside work of this scheduler, after it."""
    made: Scheduler = Scheduler._lent(lib.belay_scheduler_trampoline())
    return made


class Worker(BlockHandle):
    """A thread of its own with a loop of its own. At the end of a ``with`` block, or when it is
    dropped, it finishes what it is in, and its thread has ended."""

    __slots__ = ("scheduler",)
    _releaser = function_address("belay_worker_release")

    #: Runs work on the worker's thread.
    scheduler: Scheduler

    def __init__(
        self, *, label: str | None = None, site: str | None = None, capacity: int = 0,
        priority: int = 0,
    ) -> None:  # fmt: skip
        """``label`` is the name of its loop in reports, and of its thread, of which Linux keeps 15
        bytes. ``site`` is the line of code that made it, in reports, by default the one that makes
        it. Both are kept for good. ``capacity`` is how much work of other threads waits at most (0:
        1024). ``priority`` is the nice value of its thread, from -20 to 19. Raises an OSError's code
        as a BelayError when the system refuses that."""
        options = begin_options("belay_worker_options", label, site)
        options.capacity = capacity
        options.priority = priority
        self._own(lib.belay_worker_create(options))
        self.scheduler = Scheduler._lent(lib.belay_worker_get_scheduler(self._c))
        with_threads.add(self)

    def end(self) -> None:
        """Ends the thread, unless it has ended."""
        self._give_back()

    _end = end

    def _leave(self) -> None:
        self.end()
