"""Something else of values and ends, with what is special to Python."""

import unittest

import libbelay
from libbelay import Subject, VirtualScheduler, of
from support import Case, Trace, odd, told


class Transforming(Case):
    def test_values(self) -> None:
        three = of(1, 2, 3)
        for signal, expected in (
            (three.map(str), ["1", "2", "3"]), (three.map_to("x"), ["x"] * 3),
            (three.compact_map(lambda v: v if odd(v) else None), [1, 3]),
            (three.scan(lambda a, v: a + v, 0), [1, 3, 6]),
            (of(b"a\nb", b"c").lines(9), [b"a", b"bc"]), (of("a\nb").lines(9), ["a", "b"]),
            (of(b"one;t;").frames_delimited(b";", 9), [b"one", b"t"]),
            (of(b"abc").frames_fixed(2), [b"ab", b"c"]),
            (of(b"\1a\2bc").frames_prefixed(1, 9), [b"a", b"bc"]),
            (of(b"\xc3", b"\xb6").utf8(), ["\u00f6"]),
            (three.enumerated(), [[0, 1], [1, 2], [2, 3]]), (three.pairwise(), [[1, 2], [2, 3]]),
            (three.buffer(2), [[1, 2], [3]]), (three.buffer(2, 1), [[1, 2], [2, 3], [3]]),
            (three.window(2).flat_map(lambda w: w.collect()), [[1, 2], [3]]),
            (three.materialize(), [[0, 1], [0, 2], [0, 3], [2]]),
            (three.materialize().dematerialize(), [1, 2, 3]),
            (three.map(lambda v: None), [None] * 3),
            (three.map(lambda v: v if odd(v) else None).filter(lambda v: True).skip(0),
             [1, None, 3]),
        ):  # fmt: skip
            self.assertEqual(told(signal), [*expected, "|"])

    def test_groups(self) -> None:
        groups: dict[object, list[int]] = {}

        def note(group: libbelay.Signal[int]) -> None:
            values = groups.setdefault(group.key, [])
            group.subscribe(values.append)

        of(1, 2, 3, 4).group_by(lambda v: (v % 2,)).subscribe(note)
        self.assertEqual(groups, {(1,): [1, 3], (0,): [2, 4]})

    def test_groups_that_end(self) -> None:
        groups = of(1, 2, 3, 4, 5, 6).group_by_until(
            lambda v: (v % 2,), lambda group: group.skip(1 if group.key == (1,) else 9)
        )
        sums = groups.flat_map(lambda group: group.sum())
        self.assertEqual(told(sums), [4, 12, 5, "|"])
        self.assertRaises(TypeError, lambda: of(1).group_by_until(str, 1))  # type: ignore

    def test_values_of_time(self) -> None:
        clock = VirtualScheduler()
        subject: Subject[int] = Subject()
        trace = Trace()
        subscriptions = [
            each.subscribe(trace)
            for each in (
                subject.timestamp(clock),
                subject.time_interval(clock),
                subject.buffer_time(2, None, clock),
                libbelay.interval(2, clock),
                libbelay.timer(3, clock),
                subject.window_time(5, None, clock).map(lambda w: "window"),
                subject.window_toggle(libbelay.timer(1, clock), lambda _: [1]).map(
                    lambda w: "toggled"
                ),
            )
        ]
        clock.advance(1)
        subject.on_next(7)
        clock.advance(1)
        clock.advance(1)
        for each in subscriptions:
            each.dispose()
        self.assertEqual(trace, ["window", "toggled", [1.0, 7], [1.0, 7], [7], 0, 0, "|"])


if __name__ == "__main__":
    unittest.main()
