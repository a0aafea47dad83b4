"""Loops: libuv's event loops, run by Belay, or beside asyncio's."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import math
import select
import threading
import time
import weakref
from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple, Self

from . import _native as native
from ._core import (
    NULL, ClosedHandle, callback, check, function_address, give, last_error, of_callable,
    with_threads, register,
)  # fmt: skip
from ._errors import BelayError, tell
from ._native import ffi, lib
from ._schedulers import Scheduler
from ._sending import tell_turned
from ._sites import begin_options


class OpenResource(NamedTuple):
    """A resource that was still open when its loop was closed."""

    kind: str
    #: Its name, if it has one.
    label: str | None
    #: Whether it was the host's, and has been left as it is.
    is_foreign: bool
    #: The line of code that made it, if that is known.
    site: str | None


def closing(close: Callable[..., int], pointer: Any) -> list[OpenResource]:
    """Closes a loop or its scheduler; what was still open."""
    found: list[OpenResource] = []

    def note(resources: list[tuple[str, str | None, int, str | None]]) -> None:
        for kind, label, foreign, site in resources:
            found.append(OpenResource(kind, label, bool(foreign), site))

    check(give(close, pointer, *callback("pb_closed", note)))
    return found


_loops: weakref.WeakValueDictionary[int, Loop] = weakref.WeakValueDictionary()
_LONG = 86400.0


def _options(
    label: str | None, site: str | None, capacity: int, persistent: bool, quiet: bool
) -> Any:
    options = begin_options("belay_loop_options", label, site)
    options.capacity = capacity
    options.persistent = persistent
    options.quiet = quiet
    return options


class Loop(ClosedHandle):
    """One user of an event loop, bound to the thread that makes it. A thread has one loop; a second
    `Loop` there is another user of it. A user's work ends when that user leaves, in a ``with`` block
    at its end, and the last one closes the loop.

    The loop runs the callables of subscriptions made on its thread. Any thread may use `stop`,
    `post` and the scheduler; the rest belongs to the loop's own thread.
    """

    __slots__ = ("_stops", "_host")
    _releaser = function_address("belay_loop_release")

    def __init__(
        self, *, label: str | None = None, site: str | None = None, capacity: int = 0,
        persistent: bool = False, quiet: bool = False,
    ) -> None:  # fmt: skip
        """``label`` is its name in reports. ``site`` is the line of code that made it, in reports,
        by default the one that makes it. Both are kept for good. ``capacity`` is how many events
        from other threads wait at most (0: 1024). A ``persistent`` one runs until `stop`, also when
        only other threads could give it work. A ``quiet`` one prints nothing when it goes and
        something is still there."""
        _leave_closed_hosts()
        options = _options(label, site, capacity, persistent, quiet)
        self._begin(lib.belay_loop_create(options))

    @classmethod
    def adopt(
        cls, uv: int, *, uv_version: int = 0, label: str | None = None, site: str | None = None,
        capacity: int = 0, persistent: bool = False, quiet: bool = False,
    ) -> Loop:  # fmt: skip
        """Uses the host's libuv loop, the ``uv_loop_t`` at an address, which the host goes on
        running. ``uv_version`` is the answer of the host's ``uv_version()``; a libuv other than
        Belay's is refused. A ``persistent`` one keeps the host's loop alive. The rest is as in
        `Loop`."""
        options = _options(label, site, capacity, persistent, quiet)
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
        _leave_closed_hosts()
        made = at_home()
        if made is not None:
            return made
        pointer = lib.belay_loop_current()
        return cls._of(lib.belay_loop_retain(pointer)) if pointer else None

    def attach(self, host: asyncio.AbstractEventLoop) -> None:
        """Has asyncio run this loop, on the same thread, by its descriptor."""
        if self._host is host:
            return
        self._detach()
        # Not in the context of whoever is the first to need the loop.
        contextvars.Context().run(lambda: host.add_reader(self.fd, self.turn))
        self._host = host

    def _detach(self) -> None:
        if self._host is not None and not self._host.is_closed():
            self._host.remove_reader(self.fd)
        self._host = None

    def bind(self) -> None:
        """Binds the loop to the calling thread, while it is not running."""
        check(lib.belay_loop_bind(self._c))

    def run(self) -> bool:
        """Runs the loop until nothing is left to wait for, or `stop`. True when there still is
        something. An exception such as KeyboardInterrupt leaves it."""
        while True:
            is_alive = self.turn()
            if self._stops:
                self._stops = False
                return is_alive
            if not is_alive:
                return False
            self._poll(None)

    def _poll(self, milliseconds: int | None) -> None:
        """Waits, without the GIL and open to Ctrl-C, until there is something to do."""
        ready = select.poll()
        ready.register(self.fd, select.POLLIN)
        ready.poll(milliseconds)

    def _run_until(self, is_over: Callable[[], bool], timeout: float | None) -> None:
        """Runs until ``is_over()``, asked after each turn. Raises a BelayError of ETIMEDOUT after
        ``timeout`` seconds, of ECANCELED when the loop is stopped."""
        end = None if timeout is None else time.monotonic() + timeout
        # A loop that has nothing to wait for does not hear other threads.
        with self.scheduler.every(_LONG, lambda: None):
            while not is_over():
                self.turn()
                if is_over():
                    return
                if self._stops:
                    self._stops = False
                    raise BelayError(lib.BELAY_ECANCELED, "the loop was stopped")
                left = None if end is None else end - time.monotonic()
                if left is not None and left <= 0:
                    raise BelayError(lib.BELAY_ETIMEDOUT, f"no event within {timeout:g} seconds")
                self._poll(None if left is None else math.ceil(min(left, _LONG) * 1000))

    def turn(self, *, wait: bool = False) -> bool:
        """One turn, which may ``wait`` for something to do. True when there is more to wait for."""
        if wait and self.is_alive:
            self._poll(None)
        try:
            return native.turn(self._number)
        finally:
            tell_turned()

    def stop(self) -> None:
        """Makes `run` return after the turn in progress, or the next one at once. Any thread."""
        self._stops = True
        check(lib.belay_loop_stop(self._c))

    def post(self, action: Callable[[], Any]) -> None:
        """Runs ``action`` on the loop's thread, at its next turn. Any thread."""
        check(give(lib.belay_loop_post, self._c, *of_callable("pb_action", action)))

    def on_unhandled_error(self, hook: Callable[[BaseException, str | None], Any] | None) -> None:
        """As `libbelay.on_unhandled_error`, for this loop alone."""
        if hook is None:
            check(lib.belay_loop_on_unhandled_error(self._c, NULL, NULL, NULL))
        else:
            if not callable(hook):
                raise TypeError(f"{hook!r} is not callable")
            called = callback("pb_unhandled", functools.partial(tell, hook))
            check(give(lib.belay_loop_on_unhandled_error, self._c, *called))

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
        """Ends everything of Belay's on the loop. Returns the resources that were still open; none
        for an adopted loop, whose host has to make a turn first."""
        for host, stay in list(_stays.of.items()):
            if stay.loop is self:
                del _stays.of[host]
        self._detach()
        return closing(lib.belay_loop_close, self._c)


