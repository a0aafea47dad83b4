"""Binding: the values of a signal go to a subject. (A property binds itself.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._core import placed
from .._native import lib
from .base import Operators, T

if TYPE_CHECKING:
    from .._disposables import Subscription
    from .._signals import Signal


class Binding(Operators[T]):
    __slots__ = ()

    def bind(self, subject: Signal[T]) -> Subscription:
        """Sends all that comes, an end included, into a subject, at the subject's home."""
        from .._disposables import Subscription

        made: Subscription = placed(Subscription, lib.belay_signal_bind, self._c, subject._c)
        return made
