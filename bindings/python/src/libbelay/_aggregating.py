"""Operators that make one value of a whole signal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._base import Operators, T
from ._core import handle, of_callable, of_optional, value_of
from ._native import lib

if TYPE_CHECKING:
    from ._signal import Signal


class Aggregating(Operators[T]):
    __slots__ = ()

    def default_if_empty(self, default: Any) -> Signal[Any]:
        """``default`` when there were no values."""
        return self._native(lib.belay_op_default_if_empty(value_of(default)))

    def switch_if_empty(self, other: Any) -> Signal[Any]:
        """Goes on with another signal when there were no values."""
        return self._apply(lib.belay_op_switch_if_empty(handle(other)))

    def contains(self, wanted: Any) -> Signal[bool]:
        """Whether a value equals (``==``) ``wanted``."""
        if wanted is None or type(wanted) in (str, bytes):
            return self._native(lib.belay_op_contains(value_of(wanted)))
        return self.any(lambda value: value == wanted)

    def any(self, predicate: Callable[[T], Any] = bool) -> Signal[bool]:
        """Whether ``predicate`` is true for a value."""
        return self._apply(lib.belay_op_any(*of_callable("pb_predicate", predicate)))

    def all(self, predicate: Callable[[T], Any] = bool) -> Signal[bool]:
        """Whether ``predicate`` is true for all values."""
        return self._apply(lib.belay_op_all(*of_callable("pb_predicate", predicate)))

    def is_empty(self) -> Signal[bool]:
        """Whether there were no values."""
        return self._native(lib.belay_op_is_empty())

    def count(self) -> Signal[int]:
        """How many values there were."""
        return self._native(lib.belay_op_count())

    def min(self, less: Callable[[T, T], Any] | None = None) -> Signal[T]:
        """The smallest value, by ``less(a, b)``; without it numbers and strings only."""
        return self._apply(lib.belay_op_min(*of_optional("pb_compare", less)))

    def max(self, less: Callable[[T, T], Any] | None = None) -> Signal[T]:
        """The largest value, by ``less(a, b)``; without it numbers and strings only."""
        return self._apply(lib.belay_op_max(*of_optional("pb_compare", less)))

    def sum(self) -> Signal[Any]:
        """The sum of numbers; an error of ERANGE beyond 64 bits."""
        return self._native(lib.belay_op_sum())

    def average(self) -> Signal[float]:
        """The mean of numbers."""
        return self._native(lib.belay_op_average())
