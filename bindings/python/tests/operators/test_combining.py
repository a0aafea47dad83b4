"""Several signals that become one by their values, with what is special to Python."""

# The callables of the tables below have no types.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

import enum
import unittest
from typing import Any

import libbelay
from libbelay import Subject, of
from support import Case, Trace, told


class Combining(Case):
    def test_values(self) -> None:
        three = of(1, 2, 3)
        for signal, expected in (
            (of([1, 2], [3, 4]).starmap(lambda a, b: a + b), [3, 7]),
            (three.zip(three).starmap(lambda a, b: a * b), [1, 4, 9]), (of(True).not_(), [False]),
            (three.start_with(8, 9), [8, 9, 1, 2, 3]), (three.end_with(8), [1, 2, 3, 8]),
        ):  # fmt: skip
            self.assertEqual(told(signal), [*expected, "|"])

    def test_joining(self) -> None:
        a, b = Subject[int](), Subject[int]()
        trace = Trace()
        for each in (
            libbelay.combine_latest(a, b), a.combine_latest(b, combiner=lambda x, y: x * y),
            libbelay.zip(a, b), a.zip(b, combiner=max), a.with_latest_from(b), libbelay.race(a, b),
            libbelay.merge(a, b), a.race(b),
            libbelay.concat(a, b), libbelay.merge_delay_error(a, b),
        ):  # fmt: skip
            each.subscribe(trace)
        a.on_next(3)
        self.assertEqual(trace, [3, 3, 3, 3, 3])
        trace.clear()
        b.on_next(4)
        self.assertEqual(trace, [(3, 4), 12, (3, 4), 4, 4, 4])
        trace.clear()
        a.on_next(5)
        self.assertEqual(trace, [(5, 4), 20, (5, 4), 5, 5, 5, 5, 5])
        for each in (a, b):
            each.on_completed()

    def test_bools(self) -> None:
        a, b = Subject[bool](), Subject[bool]()
        trace = Trace()
        libbelay.and_(a, b).subscribe(trace)
        libbelay.or_(a, b).subscribe(trace)
        libbelay.if_then_else(a, of("yes"), of("no")).subscribe(trace)
        libbelay.switch_on(a, {True: of("T")}, of("else")).subscribe(trace)
        a.on_next(True)
        b.on_next(False)
        a.on_next(False)
        self.assertEqual(trace, ["yes", "T", False, True, False, False, "no", "else"])
        for each in (a, b):
            each.on_completed()

    def test_cases_are_those_of_the_mapping(self) -> None:
        class Color(enum.IntEnum):
            RED = 1

        for key, wanted in (
            ((0, 1), tuple([0, 1])), (Color.RED, 1), (1, Color.RED), (1, 1.0), (1, True),
            (None, None), (10**30, int("1" + "0" * 30)), (frozenset("a"), frozenset("a")), ("a", "a"),
        ):  # fmt: skip
            cases: dict[Any, libbelay.Signal[str]]
            cases = {"other": of("wrong"), key: of("right"), -1: of("wrong")}
            keys: libbelay.Signal[Any] = of(wanted)
            self.assertEqual(told(libbelay.switch_on(keys, cases, of("else"))), ["right", "|"], key)
        keys = of(1, 2, 3)
        self.assertEqual(
            told(libbelay.switch_on(keys, {1: of("a"), 3: of("c")}, of("else"))),
            ["a", "else", "c", "|"],
        )
        self.assertIn("EINVAL", told(libbelay.switch_on(keys, {1: of("a")}))[1])
        unhashable: libbelay.Signal[Any] = of([1])
        failed = told(libbelay.switch_on(unhashable, {1: of("a")}, of("else")))
        self.assertIn("TypeError: unhashable", failed[0])


if __name__ == "__main__":
    unittest.main()
