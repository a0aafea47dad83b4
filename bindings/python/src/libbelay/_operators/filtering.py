"""Operators that choose among a signal's values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from .. import _core
from .._core import Source, callback, check, give, handle, of_callable, of_optional, value_of
from .._expressions import it
from .._native import ffi, lib
from .base import FILTER, Operators, T, U
from .keys import Keys, is_native

if TYPE_CHECKING:
    from .._schedulers import Scheduler
    from .._signals import Signal

_NONE: Any = object()
Predicate: TypeAlias = Callable[[U], Any]


class Filtering(Operators[T]):
    __slots__ = ()

    def filter(self, predicate: Callable[[T], Any]) -> Signal[T]:
        """Only values for which ``predicate`` is true. With an expression that is done in C."""
        return self._staged(FILTER, predicate)

    # [operators filtering] written by `scripts/api write` from docs/operators.tsv
    def take(self, count: int) -> Signal[T]:
        """Passes on the first ``count`` values. With the last of them it completes, and then ends
        its source. 0 completes at once, without subscribing."""
        return self._apply(lib.belay_op_take, count)

    def skip(self, count: int) -> Signal[T]:
        """Drops the first ``count`` values."""
        return self._apply(lib.belay_op_skip, count)

    def take_last(self, count: int) -> Signal[T]:
        """Sends the last ``count`` values when the source has completed. Keeps up to ``count``
        values. An error drops them. 0 completes at once, without subscribing."""
        return self._apply(lib.belay_op_take_last, count)

    def skip_last(self, count: int) -> Signal[T]:
        """Drops the last ``count`` values: each value is sent when ``count`` more have come. Keeps
        up to ``count`` values."""
        return self._apply(lib.belay_op_skip_last, count)

    def skip_while(self, predicate: Callable[[T], Any]) -> Signal[T]:
        """Drops values while ``drop`` returns true. Passes on the first other value and all values
        after it, without asking again."""
        return self._apply(lib.belay_op_skip_while, *_core.of_callable("pb_predicate", predicate))

    def take_until(self, trigger: Source[Any]) -> Signal[T]:
        """Passes on values until ``trigger`` sends a value; then it completes. If ``trigger``
        completes without a value, nothing changes; its error is passed on."""
        return self._apply(lib.belay_op_take_until, _core.handle(trigger))

    def skip_until(self, trigger: Source[Any]) -> Signal[T]:
        """Drops values until ``trigger`` sends one; it then disposes of ``trigger``. If ``trigger``
        completes without a value, only the end of the source is passed on. The error of ``trigger``
        is passed on."""
        return self._apply(lib.belay_op_skip_until, _core.handle(trigger))

    def take_until_replacement(self, replacement: Source[U]) -> Signal[T | U]:
        """Passes on the values of the source until ``replacement`` sends anything, a value or an
        end. From then on it passes on the events of ``replacement`` alone and disposes of the
        source. An error of the source ends the result. A completion of the source does not, because
        the replacement may still send."""
        return self._apply(lib.belay_op_take_until_replacement, _core.handle(replacement))

    def take_for(self, time: _core.Seconds, scheduler_: Scheduler | None = None) -> Signal[T]:
        """Passes on values for ``time`` after the subscription, then completes."""
        return self._apply(lib.belay_op_take_for, _core.scheduler(scheduler_), _core.seconds(time))

    def skip_for(self, time: _core.Seconds, scheduler_: Scheduler | None = None) -> Signal[T]:
        """Drops values for ``time`` after the subscription."""
        return self._apply(lib.belay_op_skip_for, _core.scheduler(scheduler_), _core.seconds(time))

    def take_last_for(self, time: _core.Seconds, scheduler_: Scheduler | None = None) -> Signal[T]:
        """Sends the values of the last ``time`` before the completion, at the completion. A value
        that is as old as ``time`` is dropped. Keeps the values of that time: 1024, unless
        belay_signal_set_queue() says otherwise; then it ends with EAGAIN."""
        return self._apply(
            lib.belay_op_take_last_for, _core.scheduler(scheduler_), _core.seconds(time)
        )

    def skip_last_for(self, time: _core.Seconds, scheduler_: Scheduler | None = None) -> Signal[T]:
        """Sends the values except those of the last ``time`` before the completion: each one with
        the first value, or the completion, that comes when it is as old as that. Keeps the values
        of that time."""
        return self._apply(
            lib.belay_op_skip_last_for, _core.scheduler(scheduler_), _core.seconds(time)
        )

    def find(self, predicate: Callable[[T], Any]) -> Signal[T]:
        """Sends the first value for which ``wanted`` returns true, then completes. Only completes
        when there is none."""
        return self._apply(lib.belay_op_find, *_core.of_callable("pb_predicate", predicate))
    # [end]

    def take_during(self, owner: Any) -> Signal[T]:
        """Until an owner, or any object, begins to die, which completes."""
        from .._owners import as_owner

        return self._apply(lib.belay_op_take_during, as_owner(owner)._c)

    def take_while(self, predicate: Predicate[T], inclusive: bool = False) -> Signal[T]:
        """Values while ``predicate`` is true, and the first for which it is not if
        ``inclusive``."""
        function, ctx, free = of_callable("pb_predicate", predicate)
        return self._apply(lib.belay_op_take_while, function, ctx, free, inclusive)

    def element_at(self, index: int, default: U = _NONE) -> Signal[T | U]:
        """The value at ``index``; when there is none ``default``, else an error of ERANGE."""
        if default is _NONE:
            return self._apply(lib.belay_op_element_at, index)
        return self._apply(lib.belay_op_element_at_or, index, value_of(default))

    def first(self, predicate: Predicate[T] | None = None) -> Signal[T]:
        """The first value (for which ``predicate`` is true); an error of ENOENT when there is
        none."""
        return self._apply(lib.belay_op_first, *of_optional("pb_predicate", predicate))

    def last(self, predicate: Predicate[T] | None = None) -> Signal[T]:
        """The last value, at the completion; an error of ENOENT when there is none."""
        return self._apply(lib.belay_op_last, *of_optional("pb_predicate", predicate))

    def single(self, predicate: Predicate[T] | None = None) -> Signal[T]:
        """The only value; an error of ENOENT when there is none, of ERANGE when there are more."""
        return self._apply(lib.belay_op_single, *of_optional("pb_predicate", predicate))

    def ignore_elements(self) -> Signal[Any]:
        """Only the end."""
        return self._apply(lib.belay_op_ignore_elements)

    def ignore(self, unwanted: Any) -> Signal[T]:
        """Drops values that equal (``==``) ``unwanted``."""
        if unwanted is None or type(unwanted) in (str, bytes) and is_native(unwanted):
            return self._apply(lib.belay_op_ignore, value_of(unwanted))
        return self.filter(it != unwanted)

    def distinct(self, key: Callable[[T], Any] | None = None) -> Signal[T]:
        """Drops what was there before: a value, or its key, which has to be hashable. Remembers
        each of them."""
        return self._apply(lib.belay_op_distinct, *callback("pb_map", Keys(key)))

    def distinct_until_changed(self, equal: Callable[[T, T], Any] | None = None) -> Signal[T]:
        """Drops a value that equals (``==``) the one before it."""
        if equal is None:
            called = callback("pb_equal", None)
        else:
            called = of_callable("pb_compare", equal)
        return self._apply(lib.belay_op_distinct_until_changed, *called)

    def partition(self, predicate: Predicate[T]) -> tuple[Signal[T], Signal[T]]:
        """Two signals: of the values for which ``predicate`` is true, and of the others."""
        from .._signals import Signal

        yes, no = ffi.new("belay_signal **"), ffi.new("belay_signal **")
        called = of_callable("pb_predicate", predicate)
        check(give(lib.belay_signal_partition, handle(self), *called, yes, no))
        return Signal._of(yes[0]), Signal._of(no[0])
