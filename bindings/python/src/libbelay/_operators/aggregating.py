"""Operators that make one value of a whole signal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import Source, of_callable, of_optional, value_of
from .._native import lib
from .base import Operators, T, U
from .keys import is_native

if TYPE_CHECKING:
    from .._signals import Signal


class Aggregating(Operators[T]):
    __slots__ = ()

    # [operators aggregating] written by `scripts/api write` from docs/operators.tsv
    def default_if_empty(self, fallback: U) -> Signal[T | U]:
        """Passes on the values of the source. Sends ``fallback`` when there were none."""
        return self._apply(lib.belay_op_default_if_empty, _core.value_of(fallback))

    def switch_if_empty(self, other: Source[U]) -> Signal[T | U]:
        """Passes on the values of the source. Continues with ``other`` when there were none."""
        return self._apply(lib.belay_op_switch_if_empty, _core.handle(other))

    def is_empty(self) -> Signal[bool]:
        """Sends false at the first value, else true."""
        return self._apply(lib.belay_op_is_empty)

    def count(self) -> Signal[int]:
        """Sends the number of values, as a uint64."""
        return self._apply(lib.belay_op_count)

    def average(self) -> Signal[float]:
        """Sends the mean of the values, as a double. Only completes when there were no values. Ends
        with EKIND at a value that is not a number."""
        return self._apply(lib.belay_op_average)

    def collect(self) -> Signal[list[T]]:
        """Sends all values as one array at completion, and nothing on an error. Keeps every value
        until then."""
        return self._apply(lib.belay_op_collect)
    # [end]

    def contains(self, wanted: Any) -> Signal[bool]:
        """Whether a value equals (``==``) ``wanted``."""
        if wanted is None or type(wanted) in (str, bytes) and is_native(wanted):
            return self._apply(lib.belay_op_contains, value_of(wanted))

        def is_wanted(value: Any) -> Any:
            return value == wanted

        return self.any(is_wanted)

    def any(self, predicate: Callable[[T], Any] = bool) -> Signal[bool]:
        """Whether ``predicate`` is true for a value."""
        return self._apply(lib.belay_op_any, *of_callable("pb_predicate", predicate))

    def all(self, predicate: Callable[[T], Any] = bool) -> Signal[bool]:
        """Whether ``predicate`` is true for all values."""
        return self._apply(lib.belay_op_all, *of_callable("pb_predicate", predicate))

    def min(self, less: Callable[[T, T], Any] | None = None) -> Signal[T]:
        """The smallest value, by ``less(a, b)``; without it numbers and strings only."""
        return self._apply(lib.belay_op_min, *of_optional("pb_compare", less))

    def max(self, less: Callable[[T, T], Any] | None = None) -> Signal[T]:
        """The largest value, by ``less(a, b)``; without it numbers and strings only."""
        return self._apply(lib.belay_op_max, *of_optional("pb_compare", less))

    def sum(self) -> Signal[Any]:
        """The sum of numbers; an error of ERANGE beyond 64 bits."""
        return self._apply(lib.belay_op_sum)

    def reduce(self, accumulator: Callable[[U, T], U], seed: U) -> Signal[U]:
        """The last result of `scan`, at the completion; ``seed`` if there was no value."""
        called = of_callable("pb_scan", accumulator)
        return self._apply(lib.belay_op_reduce, value_of(seed), *called)
