"""The base of the families of operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from .._disposables import Subscription
    from .._loops import Loop
    from .._signals import Signal

T = TypeVar("T", covariant=True)
U = TypeVar("U")
#: As T, but for functions: a parameter's is not covariant.
V = TypeVar("V")
A = TypeVar("A")
B = TypeVar("B")


#: The stages that run in one go: see `Signal`.
MAP, FILTER, DO = 0, 1, 2


class Operators(Generic[T]):
    """A family of operators; `Signal` has them all."""

    __slots__ = ()

    if TYPE_CHECKING:
        _c: Any

        @property
        def _signal(self) -> Signal[T]: ...
        def _apply(self, operator: Any, *arguments: Any) -> Signal[Any]: ...
        def _staged(self, kind: int, call: Callable[[Any], Any]) -> Signal[Any]: ...
        def take(self, count: int) -> Signal[T]: ...
        def _heard_at(
            self, loop: Loop | None, on_next: Callable[[T], object],
            on_end: Callable[[BaseException | None], object],
        ) -> Subscription: ...  # fmt: skip
        def do(
            self, on_next: Callable[[T], Any] | None = None,
            on_error: Callable[[BaseException], Any] | None = None,
            on_completed: Callable[[], Any] | None = None,
            *, on_disposed: Callable[[], Any] | None = None,
        ) -> Signal[T]: ...  # fmt: skip
