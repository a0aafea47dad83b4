"""Loops: libuv's event loops, run by Belay, or beside asyncio's."""

from __future__ import annotations

import asyncio
import select
import threading
import weakref
from collections.abc import AsyncIterator, Callable
from typing import Any, Self

from ._core import (
    NULL, BlockHandle, callback, check, last_error, of_callable, with_threads, wrapped,
)  # fmt: skip
from ._errors import BelayError
from ._native import ffi, lib
from ._schedulers import Scheduler

#: Something that was still open on a loop that was closed: its kind, its name if it has one, and
#: whether it was the host's.
OpenResource = tuple[str, str | None, bool]

_loops: weakref.WeakValueDictionary[int, Loop] = weakref.WeakValueDictionary()
_kept = threading.local()


@wrapped(lib.BELAY_KIND_LOOP, lib.belay_loop_retain, "belay_loop *")
class Loop(BlockHandle):
    """One user of an event loop, bound to the thread that makes it. A thread has one loop, and who
    makes another shares it: what one was given to do ends with it, and the last one to leave closes
    the loop. In a ``with`` block that is at the end.

    What is subscribed on its thread is called by it. `stop`, `post` and its scheduler may be used
    on any thread, the rest on its own.
    """

    __slots__ = ("_stops", "_host")
    _releaser = lib.belay_loop_release

    def __init__(
        self, *, capacity: int = 0, persistent: bool = False, quiet: bool = False
    ) -> None:
        """``capacity`` is how many events from other threads wait at most (0: 1024). A
        ``persistent`` one runs until `stop`, also when only other threads could give it work. A
        ``quiet`` one prints nothing when it goes and something is still there."""
        options = ffi.new("belay_loop_options *")
        options.size = ffi.sizeof("belay_loop_options")
        options.capacity = capacity
        options.persistent = persistent
        options.quiet = quiet
        _leave_closed_host()
        self._begin(lib.belay_loop_create(options))

    @classmethod
    def adopt(cls, uv: int, *, uv_version: int = 0) -> Loop:
        """Belay on a libuv loop of somebody else's, a ``uv_loop_t`` at that address, which goes on
        running it. ``uv_version`` is what its libuv answers to ``uv_version()``: another one than
        Belay's is refused."""
        options = ffi.new("belay_loop_options *")
        options.size = ffi.sizeof("belay_loop_options")
        options.uv_version = uv_version
        made = cls.__new__(cls)
        made._begin(lib.belay_loop_adopt(ffi.cast("struct uv_loop_s *", uv), options))
        return made

    def _begin(self, pointer: Any) -> None:
        self._own(pointer)
        self._stops = False
        self._host: asyncio.AbstractEventLoop | None = None
        _loops[self._address] = self
        with_threads.add(self)

    @classmethod
    def _of(cls, pointer: Any) -> Self:
        known: Any = _loops.get(int(ffi.cast("uintptr_t", pointer)))
        if known is not None:
            lib.belay_loop_release(pointer)
            return known  # type: ignore[no-any-return]
        made = cls.__new__(cls)
        made._begin(pointer)
        return made

    @classmethod
    def current(cls) -> Loop | None:
        """The loop of this thread, or None. In a coroutine of asyncio's there always is one, which
        runs on asyncio's own."""
        _leave_closed_host()
        pointer = lib.belay_loop_current()
        found: Loop | None = cls._of(lib.belay_loop_retain(pointer)) if pointer else None
        host = asyncio._get_running_loop()
        if host is None:
            return found
        if found is None:
            found = _kept.loop = cls(persistent=True)
            _kept.generator = _as_long_as_asyncio_runs()
            try:
                _kept.generator.__anext__().send(None)
            except StopIteration:
                pass
        found.attach(host)
        return found

    def attach(self, host: asyncio.AbstractEventLoop) -> None:
        """Has asyncio run this loop, on the same thread, by its descriptor."""
        if self._host is host:
            return
        if self._host is not None and not self._host.is_closed():
            self._host.remove_reader(self.fd)
        self._host = host
        host.add_reader(self.fd, self.turn)

    def bind(self) -> None:
        """Binds the loop to the calling thread, while it is not running."""
        check(lib.belay_loop_bind(self._c))

    def run(self) -> bool:
        """Runs the loop until nothing is left to wait for, or `stop`. True when there still is
        something. An exception such as KeyboardInterrupt leaves it."""
        ready = select.poll()
        ready.register(self.fd, select.POLLIN)
        while True:
            is_alive = self.turn()
            if self._stops:
                self._stops = False
                return is_alive
            if not is_alive:
                return False
            ready.poll()

    def turn(self, *, wait: bool = False) -> bool:
        """One turn, which may ``wait`` for something to do. True when there is more to wait for."""
        mode = lib.BELAY_RUN_ONCE if wait else lib.BELAY_RUN_NOWAIT
        return bool(check(lib.belay_loop_run(self._c, mode)))

    def stop(self) -> None:
        """Makes `run` return after the turn in progress, or the next one at once. Any thread."""
        self._stops = True
        check(lib.belay_loop_stop(self._c))

    def post(self, action: Callable[[], Any]) -> None:
        """Runs ``action`` on the loop's thread, at its next turn. Any thread."""
        check(lib.belay_loop_post(self._c, *of_callable("pb_action", action)))

    def on_unhandled_error(self, hook: Callable[[BaseException, str | None], Any] | None) -> None:
        """As `libbelay.on_unhandled_error`, for this loop alone."""
        if hook is None:
            check(lib.belay_loop_on_unhandled_error(self._c, NULL, NULL, NULL))
        else:
            called = of_callable("pb_unhandled", hook)
            check(lib.belay_loop_on_unhandled_error(self._c, *called))

    @property
    def is_alive(self) -> bool:
        """True while there is something to wait for."""
        return bool(lib.belay_loop_alive(self._c))

    @property
    def now(self) -> float:
        """Seconds on the monotonic clock, read once a turn."""
        return float(lib.belay_loop_now(self._c))

    @property
    def turns(self) -> int:
        """How often the loop has come back from waiting."""
        return int(lib.belay_loop_turns(self._c))

    @property
    def queue_high_water(self) -> int:
        """The most that ever waited in the queue from other threads."""
        return int(lib.belay_loop_queue_high_water(self._c))

    @property
    def scheduler(self) -> Scheduler:
        """The loop's scheduler."""
        pointer = lib.belay_loop_get_scheduler(self._c)
        if not pointer:
            raise last_error()
        made: Scheduler = Scheduler._lent(pointer)
        return made

    @property
    def fd(self) -> int:
        """A descriptor that is readable whenever the loop has something to do."""
        return check(lib.belay_loop_fd(self._c))

    @property
    def backend_fd(self) -> int:
        """libuv's own descriptor: to be polled for as long as `backend_timeout` says."""
        return check(lib.belay_loop_backend_fd(self._c))

    @property
    def backend_timeout(self) -> float | None:
        """Seconds to wait at most; None: no limit."""
        time = float(lib.belay_loop_backend_timeout(self._c))
        return None if time < 0 else time

    @property
    def uv(self) -> int:
        """The address of the libuv loop inside."""
        return int(ffi.cast("uintptr_t", lib.belay_loop_uv(self._c)))

    def close(self) -> list[OpenResource]:
        """Ends everything of Belay's on the loop. Returns what was still alive; of an adopted one
        nothing yet, for that takes a turn of its host's."""
        found: list[OpenResource] = []

        def note(resources: list[tuple[str, str | None, int]]) -> None:
            found.extend((kind, label, bool(foreign)) for kind, label, foreign in resources)

        if self._host is not None and not self._host.is_closed():
            self._host.remove_reader(self.fd)
        self._host = None
        check(lib.belay_loop_close(self._c, *callback("pb_closed", note)))
        return found

    def _end(self) -> None:
        try:
            self.close()
        except BelayError:
            pass  # closed already, or another thread's

    def _leave(self) -> None:
        self.close()


async def _as_long_as_asyncio_runs() -> AsyncIterator[None]:
    # asyncio closes the generators that it has seen begin before it closes itself.
    try:
        yield
    finally:
        _leave_host()


def _leave_host() -> None:
    """Closes the loop that runs on asyncio's."""
    kept: Loop | None = getattr(_kept, "loop", None)
    _kept.loop = _kept.generator = None
    if kept is not None:
        kept._end()


def _leave_closed_host() -> None:
    """The same, for a program that closes asyncio's loop without closing its generators."""
    kept: Loop | None = getattr(_kept, "loop", None)
    if kept is not None and kept._host is not None and kept._host.is_closed():
        _leave_host()


def current_scheduler() -> Scheduler:
    """The scheduler whose work is running on this thread, else that of its loop."""
    Loop.current()
    made: Scheduler | None = Scheduler._lent(lib.belay_scheduler_current())
    if made is None:
        raise BelayError(
            lib.BELAY_ENOHOME, "this thread has no loop: make a Loop, or give a scheduler"
        )
    return made
