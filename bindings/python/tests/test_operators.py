"""Operators as functions; marbles and drawings. Each operator is in operators, once, with what is
special to Python; the rules themselves are the library's tests."""

import unittest

import libbelay
from libbelay import VirtualScheduler, of, ops
from libbelay.testing import Drawing, MarbleTest
from support import Case, told


class Composing(Case):
    def test_pipe_is_the_methods(self) -> None:
        made = of(1, 2, 3).pipe(
            ops.map(lambda v: v + 1),
            ops.filter(lambda v: v != 3),
            ops.scan(lambda a, v: a + v, 0),
            lambda s: s.skip(1),
        )
        self.assertEqual(told(made), [6, "|"])
        self.assertIs(of(1).pipe().__class__, libbelay.Signal)

    def test_every_operator_is_in_ops(self) -> None:
        others = {"subscribe", "bind", "wait_first", "wait_last", "pipe", "connect", "name", "key"}
        methods = {name for name in dir(libbelay.Signal) if not name.startswith("_")} - others
        self.assertEqual(
            {name for name in dir(ops) if hasattr(getattr(ops, name), "__wrapped__")}, methods
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


if __name__ == "__main__":
    unittest.main()
