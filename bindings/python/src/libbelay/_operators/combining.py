"""Operators by which several signals become one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from .._core import Source, callback, handle, handles, joining, of_callable, value_of
from .._native import lib
from .base import MAP, A, B, Operators, T, U

if TYPE_CHECKING:
    from .._signals import Signal


class Combining(Operators[T]):
    __slots__ = ()

    # [operators combining] written by `scripts/api write` from docs/operators.tsv
    # [end]

    @overload
    def with_latest_from(self, a: Source[A], /) -> Signal[tuple[T, A]]: ...
    @overload
    def with_latest_from(
        self, a: Source[A], /, *, combiner: Callable[[T, A], U]
    ) -> Signal[U]: ...
    @overload
    def with_latest_from(self, a: Source[A], b: Source[B], /) -> Signal[tuple[T, A, B]]: ...
    @overload
    def with_latest_from(
        self, a: Source[A], b: Source[B], /, *, combiner: Callable[[T, A, B], U]
    ) -> Signal[U]: ...
    @overload
    def with_latest_from(self, *others: Source[Any]) -> Signal[tuple[Any, ...]]: ...
    @overload
    def with_latest_from(
        self, *others: Source[Any], combiner: Callable[..., U] | None = None
    ) -> Signal[U]: ...
    def with_latest_from(
        self, *others: Source[Any], combiner: Callable[..., Any] | None = None
    ) -> Signal[Any]:
        """Each value with the latest of each of ``others``, as a tuple, or what ``combiner``
        makes."""
        return self._apply(
            lib.belay_op_with_latest_from, *handles(others), *joining(combiner)
        )

    # The overloads are those of with_latest_from: a type checker wants them at each method.
    @overload
    def combine_latest(self, a: Source[A], /) -> Signal[tuple[T, A]]: ...
    @overload
    def combine_latest(self, a: Source[A], /, *, combiner: Callable[[T, A], U]) -> Signal[U]: ...
    @overload
    def combine_latest(self, a: Source[A], b: Source[B], /) -> Signal[tuple[T, A, B]]: ...
    @overload
    def combine_latest(
        self, a: Source[A], b: Source[B], /, *, combiner: Callable[[T, A, B], U]
    ) -> Signal[U]: ...
    @overload
    def combine_latest(self, *others: Source[Any]) -> Signal[tuple[Any, ...]]: ...
    @overload
    def combine_latest(
        self, *others: Source[Any], combiner: Callable[..., U] | None = None
    ) -> Signal[U]: ...
    def combine_latest(
        self, *others: Source[Any], combiner: Callable[..., Any] | None = None
    ) -> Signal[Any]:
        """See `libbelay.combine_latest`, with this signal as the first."""
        from .._combining import combine_latest

        return combine_latest(self._signal, *others, combiner=combiner)

    # As above.
    @overload
    def zip(self, a: Source[A], /) -> Signal[tuple[T, A]]: ...
    @overload
    def zip(self, a: Source[A], /, *, combiner: Callable[[T, A], U]) -> Signal[U]: ...
    @overload
    def zip(self, a: Source[A], b: Source[B], /) -> Signal[tuple[T, A, B]]: ...
    @overload
    def zip(
        self, a: Source[A], b: Source[B], /, *, combiner: Callable[[T, A, B], U]
    ) -> Signal[U]: ...
    @overload
    def zip(self, *others: Source[Any]) -> Signal[tuple[Any, ...]]: ...
    @overload
    def zip(
        self, *others: Source[Any], combiner: Callable[..., U] | None = None
    ) -> Signal[U]: ...
    def zip(
        self, *others: Source[Any], combiner: Callable[..., Any] | None = None
    ) -> Signal[Any]:
        """See `libbelay.zip`, with this signal as the first."""
        from .._combining import zip as zip_

        return zip_(self._signal, *others, combiner=combiner)

    def race(self, *others: Source[U]) -> Signal[T | U]:
        """See `libbelay.race`, with this signal as the first."""
        from .._combining import race

        return race(self._signal, *others)

    def start_with(self, *values: U) -> Signal[T | U]:
        """Sends ``values`` first."""
        return self._apply(lib.belay_op_start_with, [value_of(v) for v in values], len(values))

    def end_with(self, *values: U) -> Signal[T | U]:
        """Sends ``values`` before it completes."""
        return self._apply(lib.belay_op_end_with, [value_of(v) for v in values], len(values))

    def sequence_equal(
        self, other: Source[U], equal: Callable[[T, U], Any] | None = None
    ) -> Signal[bool]:
        """Whether both send equal (``==``) values in the same order, and complete."""
        if equal is None:
            called = callback("pb_equal", None)
        else:
            called = of_callable("pb_compare", equal)
        return self._apply(lib.belay_op_sequence_equal, handle(other), *called)

    def not_(self) -> Signal[bool]:
        """The opposite of each bool."""
        return self._apply(lib.belay_op_not)

    def starmap(self, mapper: Callable[..., U]) -> Signal[U]:
        """Calls ``mapper`` with the items of each value, which is a tuple or a list."""
        if not callable(mapper):
            raise TypeError(f"{mapper!r} is not callable")

        def spread(items: Any) -> U:
            return mapper(*items)

        return self._staged(MAP, spread)
