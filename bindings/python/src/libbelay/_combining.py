"""Several signals that become one by their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ._core import NULL, handle, handles, of_optional, value_of
from ._native import lib
from ._signal import Signal


def combine_latest(*signals: Any, combiner: Callable[..., Any] | None = None) -> Signal[Any]:
    """The latest values of all, as a list, or what ``combiner`` makes of them, each time that one
    sends."""
    called = of_optional("pb_combine", combiner)
    return Signal._of(lib.belay_signal_combine_latest(*handles(signals), *called))


def zip(*signals: Any, combiner: Callable[..., Any] | None = None) -> Signal[Any]:
    """The first values of all, as a list, or what ``combiner`` makes of them, then the second…"""
    called = of_optional("pb_combine", combiner)
    return Signal._of(lib.belay_signal_zip(*handles(signals), *called))


def race(*signals: Any) -> Signal[Any]:
    """The events of whichever signal is the first to send one."""
    return Signal._of(lib.belay_signal_race(*handles(signals)))


def if_then_else(condition: Any, yes: Any, no: Any) -> Signal[Any]:
    """The values of ``yes`` while the latest of ``condition`` is true, of ``no`` while it is
    false."""
    return Signal._of(lib.belay_signal_if_then_else(handle(condition), handle(yes), handle(no)))


def switch_on(keys: Any, cases: Mapping[Any, Any], otherwise: Any = None) -> Signal[Any]:
    """The values of the signal whose key the latest of ``keys`` is, else those of ``otherwise``."""
    signals, count = handles(cases.values())
    return Signal._of(
        lib.belay_signal_switch_on(
            handle(keys), [value_of(key) for key in cases], signals, count,
            NULL if otherwise is None else handle(otherwise),
        )
    )  # fmt: skip


def and_(*signals: Any) -> Signal[bool]:
    """Whether the latest values of all are true."""
    return Signal._of(lib.belay_signal_and(*handles(signals)))


def or_(*signals: Any) -> Signal[bool]:
    """Whether at least one of the latest values is true."""
    return Signal._of(lib.belay_signal_or(*handles(signals)))
