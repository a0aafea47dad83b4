"""Several signals that become one whose values are theirs."""

from __future__ import annotations

from typing import Any

from ._core import handles
from ._native import lib
from ._signal import Signal


def merge(*signals: Any) -> Signal[Any]:
    """The values of all, as they come."""
    return Signal._of(lib.belay_signal_merge(*handles(signals)))


def merge_delay_error(*signals: Any) -> Signal[Any]:
    """The same, but an error waits until all have ended."""
    return Signal._of(lib.belay_signal_merge_delay_error(*handles(signals)))


def concat(*signals: Any) -> Signal[Any]:
    """The values of one after the other."""
    return Signal._of(lib.belay_signal_concat(*handles(signals)))