register(Loop, lib.BELAY_KIND_LOOP, lib.belay_loop_retain, "belay_loop *")


def as_loop(given: object) -> Loop:
    """What has to be a loop."""
    if not isinstance(given, Loop):
        raise TypeError(f"{given!r} is no Loop")
    return given


# ---- asyncio ----


class _Stay(NamedTuple):
    """A stay on one of asyncio's loops."""

    loop: Loop
    #: Whether the loop was made for it, and ends with it.
    is_made: bool
    mark: object
    generator: AsyncIterator[None]


class _Stays(threading.local):
    """The stays of a thread, on whose loops asyncio may run in turn."""

    def __init__(self) -> None:
        self.of: dict[asyncio.AbstractEventLoop, _Stay] = {}


_stays = _Stays()


def at_home() -> Loop | None:
    """In a coroutine, the loop that runs on asyncio's own. Sources and subscriptions that begin
    there are at home on it, so that values of other threads wake asyncio."""
    host = asyncio._get_running_loop()
    if host is None:
        return None
    stay = _stays.of.get(host)
    return _enter(host) if stay is None else stay.loop


def _enter(host: asyncio.AbstractEventLoop) -> Loop:
    _leave_closed_hosts()
    # The loop that is there already is taken. A second one of asyncio's gets a user of its own, whose
    # subscriptions end with it alone.
    pointer = NULL if _stays.of else lib.belay_loop_current()
    loop = Loop._of(lib.belay_loop_retain(pointer)) if pointer else Loop(persistent=True)
    loop.attach(host)
    mark = object()
    generator = _as_long_as_asyncio_runs(mark)
    _stays.of[host] = _Stay(loop, not pointer, mark, generator)
    begun: Any = generator.__anext__()
    try:
        begun.send(None)
    except StopIteration:
        pass
    return loop


async def _as_long_as_asyncio_runs(mark: object) -> AsyncIterator[None]:
    # asyncio closes the generators that it has seen begin before it closes itself. A generator that
    # another one has replaced ends later, when a new loop may have the address of the old one.
    try:
        yield
    finally:
        for host, stay in list(_stays.of.items()):
            if stay.mark is mark:
                _leave_host(host)


def _leave_host(host: asyncio.AbstractEventLoop) -> None:
    """Closes the loop that runs on asyncio's, if it was made for that."""
    stay = _stays.of.pop(host)
    if stay.is_made:
        stay.loop._end()


def _leave_closed_hosts() -> None:
    """The same, for a program that closes asyncio's loops without closing their generators."""
    for host in list(_stays.of):
        if host.is_closed():
            _leave_host(host)


def current_scheduler() -> Scheduler:
    """The scheduler whose work is running on this thread, else that of its loop."""
    at_home()
    made: Scheduler | None = Scheduler._lent(lib.belay_scheduler_current())
    if made is None:
        raise BelayError(
            lib.BELAY_ENOHOME, "this thread has no loop: make a Loop, or give a scheduler"
        )
    return made
