"""Signals: `next* (error | completed)?`, then disposal, then nothing."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import AsyncIterator, Callable, Generator
from contextvars import copy_context
from typing import Any, Generic, Protocol, Self, TypeVar, overload

from . import _native as native
from ._core import (
    NULL,
    Wrapper,
    address_of,
    check,
    encoded,
    function_address,
    give,
    last_error,
    owned,
    queue_options,
    taken,
    text,
    register,
)
from ._disposables import Subscription
from ._errors import BelayError
from ._expressions import code_of
from ._loops import Loop, as_loop, at_home
from ._native import ffi, lib
from ._operators.aggregating import Aggregating
from ._operators.base import FILTER
from ._operators.binding import Binding
from ._operators.combining import Combining
from ._operators.effects import Effects
from ._operators.filtering import Filtering
from ._operators.flattening import Flattening
from ._operators.sharing import Sharing
from ._operators.timing import Timing
from ._operators.transforming import Transforming
from ._schedulers import QueuePolicy
from ._weak import weakened, without_reference

T = TypeVar("T", covariant=True)
U = TypeVar("U")
V = TypeVar("V")

_RUN_MAP = ffi.addressof(lib, "pb_run_map")
_RUN_FILTER = ffi.addressof(lib, "pb_run_filter")
_IS_KEPT = ffi.addressof(lib, "pb_is_kept")
_FREE_PROGRAM = ffi.addressof(lib, "pb_program_free")
_RELEASE = function_address("belay_signal_release")

W = TypeVar("W")
X = TypeVar("X")
Y = TypeVar("Y")
Z = TypeVar("Z")
I_contra = TypeVar("I_contra", contravariant=True)


class Observer(Protocol[I_contra]):
    """An object to subscribe with."""

    def on_next(self, value: I_contra, /) -> object:
        """Hears a value."""

    def on_error(self, error: BaseException, /) -> object:
        """Hears the error."""

    def on_completed(self) -> object:
        """Hears the completion."""


Stage = tuple[int, Callable[[Any], Any], bytes | None]


class Signal(
    Filtering[T], Transforming[T], Combining[T], Flattening[T], Timing[T], Aggregating[T],
    Effects[T], Sharing[T], Binding[T], Wrapper, Generic[T],
):  # fmt: skip
    """A stream of values, which may end with an error or a completion.

    A cold signal runs its producer once for each subscription; a hot one, a `Subject`, sends to
    all its subscriptions. Operators are methods, each of which makes another signal; `pipe` applies
    those of `libbelay.ops`.
    """

    # Maps and filters wait in `_stages` for what follows them. At the end of the chain they run
    # before the subscriber, in one go with it; before another operator they become one operator.
    __slots__ = ("_source", "_stages", "_built", "__weakref__")
    _source: Any
    _stages: tuple[Stage, ...]
    _built: Any
    #: Of a source that keeps them: values that a subscription has got and nobody has taken.
    _left: deque[Any] | None = None

    def _own(self, pointer: Any) -> None:
        """Takes a reference over; raises the failure when there is none."""
        if not pointer:
            raise last_error()
        self._source, self._reference = owned(pointer, _RELEASE)
        self._stages = ()
        self._built = None
        native.raise_exit()

    @classmethod
    def _of(cls, pointer: Any) -> Signal[Any]:
        made: Signal[Any] = Signal.__new__(Signal)  # pyright: ignore[reportUnknownVariableType]
        made._own(pointer)
        return made

    @property
    def _signal(self) -> Signal[T]:
        return self

    @property
    def _c(self) -> Any:
        if not self._stages:
            return self._source
        if self._built is None:
            ops = self._operators()
            chain = lib.belay_signal_chain_n(lib.belay_signal_retain(self._source), ops, len(ops))
            if not chain:
                raise last_error()
            built, _ = owned(chain, _RELEASE)
            if self._built is None:  # not by another thread meanwhile, which uses what it has built
                self._built = built
        return self._built

    @property
    def _held(self) -> Any:
        return self._c

    def __belay_signal__(self) -> object:
        """A capsule with which another copy of Belay in the process can import the signal."""
        return native.export_signal(self._address)

    def _operators(self) -> list[Any]:
        """The stages as one operator; one more takes away what is dropped, if there is a map
        too."""
        program = lib.pb_program(id(self._stages))
        kinds = {stage[0] for stage in self._stages}
        if kinds == {FILTER}:
            return [lib.belay_op_filter(_RUN_FILTER, program, _FREE_PROGRAM)]
        ops = [lib.belay_op_map(_RUN_MAP, program, _FREE_PROGRAM)]
        if FILTER in kinds:
            ops.append(lib.belay_op_filter(_IS_KEPT, NULL, NULL))
        return ops

    def _apply(self, operator: Any, *arguments: Any) -> Signal[Any]:
        """The signal behind an operator, which a function of C makes of the arguments."""
        source = self._c
        op = give(operator, *arguments)
        return Signal._of(lib.belay_signal_chain_n(lib.belay_signal_retain(source), [op], 1))

    def _staged(self, kind: int, call: Callable[[Any], Any]) -> Signal[Any]:
        if not callable(call):
            raise TypeError(f"{call!r} is not callable")
        made: Signal[Any] = Signal.__new__(Signal)  # pyright: ignore[reportUnknownVariableType]
        made._source = self._source
        made._stages = (*self._stages, (kind, call, code_of(call)))
        made._built = None
        return made

    def _unstaged(self) -> Signal[Any]:
        """The signal before its stages."""
        return Signal._of(lib.belay_signal_retain(self._source))

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Signal):
            return self is other
        # One that has yet to be built has no handle, which another one could have.
        mine = self._built if self._stages else self._source
        theirs: Any = other._built if other._stages else other._source
        return mine is not None and theirs is not None and bool(mine == theirs)

    def __hash__(self) -> int:
        return hash(self._address)

    # ---- subscribing ----

    def subscribe(
        self,
        on_next: Callable[[T], object] | Observer[T] | weakref.ref[Any] | None = None,
        on_error: Callable[[BaseException], object] | weakref.ref[Any] | None = None,
        on_completed: Callable[[], object] | weakref.ref[Any] | None = None,
        *,
        on_disposed: Callable[[], object] | weakref.ref[Any] | None = None,
        owner: Any = None,
        loop: Loop | None = None,
    ) -> Subscription:
        """Subscribes callables, or an object that has ``on_next``, ``on_error`` and
        ``on_completed``.

        The result ends the subscription when it is disposed of, and not when it is dropped; in a
        ``with`` block it is disposed of at the end. With an ``owner``, an `Owner` or any object
        that can be referred to weakly, it ends when that begins to die. All callables run at one
        place: the ``loop``, else the loop of this thread, else this thread. Those of a coroutine's
        subscription run in a copy of its contextvars context.

        An exception of a callable is this subscription's error event. Without ``on_error`` it goes
        to `on_unhandled_error`.
        """
        observer: Any = on_next
        if hasattr(observer, "on_next"):
            if on_error is not None or on_completed is not None:
                raise TypeError("an observer has its own on_error and on_completed")
            on_next, on_error = observer.on_next, observer.on_error
            on_completed = observer.on_completed
        calls: list[Any] = [on_next, on_error, on_completed, on_disposed]
        for index, each in enumerate(calls):
            if isinstance(each, weakref.ref):
                calls[index] = without_reference(calls[index])
            elif each is not None and not callable(each):
                raise TypeError(f"{each!r} is not callable")
        home = at_home()
        return self._listen(
            calls, owner, home if loop is None else as_loop(loop), home is not None
        )

    def _listen(
        self, calls: list[Any], owner: Any, loop: Loop | None, heard_at_home: bool
    ) -> Subscription:
        source = self._source
        if heard_at_home:
            made = lib.pb_heard_at_home(lib.belay_signal_retain(source))
            source, _ = owned(made, _RELEASE)
        owning = 0
        if owner is not None:
            from ._owners import as_owner

            calls = [weakened(each, owner) for each in calls]
            owner = as_owner(owner)
            owning = owner._held
        address = native.subscribe(
            address_of(source),
            owning and address_of(owning),
            0 if loop is None else loop._address,
            self._stages,
            tuple(calls),
            None if at_home() is None else copy_context(),
        )
        return Subscription._of(ffi.cast("belay_disposable *", address))

    def _heard_at(
        self, loop: Loop | None, on_next: Callable[[T], object],
        on_end: Callable[[BaseException | None], object],
    ) -> Subscription:  # fmt: skip
        """Subscribes for a caller that waits. Events of all threads come to the home of the
        subscription, and `on_end` hears of every end, also of an interruption."""

        def on_disposed() -> None:
            on_end(BelayError(lib.BELAY_ECANCELED, "the signal's source went without an end"))

        calls = [on_next, on_end, lambda: on_end(None), on_disposed]
        return self._listen(calls, None, loop or at_home(), True)

    def __await__(self) -> Generator[Any, None, T]:
        """The first value, in a coroutine of asyncio's: the signal runs on asyncio's own loop."""
        from ._aio import first

        return first(self).__await__()

    def __aiter__(self) -> AsyncIterator[T]:
        """The values, in a coroutine of asyncio's. Leaving the loop disposes of the subscription.
        1024 values may wait to be asked for; one more ends it with EAGAIN. An iterator given to
        `from_async` waits instead. An ``async for`` that has asked for a value, and asks no more,
        holds up that source, and its other subscribers too: see `values`."""
        return self.values()

    def values(
        self, *, policy: QueuePolicy | None = None, capacity: int | None = 0
    ) -> AsyncIterator[T]:
        """What `async for` iterates over, with a bound of its own on the values that wait to be
        asked for: ``capacity`` (0: 1024, None: they wait without a bound). ``policy`` tells what
        happens to one more; it may not be BLOCK: see `QueuePolicy`.

        An iterator given to `from_async` waits while half of the capacity, and at most 512, waits
        here. So an iterator of this method that has been asked for a value, and is asked no more,
        holds up that source, and its other subscribers too. Call its ``aclose()``. One that nobody
        has asked yet holds up nothing, and ends with EAGAIN at its bound. Of several asynchronous
        iterators and awaitables each may send one value beyond the capacity. More than twice the
        capacity never waits: one more ends the subscription with EAGAIN."""
        from ._aio import Values

        return Values(self, policy, capacity)

    # ---- composing ----

    @overload
    def pipe(self) -> Signal[T]: ...
    @overload
    def pipe(self, a: Callable[[Signal[T]], U], /) -> U: ...
    @overload
    def pipe(self, a: Callable[[Signal[T]], U], b: Callable[[U], V], /) -> V: ...
    @overload
    def pipe(
        self, a: Callable[[Signal[T]], U], b: Callable[[U], V], c: Callable[[V], W], /
    ) -> W: ...
    @overload
    def pipe(
        self, a: Callable[[Signal[T]], U], b: Callable[[U], V], c: Callable[[V], W],
        d: Callable[[W], X], /,
    ) -> X: ...  # fmt: skip
    @overload
    def pipe(
        self, a: Callable[[Signal[T]], U], b: Callable[[U], V], c: Callable[[V], W],
        d: Callable[[W], X], e: Callable[[X], Y], /,
    ) -> Y: ...  # fmt: skip
    @overload
    def pipe(
        self, a: Callable[[Signal[T]], U], b: Callable[[U], V], c: Callable[[V], W],
        d: Callable[[W], X], e: Callable[[X], Y], f: Callable[[Y], Z], /,
    ) -> Z: ...  # fmt: skip
    @overload
    def pipe(self, *operators: Callable[[Any], Any]) -> Any: ...
    def pipe(self, *operators: Callable[[Any], Any]) -> Any:
        """Applies operators, in order: those of `libbelay.ops`, or any function of a signal."""
        made: Any = self
        for each in operators:
            made = each(made)
        return made

    @property
    def name(self) -> str:
        """Its name in reports: given, or built from its chain, "subject.map"."""
        return text(lib.belay_signal_name(self._c))

    @name.setter
    def name(self, name: str | None) -> None:
        check(lib.belay_signal_set_name(self._c, NULL if name is None else encoded(name)))

    def set_queue(
        self, *, policy: QueuePolicy | None = None, capacity: int | None = 0
    ) -> Self:
        """Bounds the queues that its own operator keeps, before the first subscription: by default
        each takes 1024 values (``capacity`` 0), and one more is an error. None lets them grow. Answers
        the signal."""
        check(lib.belay_signal_set_queue(self._c, queue_options(policy, capacity)))
        return self

    @property
    def queue_high_water(self) -> int:
        """The largest number of values that ever waited in one of these queues."""
        return int(lib.belay_signal_queue_high_water(self._c))

    @property
    def key(self) -> Any:
        """The key of a group of `group_by`; None for any other signal."""
        value = ffi.new("belay_value *", lib.belay_value_retain(lib.belay_signal_key(self._c)))
        return taken(value)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


register(Signal, lib.BELAY_KIND_SIGNAL, lib.belay_signal_retain, "belay_signal *")
