"""Signals: `next* (error | completed)?`, then disposal, then nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Generator
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from ._core import (
    NULL,
    Wrapper,
    address_of,
    check,
    handle,
    last_error,
    taken,
    text,
    wrapped,
)
from ._disposables import Subscription
from ._expressions import code_of
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

if TYPE_CHECKING:
    from ._loops import Loop

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")

_RUN_MAP = ffi.addressof(lib, "pb_run_map")
_RUN_FILTER = ffi.addressof(lib, "pb_run_filter")
_IS_KEPT = ffi.addressof(lib, "pb_is_kept")
_FREE_PROGRAM = ffi.addressof(lib, "pb_program_free")

Stage = tuple[int, Callable[[Any], Any], bytes | None]


@wrapped(lib.BELAY_KIND_SIGNAL, lib.belay_signal_retain, "belay_signal *")
class Signal(
    Filtering[T], Transforming[T], Combining[T], Flattening[T], Timing[T], Aggregating[T],
    Effects[T], Sharing[T], Binding[T], Wrapper, Generic[T],
):  # fmt: skip
    """A stream of values, which may end with an error or a completion.

    A cold signal runs its producer once for each subscription; a hot one, a `Subject`, sends to
    whoever is subscribed. Operators are methods, each of which makes another signal; `pipe` applies
    those of `libbelay.ops`.
    """

    # Maps and filters wait in `_stages` for what follows them. At the end of the chain they run
    # before the subscriber, in one go with it; before another operator they become one of their
    # own. `_is_native` is whether the source calls no Python: then a batch can come in batches, and
    # nobody sees that all of it has gone through the source before.
    __slots__ = ("_source", "_stages", "_built", "_is_native", "__weakref__")
    _source: Any
    _stages: tuple[Stage, ...]
    _built: Any
    _is_native: bool

    def _own(self, pointer: Any, is_native: bool = False) -> None:
        """Takes a reference over; raises the failure when there is none."""
        if not pointer:
            raise last_error()
        self._source = ffi.gc(pointer, lib.belay_signal_release)
        self._stages = ()
        self._built = None
        self._is_native = is_native

    @classmethod
    def _of(cls, pointer: Any, is_native: bool = False) -> Signal[Any]:
        made = Signal.__new__(Signal)
        made._own(pointer, is_native)
        return made

    @property
    def _c(self) -> Any:
        if not self._stages:
            return self._source
        if self._built is None:
            ops = self._operators()
            chain = lib.belay_signal_chain_n(lib.belay_signal_retain(self._source), ops, len(ops))
            if not chain:
                raise last_error()
            self._built = ffi.gc(chain, lib.belay_signal_release)
        return self._built

    @property
    def _address(self) -> int:
        return address_of(self._c)

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

    def _apply(self, op: Any) -> Signal[Any]:
        return Signal._of(lib.belay_signal_chain_n(handle(self), [op], 1))

    def _native(self, op: Any) -> Signal[Any]:
        """The same for an operator that calls no Python."""
        made = self._apply(op)
        made._is_native = self._is_native and all(stage[2] for stage in self._stages)
        return made

    def _staged(self, kind: int, call: Callable[[Any], Any]) -> Signal[Any]:
        if not callable(call):
            raise TypeError(f"{call!r} is not callable")
        made = Signal.__new__(Signal)
        made._source = self._source
        made._stages = (*self._stages, (kind, call, code_of(call)))
        made._built = None
        made._is_native = self._is_native
        return made

    # ---- subscribing ----

    def subscribe(
        self,
        on_next: Callable[[T], Any] | Any | None = None,
        on_error: Callable[[BaseException], Any] | None = None,
        on_completed: Callable[[], Any] | None = None,
        *,
        on_disposed: Callable[[], Any] | None = None,
        owner: Any = None,
        loop: Loop | None = None,
    ) -> Subscription:
        """Subscribes callables, or an object that has ``on_next``, ``on_error`` and
        ``on_completed``.

        What comes back ends the subscription when it is disposed of, and not when it is dropped; in
        a ``with`` block it is disposed of at the end. With an ``owner``, an `Owner` or any object
        that can be referred to weakly, it ends when that begins to die. All callables run at one
        place: the ``loop``, else the loop of this thread, else this thread.

        What a callable raises is this subscription's error event. Without ``on_error`` it goes to
        `on_unhandled_error`.
        """
        if hasattr(on_next, "on_next"):
            observer: Any = on_next
            on_next, on_error = observer.on_next, observer.on_error
            on_completed = observer.on_completed
        for each in (on_next, on_error, on_completed, on_disposed):
            if each is not None and not callable(each):
                raise TypeError(f"{each!r} is not callable")
        calls = (on_next, on_error, on_completed, on_disposed)
        owned = NULL
        if owner is not None:
            from ._owners import as_owner

            owner = as_owner(owner)
            owned = owner._c
        out = ffi.new("belay_disposable **")
        code = lib.pb_subscribe(
            self._source,
            owned,
            loop._c if loop else NULL,
            id(self._stages),
            id(calls),
            self._is_native,
            out,
        )
        check(code)
        return Subscription._of(out[0])

    def __await__(self) -> Generator[Any, None, T]:
        """The first value, in a coroutine of asyncio's: the signal runs on asyncio's own loop."""
        from ._aio import first

        return first(self).__await__()

    def __aiter__(self) -> AsyncIterator[T]:
        """The values, in a coroutine of asyncio's. Leaving the loop disposes of the
        subscription."""
        from ._aio import Values

        return Values(self)

    # ---- composing ----

    @overload
    def pipe(self) -> Signal[T]: ...
    @overload
    def pipe(self, a: Callable[[Signal[T]], U], /) -> U: ...
    @overload
    def pipe(self, a: Callable[[Signal[T]], U], b: Callable[[U], V], /) -> V: ...
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
        check(lib.belay_signal_set_name(self._c, NULL if name is None else name.encode()))

    @property
    def key(self) -> Any:
        """The key of a group of `group_by`; None for any other signal."""
        value = ffi.new("belay_value *", lib.belay_value_retain(lib.belay_signal_key(self._c)))
        return taken(value)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"
