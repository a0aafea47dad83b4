"""Choosing among values, with what is special to Python."""

import unittest

from libbelay import Subject, of
from support import Case, Trace, odd, told


class Filtering(Case):
    def test_by_count(self) -> None:
        five = of(1, 2, 3, 4, 5)
        for signal, expected in (
            (five.take(2), [1, 2]), (five.skip(3), [4, 5]), (five.take_last(2), [4, 5]),
            (five.skip_last(3), [1, 2]), (five.element_at(1), [2]), (five.element_at(9, "x"),
            ["x"]), (five.first(), [1]), (five.last(), [5]), (five.first(lambda v: v > 2), [3]),
            (five.last(odd), [5]), (five.single(lambda v: v == 4), [4]), (five.find(odd), [1]),
            (five.ignore_elements(), []), (five.take_while(lambda v: v < 3), [1, 2]),
            (five.take_while(lambda v: v < 3, inclusive=True), [1, 2, 3]),
            (five.skip_while(lambda v: v < 4), [4, 5]), (five.filter(odd), [1, 3, 5]),
            (five.ignore(3), [1, 2, 4, 5]), (of("a", "b").ignore("a"), ["b"]),
        ):  # fmt: skip
            self.assertEqual(told(signal), [*expected, "|"])
        self.assertEqual(told(five.single()), ["BelayError: ERANGE: more than one value"])
        yes, no = five.partition(odd)
        self.assertEqual(told(yes) + told(no), [1, 3, 5, "|", 2, 4, "|"])

    def test_by_equality(self) -> None:
        pairs = of((1, 2), (1, 2), (3,), (1, 2))
        self.assertEqual(told(pairs.distinct_until_changed()), [(1, 2), (3,), (1, 2), "|"])
        self.assertEqual(told(pairs.distinct()), [(1, 2), (3,), "|"])
        self.assertEqual(told(of(1, 1.0, 2).distinct_until_changed()), [1, 2, "|"])
        for one, same in ((10**30, int("1" + "0" * 30)), ("\ud800a", "".join(("\ud800", "a")))):
            self.assertEqual(told(of(one, same).distinct()), [one, "|"])
            self.assertEqual(told(of(one).contains(same)), [True, "|"])
            self.assertEqual(told(of(one).ignore(same)), ["|"])
        self.assertEqual(told(of(1, 3, 2).distinct(odd)), [1, 2, "|"])
        self.assertEqual(
            told(of(1, 3, 2).distinct_until_changed(lambda a, b: odd(a) == odd(b))), [1, 2, "|"]
        )
        self.assertEqual(told(pairs.contains((3,))), [True, "|"])
        self.assertEqual(told(of("a").contains("b")), [False, "|"])
        self.assertEqual(told(pairs.sequence_equal(pairs)), [True, "|"])
        self.assertEqual(told(pairs.sequence_equal(of(1), lambda a, b: True)), [False, "|"])
        self.assertEqual(told(pairs.ignore((1, 2))), [(3,), "|"])

    def test_by_other_signals(self) -> None:
        source, gate = Subject[int](), Subject[int]()
        trace = Trace()
        for each in (
            source.take_until(gate),
            source.skip_until(gate),
            source.take_until_replacement(gate),
            source.sample(gate),
        ):
            each.subscribe(trace)
        source.on_next(1)
        gate.on_next(7)
        source.on_next(2)
        source.on_completed()
        gate.on_completed()
        self.assertEqual(trace, [1, 1, "|", 7, 1, 2, "|", "|", "|"])


if __name__ == "__main__":
    unittest.main()
