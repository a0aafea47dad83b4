"""Tests of signals under virtual time, by marble diagrams, and drawings of what happened.

The notation is RxJS's: ``-`` is a millisecond, a letter or digit a value, ``|`` the completion,
``#`` an error, ``(ab|)`` what happens at once, ``^`` and ``!`` a subscription's beginning and end.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any, Self

from ._core import NULL, Handle, callback, check, handle, text, value_of
from ._native import ffi, lib
from ._schedulers import Scheduler
from ._signals import Signal


#: The tests that expect something and have not been run since: see `unrun`.
_expecting: weakref.WeakSet[MarbleTest] = weakref.WeakSet()


class MarbleTest:
    """A test: makes signals of diagrams, says what is expected, and runs. Values are compared by
    ``==``. As a ``with`` block, it runs at the end of the block. Under pytest, a test that expects
    something and was never run fails."""

    __slots__ = ("_c", "_known", "__weakref__", "scheduler")
    #: The test's virtual time, for operators that take a scheduler.
    scheduler: Scheduler

    def __init__(self) -> None:
        self._c = ffi.gc(lib.belay_marbles_create(), lib.belay_marbles_release)
        self._known: list[Any] = []
        self.scheduler = Scheduler._lent(lib.belay_marbles_get_scheduler(self._c))
        self._define({digit: int(digit) for digit in "0123456789"})

    def define(self, **marks: Any) -> None:
        """Gives letters a meaning: a digit is else that number, and a letter itself."""
        self._define(marks)

    def _define(self, marks: Mapping[str, Any]) -> None:
        for mark, value in marks.items():
            if len(mark) != 1:
                raise ValueError(f"a mark is one letter or digit, not {mark!r}")
            meant = self._first_equal(value)
            if meant is value:
                self._known.append(value)
            check(lib.belay_marbles_define(self._c, mark.encode(), value_of(meant)))

    def _first_equal(self, value: Any) -> Any:
        """The value with a mark that equals this one, else this one: the library itself tells
        objects apart by what they are."""
        for each in self._known:
            try:
                if each is value or each == value:
                    return each
            except Exception:
                continue  # such as an array's, which has no truth
        return value

    def cold(self, diagram: str, values: Mapping[str, Any] | None = None) -> Signal[Any]:
        """A signal that sends the diagram to each subscription. ``values`` are the meanings of its
        marks."""
        self._define(values or {})
        return Signal._of(lib.belay_marbles_cold(self._c, diagram.encode()))

    def hot(self, diagram: str, values: Mapping[str, Any] | None = None) -> Signal[Any]:
        """A signal whose events happen whether or not it has a subscription."""
        self._define(values or {})
        return Signal._of(lib.belay_marbles_hot(self._c, diagram.encode()))

    def expect(
        self,
        signal: Signal[Any],
        diagram: str,
        values: Mapping[str, Any] | None = None,
        *,
        subscription: str | None = None,
    ) -> None:
        """Expects a signal to do what the diagram says; ``subscription`` ("--^---!") is when it is
        subscribed to and disposed of."""
        self._define(values or {})
        _expecting.add(self)
        compared = signal._apply(lib.belay_op_map(*callback("pb_map", self._first_equal)))
        span = NULL if subscription is None else subscription.encode()
        check(lib.belay_marbles_expect(self._c, handle(compared), span, diagram.encode()))

    def expect_subscriptions(self, source: Signal[Any], *subscriptions: str) -> None:
        """Expects these subscriptions to a signal of this test's."""
        _expecting.add(self)
        spans = [ffi.new("char[]", each.encode()) for each in subscriptions]
        check(lib.belay_marbles_expect_subscriptions(self._c, source._c, spans, len(spans)))

    def run(self) -> None:
        """Lets an hour pass. Raises AssertionError, which draws both, when it is not as
        expected."""
        _expecting.discard(self)
        code = lib.belay_marbles_run(self._c)
        if code == lib.BELAY_EMISMATCH:
            raise AssertionError(f"not what was expected\n{_message()}")
        check(code)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        if raised[0] is None:
            self.run()
        else:
            _expecting.discard(self)


def _message() -> str:
    """The message of the failure of the call that has just answered."""
    return text(lib.belay_error_message(lib.belay_last_error()))


def unrun() -> int:
    """How many marble tests expect something and have not been run. Forgets them."""
    count = len(_expecting)
    _expecting.clear()
    return count


class Drawing(Handle):
    """Runs as marbles, as text and as SVG."""

    __slots__ = ()
    _releaser = lib.belay_drawing_release

    def __init__(self, frame: float = 0.001) -> None:
        """``frame`` is how many seconds a character stands for."""
        self._own(lib.belay_drawing_create(frame))

    def record(self, signal: Signal[Any], name: str, scheduler: Scheduler) -> Signal[Any]:
        """The same signal, whose subscriptions are drawn in a line of their own."""
        named = name.encode()
        made = lib.belay_drawing_record(self._c, scheduler._c, handle(signal), named)
        return Signal._of(made)

    def box(self, text: str) -> None:
        """A box with an operator's name."""
        check(lib.belay_drawing_box(self._c, text.encode()))

    def row(self, name: str) -> None:
        """Begins a line, for marks."""
        check(lib.belay_drawing_row(self._c, name.encode()))

    def mark(self, seconds: float, label: str | None) -> None:
        """A value on the line begun last; None is its completion."""
        if label is None:
            check(lib.belay_drawing_mark(self._c, lib.BELAY_MARK_COMPLETED, seconds, NULL))
        else:
            mark = lib.BELAY_MARK_NEXT
            check(lib.belay_drawing_mark(self._c, mark, seconds, label.encode()))

    def diagram(self, name: str, diagram: str) -> None:
        """A line that a diagram tells."""
        check(lib.belay_drawing_diagram(self._c, name.encode(), diagram.encode()))

    def define(self, **marks: str) -> None:
        """Gives letters of the diagrams that follow a label."""
        for mark, label in marks.items():
            check(lib.belay_drawing_define(self._c, mark.encode(), label.encode()))

    def _written(self, write: Any) -> str:
        size = write(self._c, NULL, 0) + 1
        room = ffi.new("char[]", size)
        write(self._c, room, size)
        return str(ffi.string(room), "utf-8", "replace")

    def __str__(self) -> str:
        return self._written(lib.belay_drawing_text)

    @property
    def svg(self) -> str:
        """The drawing as SVG."""
        return self._written(lib.belay_drawing_svg)
