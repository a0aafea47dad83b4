"""Binding: the values of a signal go to a subject. (A property binds itself.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._core import check
from .._native import ffi, lib
from .base import Operators, T

if TYPE_CHECKING:
    from .._disposables import Subscription
    from .._signals import Signal


class Binding(Operators[T]):
    __slots__ = ()

    def bind(self, subject: Signal[T]) -> Subscription:
        """Sends all that comes, an end included, into a subject, at the subject's home."""
        from .._disposables import Subscription

        out = ffi.new("belay_disposable **")
        check(lib.belay_signal_bind(self._c, subject._c, out))
        return Subscription._of(out[0])
