"""Operators by which several signals become one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import callback, handle, handles, of_callable, of_optional, value_of
from .._native import lib
from .base import Operators, T, U

if TYPE_CHECKING:
    from .._schedulers import Scheduler
    from .._signal import Signal


class Combining(Operators[T]):
    __slots__ = ()

    # [operators combining] written by `scripts/api write` from docs/operators.tsv
    # [end]

    def with_latest_from(
        self, *others: Any, combiner: Callable[..., Any] | None = None
    ) -> Signal[Any]:
        """Each value with the latest of each of ``others``, as a list, or what ``combiner``
        makes."""
        called = of_optional("pb_combine", combiner)
        return self._apply(lib.belay_op_with_latest_from(*handles(others), *called))

    def combine_latest(
        self, *others: Any, combiner: Callable[..., Any] | None = None
    ) -> Signal[Any]:
        """See `libbelay.combine_latest`, with this signal as the first."""
        from .._combining import combine_latest

        return combine_latest(self, *others, combiner=combiner)

    def zip(self, *others: Any, combiner: Callable[..., Any] | None = None) -> Signal[Any]:
        """See `libbelay.zip`, with this signal as the first."""
        from .._combining import zip as zip_

        return zip_(self, *others, combiner=combiner)

    def race(self, *others: Any) -> Signal[Any]:
        """See `libbelay.race`, with this signal as the first."""
        from .._combining import race

        return race(self, *others)

    def start_with(self, *values: Any) -> Signal[Any]:
        """Sends ``values`` first."""
        return self._native(lib.belay_op_start_with([value_of(v) for v in values], len(values)))

    def end_with(self, *values: Any) -> Signal[Any]:
        """Sends ``values`` before it completes."""
        return self._native(lib.belay_op_end_with([value_of(v) for v in values], len(values)))

    def sequence_equal(
        self, other: Any, equal: Callable[[Any, Any], Any] | None = None
    ) -> Signal[bool]:
        """Whether both send equal (``==``) values in the same order, and complete."""
        if equal is None:
            called = callback("pb_equal", None)
        else:
            called = of_callable("pb_compare", equal)
        return self._apply(lib.belay_op_sequence_equal(handle(other), *called))

    def not_(self) -> Signal[bool]:
        """The opposite of each bool."""
        return self._native(lib.belay_op_not())

    def starmap(self, mapper: Callable[..., U]) -> Signal[U]:
        """Calls ``mapper`` with the items of each value, which is a list."""
        return self._apply(lib.belay_op_reduce_each(*of_callable("pb_combine", mapper)))
