"""The base of the families of operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from .._signal import Signal

T = TypeVar("T")
U = TypeVar("U")


#: The stages that run in one go: see `Signal`.
MAP, FILTER, DO = 0, 1, 2


class Operators(Generic[T]):
    """A family of operators; `Signal` has them all."""

    __slots__ = ()

    if TYPE_CHECKING:
        _c: Any

        def _apply(self, op: Any) -> Signal[Any]: ...
        def _native(self, op: Any) -> Signal[Any]: ...
        def _staged(self, kind: int, call: Callable[[Any], Any]) -> Signal[Any]: ...
        def do(self, *, on_error: Callable[[BaseException], Any]) -> Signal[T]: ...
