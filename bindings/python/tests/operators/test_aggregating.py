"""One value of a whole signal, with what is special to Python."""

import unittest

import libbelay
from libbelay import of
from support import Case, odd, told


def appended(to: tuple[int, ...], value: int) -> tuple[int, ...]:
    return *to, value


class Aggregating(Case):
    def test_values(self) -> None:
        three = of(1, 2, 3)
        nothing: tuple[int, ...] = ()
        for signal, expected in (
            (three.reduce(appended, nothing), [(1, 2, 3)]), (three.collect(), [[1, 2, 3]]),
            (three.count(), [3]), (three.sum(), [6]), (three.average(), [2.0]), (three.min(), [1]),
            (three.max(), [3]), (three.max(lambda a, b: a > b), [1]), (three.any(odd), [True]),
            (three.all(odd), [False]), (three.is_empty(), [False]), (three.contains(2), [True]),
            (libbelay.empty().default_if_empty(9), [9]),
            (libbelay.empty().switch_if_empty(three), [1, 2, 3]),
        ):  # fmt: skip
            self.assertEqual(told(signal), [*expected, "|"])


if __name__ == "__main__":
    unittest.main()
