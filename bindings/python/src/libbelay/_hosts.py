"""Loops of the program's own, which run without libuv and without asyncio."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._core import NULL, ClosedHandle, kept_context, with_threads
from ._loops import OpenResource, closing
from ._native import ffi, lib
from ._schedulers import Scheduler
from ._sites import begin_options

Work = Callable[[], None]


class HostScheduler(Scheduler, ClosedHandle):
    """The scheduler of a loop that the program runs on this thread: tkinter's, trio's, a game's.
    Sources and subscriptions that begin on this thread are at home there: values of other threads
    arrive there. asyncio needs none.

    It ends at the end of a ``with`` block, by `close`, or with its thread.
    """

    __slots__ = ()

    def __init__(
        self,
        schedule: Callable[[Work], object],
        after: Callable[[float, Work], Any],
        cancel: Callable[[Any], object] | None = None,
        now: Callable[[], float] | None = None,
        *,
        label: str | None = None,
        site: str | None = None,
        capacity: int = 0,
        quiet: bool = False,
    ) -> None:
        """``schedule(work)`` has the loop call ``work()`` soon, on this thread. Any thread calls it,
        and perhaps again before the work has been called. ``after(seconds, work)`` has it called
        later; at most one such work waits. ``cancel`` gets what that returned; without it the loop may
        call the work, which then does nothing. ``now()`` is the loop's time in seconds, for any
        thread; without it the monotonic clock's. These functions must not wait, use Belay, or call the
        work themselves. A work of ``schedule`` that is dropped ends the loop.

        ``label``, ``site``, ``capacity`` and ``quiet`` are as in `Loop`. Raises a BelayError of
        EBOUND when this thread has a loop."""
        for each in (schedule, after, *(each for each in (cancel, now) if each is not None)):
            if not callable(each):
                raise TypeError(f"{each!r} is not callable")
        table = begin_options("belay_scheduler_table", label, site)
        table.capacity = capacity
        table.quiet = quiet
        table.schedule = ffi.addressof(lib, "pb_host_schedule")
        table.after = ffi.addressof(lib, "pb_host_after")
        table.cancel = NULL if cancel is None else ffi.addressof(lib, "pb_host_cancel")
        table.now = NULL if now is None else ffi.addressof(lib, "pb_host_now")
        functions = [schedule, after, cancel, now, None]
        self._own(lib.belay_scheduler_create_host(table, *kept_context(functions)))
        with_threads.add(self)

    def close(self) -> list[OpenResource]:
        """Ends everything that is at home there. Returns the resources that were still open. On its
        thread."""
        return closing(lib.belay_scheduler_close, self._c)
