"""From one signal to others, and what follows an end, with what is special to Python."""

import unittest
from typing import Any

import libbelay
from libbelay import just, of, throw
from support import Case, told


class Flattening(Case):
    def test_flattening(self) -> None:
        two = of(1, 2)
        for signal, expected in (
            (two.flat_map(lambda v: [v, v * 10]), [1, 10, 2, 20]),
            (two.concat_map(lambda v: of(v, v)), [1, 1, 2, 2]),
            (two.switch_map(just), [1, 2]), (two.exhaust_map(just), [1, 2]),
            (just(1).expand(lambda v: just(v + 1) if v < 3 else libbelay.empty()), [1, 2, 3]),
            (of(two, two).merge_all(), [1, 2, 1, 2]), (of(two, two).concat_all(), [1, 2, 1, 2]),
            (of(two, two).switch_to_latest(), [1, 2, 1, 2]), (two.concat([3], (4,)), [1, 2, 3, 4]),
            (two.then(just(3)), [3]), (two.repeat(2), [1, 2, 1, 2]), (two.repeat().take(3), [1, 2,
            1]), (two.repeat_when(lambda ends: ends).take(4), [1, 2, 1, 2]),
            (two.merge(of(3)), [1, 2, 3]), (two.merge_delay_error(of(3)), [1, 2, 3]),
            (throw(KeyError(1)).catch(lambda e: just(type(e))), [KeyError]),
            (throw(KeyError(1)).catch_to(5), [5]),
            (throw(KeyError(1)).retry_when(lambda es: es.flat_map(throw)).catch_to(6), [6]),
        ):  # fmt: skip
            self.assertEqual(told(signal), [*expected, "|"])
        sources: Any = of([1], (2, 3), "ab", two)
        self.assertEqual(told(sources.merge_all()), [1, 2, 3, "ab", 1, 2, "|"])
        self.assertEqual(told(sources.concat_all()), [1, 2, 3, "ab", 1, 2, "|"])
        self.assertEqual(told(just(iter([1])).switch_to_latest()), [1, "|"])
        self.assertEqual(told(sources.merge([5]).merge_all())[-1][:9], "TypeError")
        runs: list[int] = []
        told(two.initially(lambda: runs.append(1)).attempt(lambda v: 1 / 0).retry(3))
        self.assertEqual(len(runs), 3)

        def wrong(value: int) -> Any:
            return 5

        self.assertEqual(told(two.flat_map(wrong))[0][:10], "TypeError:")


if __name__ == "__main__":
    unittest.main()
