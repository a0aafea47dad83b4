"""Operators as functions; marbles and drawings. Each operator is in operators, once, with what is
special to Python; the rules themselves are the library's tests."""

import operator
import unittest

import libbelay
from libbelay import VirtualScheduler, it, of, ops
from libbelay.testing import Drawing, MarbleTest
from support import Case, told


def following(value: int) -> int:
    return value + 1


class Composing(Case):
    def test_pipe_is_the_methods(self) -> None:
        made = of(1, 2, 3).pipe(
            ops.map(following),
            ops.filter(it != 3),
            ops.scan(operator.add, 0),
            lambda s: s.skip(1),
        )
        self.assertEqual(told(made), [6, "|"])
        self.assertIs(of(1).pipe().__class__, libbelay.Signal)

    def test_every_operator_is_in_ops(self) -> None:
        others = {"subscribe", "bind", "wait_first", "wait_last", "pipe", "connect", "name", "key",
                  "to_handle", "from_handle", "set_queue", "queue_high_water", "values"}  # fmt: skip
        methods = {name for name in dir(libbelay.Signal) if not name.startswith("_")} - others
        self.assertEqual(
            {name for name, each in vars(ops).items()
             if getattr(each, "__module__", "") == ops.__name__}, methods
        )

    def test_drawings(self) -> None:
        clock = VirtualScheduler()
        drawing = Drawing()
        drawing.define(a="first")
        drawing.diagram("told", "a-b|")
        drawing.box("timer")
        drawing.row("by hand")
        drawing.mark(0.001, "x")
        drawing.mark(0.002, None)
        drawing.record(libbelay.timer(0.002, clock), "timer", clock).subscribe()
        clock.advance(1)
        self.assertIn("timer", str(drawing))
        self.assertTrue(drawing.svg.startswith("<svg"))

    def test_marbles_of_hot_sources(self) -> None:
        test = MarbleTest()
        test.define(x=[1, 2])
        source = test.hot("-a-^-x-b-|")
        test.expect(source.take(1), "--(x|)")
        test.expect_subscriptions(source, "^-!")
        test.run()

    def test_marbles_are_compared_by_equality(self) -> None:
        with MarbleTest() as test:
            source = test.cold("-1-2-a-|", {"a": (3, "x")})
            test.expect(source.map(lambda v: v), "-1-2-a-|")
            test.expect(source.map(lambda v: (*v,) if isinstance(v, tuple) else v * 1.0),
                        "-1-2-b-|", {"b": (3, "x")})  # fmt: skip
            test.expect(source.count(), "-------(3|)")
            test.expect(source.skip(2).map(lambda v: {"v": [v]}), "-----d-|", {"d": {"v": [(3, "x")]}})
        with self.assertRaises(AssertionError) as caught, MarbleTest() as test:
            test.expect(test.cold("-1|").map(lambda v: v + 1), "-1|")
        self.assertIn("actual    -2|", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
