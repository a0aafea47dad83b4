"""Several signals that become one by their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, overload

from ._core import NULL, Source, as_signal, give, handle, handles, joining, value_of
from ._native import lib
from ._operators.base import MAP
from ._signals import Signal

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
U = TypeVar("U")


@overload
def combine_latest(a: Source[A], b: Source[B], /) -> Signal[tuple[A, B]]: ...
@overload
def combine_latest(a: Source[A], b: Source[B], /, *, combiner: Callable[[A, B], U]) -> Signal[U]: ...
@overload
def combine_latest(a: Source[A], b: Source[B], c: Source[C], /) -> Signal[tuple[A, B, C]]: ...
@overload
def combine_latest(
    a: Source[A], b: Source[B], c: Source[C], /, *, combiner: Callable[[A, B, C], U]
) -> Signal[U]: ...
@overload
def combine_latest(
    a: Source[A], b: Source[B], c: Source[C], d: Source[D], /
) -> Signal[tuple[A, B, C, D]]: ...
@overload
def combine_latest(*signals: Source[A]) -> Signal[tuple[A, ...]]: ...
@overload
def combine_latest(*signals: Source[Any], combiner: Callable[..., U] | None = None) -> Signal[U]: ...
def combine_latest(
    *signals: Source[Any], combiner: Callable[..., Any] | None = None
) -> Signal[Any]:
    """The latest values of all, as a tuple, or what ``combiner`` makes of them, each time that one
    sends."""
    return Signal._of(give(lib.belay_signal_combine_latest, *handles(signals), *joining(combiner)))


# The overloads are those of combine_latest: a type checker wants them at each function.
@overload
def zip(a: Source[A], b: Source[B], /) -> Signal[tuple[A, B]]: ...
@overload
def zip(a: Source[A], b: Source[B], /, *, combiner: Callable[[A, B], U]) -> Signal[U]: ...
@overload
def zip(a: Source[A], b: Source[B], c: Source[C], /) -> Signal[tuple[A, B, C]]: ...
@overload
def zip(
    a: Source[A], b: Source[B], c: Source[C], /, *, combiner: Callable[[A, B, C], U]
) -> Signal[U]: ...
@overload
def zip(
    a: Source[A], b: Source[B], c: Source[C], d: Source[D], /
) -> Signal[tuple[A, B, C, D]]: ...
@overload
def zip(*signals: Source[A]) -> Signal[tuple[A, ...]]: ...
@overload
def zip(*signals: Source[Any], combiner: Callable[..., U] | None = None) -> Signal[U]: ...
def zip(
    *signals: Source[Any], combiner: Callable[..., Any] | None = None
) -> Signal[Any]:
    """The first values of all, as a tuple, or what ``combiner`` makes of them, then the second…"""
    return Signal._of(give(lib.belay_signal_zip, *handles(signals), *joining(combiner)))


def race(*signals: Source[A]) -> Signal[A]:
    """The events of whichever signal is the first to send one."""
    return Signal._of(give(lib.belay_signal_race, *handles(signals)))


def if_then_else(condition: Source[bool], yes: Source[A], no: Source[B]) -> Signal[A | B]:
    """The values of ``yes`` while the latest of ``condition`` is true, of ``no`` while it is
    false."""
    signals = handle(condition), handle(yes), handle(no)
    return Signal._of(give(lib.belay_signal_if_then_else, *signals))


def switch_on(
    keys: Source[A], cases: Mapping[A, Source[B]], otherwise: Source[B] | None = None
) -> Signal[B]:
    """The values of the signal whose key the latest of ``keys`` is, else those of ``otherwise``;
    without that, any other key is the error EINVAL. Keys are those of a dict: hashable, and
    compared by ``==``."""
    signals, count = handles(cases.values())
    # Python compares the keys, and Belay the numbers of their cases.
    numbers: dict[Any, int] = {key: number for number, key in enumerate(cases)}
    chosen = as_signal(keys)._staged(MAP, lambda key: numbers.get(key, -1))
    values = [value_of(number) for number in numbers.values()]
    other = NULL if otherwise is None else handle(otherwise)
    return Signal._of(
        give(lib.belay_signal_switch_on, handle(chosen), values, signals, count, other)
    )


def and_(*signals: Source[bool]) -> Signal[bool]:
    """Whether the latest values of all are true."""
    return Signal._of(give(lib.belay_signal_and, *handles(signals)))


def or_(*signals: Source[bool]) -> Signal[bool]:
    """Whether at least one of the latest values is true."""
    return Signal._of(give(lib.belay_signal_or, *handles(signals)))
