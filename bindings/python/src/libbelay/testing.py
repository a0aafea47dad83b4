"""Tests of signals under virtual time, by marble diagrams, and drawings of what happened.

The notation is RxJS's: ``-`` is a millisecond, a letter or digit a value, ``|`` the completion,
``#`` an error, ``(ab|)`` what happens at once, ``^`` and ``!`` a subscription's beginning and end.
"""

from __future__ import annotations

import itertools
import sys
import unittest
import warnings
from collections.abc import Mapping
from typing import Any, Self

from ._core import (
    NULL, Handle, callback, check, encoded, function_address, give, handle, owned, text, value_of,
    written,
)  # fmt: skip
from ._native import ffi, lib
from ._schedulers import Scheduler
from ._signals import Signal


#: The tests that expect something and have not been run since, by their numbers, and where each was
#: made. A test that goes stays here: see `unrun`.
_expecting: dict[int, str] = {}
_numbers = itertools.count()
_RELEASE = function_address("belay_marbles_release")


class _Meanings(list[Any]):
    """The values that marks mean."""

    def first_equal(self, value: Any) -> Any:
        """The value with a mark that equals this one, else this one: the library itself tells
        objects apart by what they are."""
        for each in self:
            try:
                if each is value or each == value:
                    return each
            except Exception:
                continue  # such as an array's, which has no truth
        return value


class MarbleTest:
    """A test: makes signals of diagrams, says what is expected, and runs. Values are compared by
    ``==``. A source belongs to the run that follows. As a ``with`` block, it runs at the end of the
    block. Under pytest, and in a `MarbleCase`, a test that expects something and was never run fails;
    elsewhere Python warns of it when it goes."""

    __slots__ = ("_c", "_known", "_number", "_site", "__weakref__", "scheduler")
    #: The test's virtual time, for operators that take a scheduler.
    scheduler: Scheduler

    def __init__(self) -> None:
        self._c, _ = owned(lib.belay_marbles_create(), _RELEASE)
        self._known = _Meanings()
        self._number = next(_numbers)
        frame = sys._getframe(1)
        self._site = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        self.scheduler = Scheduler._lent(lib.belay_marbles_get_scheduler(self._c))
        self._define({digit: int(digit) for digit in "0123456789"})

    def define(self, **marks: Any) -> None:
        """Gives letters a meaning: a digit is else that number, and a letter itself."""
        self._define(marks)

    def _define(self, marks: Mapping[str, Any]) -> None:
        for mark, value in marks.items():
            if len(mark) != 1:
                raise ValueError(f"a mark is one letter or digit, not {mark!r}")
            meant = self._known.first_equal(value)
            if meant is value:
                self._known.append(value)
            check(give(lib.belay_marbles_define, self._c, encoded(mark), value_of(meant)))

    def cold(self, diagram: str, values: Mapping[str, Any] | None = None) -> Signal[Any]:
        """A signal that sends the diagram to each subscription. ``values`` are the meanings of its
        marks."""
        self._define(values or {})
        return Signal._of(lib.belay_marbles_cold(self._c, encoded(diagram)))

    def hot(self, diagram: str, values: Mapping[str, Any] | None = None) -> Signal[Any]:
        """A signal whose events happen whether or not it has a subscription."""
        self._define(values or {})
        return Signal._of(lib.belay_marbles_hot(self._c, encoded(diagram)))

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
        _expecting[self._number] = self._site
        # Not a method of this object: Belay keeps the callable, and this object keeps Belay's.
        compared = signal._apply(lib.belay_op_map, *callback("pb_map", self._known.first_equal))
        span = NULL if subscription is None else encoded(subscription)
        check(give(lib.belay_marbles_expect, self._c, handle(compared), span, encoded(diagram)))

    def expect_subscriptions(self, source: Signal[Any], *subscriptions: str) -> None:
        """Expects these subscriptions to a signal of this test's."""
        _expecting[self._number] = self._site
        spans = [ffi.new("char[]", encoded(each)) for each in subscriptions]
        check(lib.belay_marbles_expect_subscriptions(self._c, source._c, spans, len(spans)))

    def run(self) -> None:
        """Lets an hour pass. Raises AssertionError, which draws both, when it is not as
        expected."""
        _expecting.pop(self._number, None)
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
            _expecting.pop(self._number, None)

    def __del__(self) -> None:
        if _expecting and self._number in _expecting:
            warnings.warn(f"{NEVER_RUN}: {self._site}", RuntimeWarning, stacklevel=2)


def _message() -> str:
    """The message of the failure of the call that has just answered."""
    return text(lib.belay_error_message(lib.belay_last_error()))


NEVER_RUN = "a MarbleTest expects something and was never run: call its run()"


def next_number() -> int:
    """The number of a test that would be made now, for `unrun`."""
    return next(_numbers)


def unrun(since: int = 0) -> list[str]:
    """Where the marble tests were made, of those with this number or a later one, that expect
    something and have not been run. Forgets them."""
    found = [number for number in _expecting if number >= since]
    return [_expecting.pop(number) for number in found]


class MarbleCase(unittest.TestCase):
    """A test case of unittest whose tests fail where they make a `MarbleTest` that expects something
    and is never run."""

    def run(self, result: unittest.TestResult | None = None) -> unittest.TestResult | None:
        """As unittest's. The check comes behind all other clean-ups."""
        self.addCleanup(self._all_were_run, next_number())
        return super().run(result)

    def _all_were_run(self, since: int) -> None:
        for site in unrun(since):
            self.fail(f"{NEVER_RUN}: {site}")


class Drawing(Handle):
    """Runs as marbles, as text and as SVG."""

    __slots__ = ()
    _releaser = function_address("belay_drawing_release")

    def __init__(self, frame: float = 0.001) -> None:
        """``frame`` is how many seconds a character stands for."""
        self._own(lib.belay_drawing_create(frame))

    def record(self, signal: Signal[Any], name: str, scheduler: Scheduler) -> Signal[Any]:
        """The same signal, whose subscriptions are drawn in a line of their own."""
        named = encoded(name)
        made = give(lib.belay_drawing_record, self._c, scheduler._c, handle(signal), named)
        return Signal._of(made)

    def box(self, text: str) -> None:
        """A box with an operator's name."""
        check(lib.belay_drawing_box(self._c, encoded(text)))

    def row(self, name: str) -> None:
        """Begins a line, for marks."""
        check(lib.belay_drawing_row(self._c, encoded(name)))

    def mark(self, seconds: float, label: str | None) -> None:
        """A value on the line begun last; None is its completion."""
        if label is None:
            check(lib.belay_drawing_mark(self._c, lib.BELAY_MARK_COMPLETED, seconds, NULL))
        else:
            mark = lib.BELAY_MARK_NEXT
            check(lib.belay_drawing_mark(self._c, mark, seconds, encoded(label)))

    def diagram(self, name: str, diagram: str) -> None:
        """A line that a diagram tells."""
        check(lib.belay_drawing_diagram(self._c, encoded(name), encoded(diagram)))

    def define(self, **marks: str) -> None:
        """Gives letters of the diagrams that follow a label."""
        for mark, label in marks.items():
            check(lib.belay_drawing_define(self._c, encoded(mark), encoded(label)))

    def __str__(self) -> str:
        return written(lib.belay_drawing_text, self._c)

    @property
    def svg(self) -> str:
        """The drawing as SVG."""
        return written(lib.belay_drawing_svg, self._c)
