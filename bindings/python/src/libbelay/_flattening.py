"""Several signals that become one whose values are theirs."""

from __future__ import annotations

from typing import TypeVar

from ._core import Source, give, handles
from ._native import lib
from ._signals import Signal

T = TypeVar("T")


def merge(*signals: Source[T]) -> Signal[T]:
    """The values of all, as they come."""
    return Signal._of(give(lib.belay_signal_merge, *handles(signals)))


def merge_delay_error(*signals: Source[T]) -> Signal[T]:
    """The same, but an error waits until all have ended."""
    return Signal._of(give(lib.belay_signal_merge_delay_error, *handles(signals)))


def concat(*signals: Source[T]) -> Signal[T]:
    """The values of one after the other."""
    return Signal._of(give(lib.belay_signal_concat, *handles(signals)))
