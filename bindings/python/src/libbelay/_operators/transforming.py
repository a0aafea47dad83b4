"""Operators that make something else of values and ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import Source, Seconds, callback, count_of, handle, of_callable, scheduler, seconds, value_of
from .._native import ffi, lib
from .base import MAP, Operators, T, U
from .keys import Keys

if TYPE_CHECKING:
    from .._schedulers import Scheduler
    from .._signals import Signal


def _timed(given: Scheduler | None, time: Seconds, count: int | None) -> tuple[Any, float, int]:
    return scheduler(given), seconds(time), count_of(count)


class Transforming(Operators[T]):
    __slots__ = ()

    def map(self, mapper: Callable[[T], U]) -> Signal[U]:
        """Each value becomes what ``mapper`` returns. With an expression (`it`) that is done in
        C."""
        return self._staged(MAP, mapper)

    # [operators transforming] written by `scripts/api write` from docs/operators.tsv
    def map_to(self, value: U) -> Signal[U]:
        """Sends ``value`` in place of each value."""
        return self._apply(lib.belay_op_map_to, _core.value_of(value))

    def enumerated(self) -> Signal[list[Any]]:
        """Sends [index value] for each value. The index counts from 0."""
        return self._apply(lib.belay_op_enumerated)

    def pairwise(self) -> Signal[list[T]]:
        """Sends [previous current] for each value except the first."""
        return self._apply(lib.belay_op_pairwise)

    def pairwise_from(self, start: U) -> Signal[list[Any]]:
        """Sends [previous current] for each value. Before the first value stands ``start``.
        (combinePrevious with an initial value in ReactiveSwift.)"""
        return self._apply(lib.belay_op_pairwise_from, _core.value_of(start))

    def buffer_by(self, notifier: Source[U]) -> Signal[list[T]]:
        """Sends an array of the values that came, also when it is empty, with each value of
        ``notifier`` and at the completion. The subscription to the source comes first. The
        completion of ``notifier`` changes nothing; its error ends the signal. An error drops what
        has been collected. Keeps the values of an array, without a bound. (RxJS's buffer.)"""
        return self._apply(lib.belay_op_buffer_by, _core.handle(notifier))

    def timestamp(self, scheduler_: Scheduler | None = None) -> Signal[list[Any]]:
        """Sends [seconds value]: the time on the scheduler's clock at which the value came."""
        return self._apply(lib.belay_op_timestamp, _core.scheduler(scheduler_))

    def time_interval(self, scheduler_: Scheduler | None = None) -> Signal[list[Any]]:
        """Sends [seconds value]: the time since the value before it; for the first value, since the
        subscription."""
        return self._apply(lib.belay_op_time_interval, _core.scheduler(scheduler_))

    def lines(self, limit: int) -> Signal[T]:
        """Sends the lines without their ends, LF or CR LF. The last one needs no end; a CR at its
        end goes, too."""
        return self._apply(lib.belay_op_lines, limit)

    def frames_fixed(self, size: int) -> Signal[T]:
        """Sends frames of ``size`` bytes. The last one may be shorter."""
        return self._apply(lib.belay_op_frames_fixed, size)

    def utf8(self) -> Signal[T]:
        """Sends strings instead of bytes, one for each value. A character that is cut is put
        together with the next value. Bytes that are not UTF-8 are the error EILSEQ."""
        return self._apply(lib.belay_op_utf8)
    # [end]

    def compact_map(self, mapper: Callable[[T], U | None]) -> Signal[U]:
        """Each value becomes what ``mapper`` returns; None is dropped."""
        return self._apply(lib.belay_op_compact_map, *of_callable("pb_map", mapper))

    def frames_delimited(self, delimiter: bytes, limit: int) -> Signal[T]:
        """The frames between the delimiters. A frame of more than ``limit`` bytes is EMSGSIZE."""
        data = ffi.from_buffer(delimiter)
        return self._apply(lib.belay_op_frames_delimited, data, len(delimiter), limit)

    def frames_prefixed(self, width: int, limit: int, little_endian: bool = False) -> Signal[T]:
        """Frames that have their length in front, a number of ``width`` bytes."""
        return self._apply(lib.belay_op_frames_prefixed, width, limit, little_endian)

    def map_error(self, mapper: Callable[[BaseException], BaseException]) -> Signal[T]:
        """The error becomes the exception that ``mapper`` returns."""
        return self._apply(lib.belay_op_map_error, *of_callable("pb_map_error", mapper))

    def scan(self, accumulator: Callable[[U, T], U], seed: U) -> Signal[U]:
        """``accumulator(accumulated, value)`` for each value, beginning with ``seed``."""
        called = of_callable("pb_scan", accumulator)
        return self._apply(lib.belay_op_scan, value_of(seed), *called)

    def with_owner(self, owner: Any) -> Signal[list[Any]]:
        """``[owner, value]`` for each value, until the owner begins to die, which completes. The
        list keeps the owner from dying meanwhile."""
        from .._owners import as_owner

        return self._apply(lib.belay_op_with_owner, as_owner(owner)._c)

    def buffer(self, count: int, skip: int | None = None) -> Signal[list[T]]:
        """Lists of ``count`` values, of which one begins with every ``skip``-th."""
        if skip is None:
            return self._apply(lib.belay_op_buffer, count)
        return self._apply(lib.belay_op_buffer_skip, count, skip)

    def buffer_time(
        self, time: Seconds, count: int | None = None, scheduler_: Scheduler | None = None
    ) -> Signal[list[T]]:
        """A list every so many seconds, or as soon as ``count`` values have come."""
        return self._apply(lib.belay_op_buffer_time, *_timed(scheduler_, time, count))

    def window(self, count: int, skip: int | None = None) -> Signal[Signal[T]]:
        """Signals of ``count`` values, of which one begins with every ``skip``-th
        (None: ``count``)."""
        return self._apply(lib.belay_op_window, count, count if skip is None else skip)

    def window_time(
        self, time: Seconds, count: int | None = None, scheduler_: Scheduler | None = None
    ) -> Signal[Signal[T]]:
        """A signal every so many seconds, or for every ``count`` values."""
        return self._apply(lib.belay_op_window_time, *_timed(scheduler_, time, count))

    def window_toggle(self, openings: Source[U], closing: Callable[[U], Source[Any]]) -> Signal[Signal[T]]:
        """A signal for each value of ``openings``, until that of ``closing(value)`` sends."""
        called = of_callable("pb_flat_map", closing)
        return self._apply(lib.belay_op_window_toggle, handle(openings), *called)

    def window_by(self, notifier: Source[Any]) -> Signal[Signal[T]]:
        """Windows that follow each other: each value of ``notifier`` ends one and begins another."""
        return self._apply(lib.belay_op_window_by, handle(notifier))

    def materialize(self) -> Signal[list[Any]]:
        """The events as values: ``[0, value]``, ``[1, error]``, ``[2]``."""
        return self._apply(lib.belay_op_materialize)

    def dematerialize(self) -> Signal[Any]:
        """Such values as events again; an exception in ``[1, exception]`` is the error."""
        events = self._apply(lib.belay_op_map, *callback("pb_event", None))
        return events._apply(lib.belay_op_dematerialize)

    def group_by(self, key: Callable[[T], Any]) -> Signal[Signal[T]]:
        """A signal for each key, which is its ``key``, with the values of that key."""
        if not callable(key):
            raise TypeError(f"{key!r} is not callable")
        return self._apply(lib.belay_op_group_by, *callback("pb_map", Keys(key)))

    def group_by_until(
        self, key: Callable[[T], Any], until: Callable[[Signal[T]], Source[Any]]
    ) -> Signal[Signal[T]]:
        """Groups values as ``group_by`` does. A group completes, and is forgotten, when the signal of
        ``until(group)`` sends or completes. ``until`` is called before the group is sent."""
        for each in (key, until):
            if not callable(each):
                raise TypeError(f"{each!r} is not callable")
        call, ctx, free = callback("pb_group_key", (Keys(key), until))
        closing = ffi.addressof(lib, "pb_group_until")
        return self._apply(lib.belay_op_group_by_until, call, closing, ctx, free)
