"""Signals that are made of something, with what is special to Python."""

# The callables of the tables below have no types.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

import unittest

import libbelay
from libbelay import just
from support import Case, Trace, told


class Creating(Case):
    def test_sources(self) -> None:
        for signal, expected in (
            (libbelay.range(3, 2), [3, 4]), (libbelay.from_(range(3)), [0, 1, 2]),
            (libbelay.from_(range(5, 0)), []), (libbelay.from_(range(2**64, 3)), []),
            (libbelay.from_(range(-(2**63) - 1, 0)).take(2), [-(2**63) - 1, -(2**63)]),
            (libbelay.from_(range(-(2**63), 2**63 - 1)).take(1), [-(2**63)]),
            (libbelay.from_(range(2**63 - 1, 2**63 + 1)), [2**63 - 1, 2**63]),
            (libbelay.from_(range(4, 0, -2)), [4, 2]), (libbelay.from_("ab"), ["ab"]),
            (libbelay.from_({1: 2}), [1]), (libbelay.from_(x * x for x in (2, 3)), [4, 9]),
            (libbelay.from_iterator(iter([1, 2])), [1, 2]), (libbelay.from_optional(None), []),
            (libbelay.from_optional(0), [0]), (libbelay.from_result("x"), ["x"]),
            (libbelay.generate(int(1), lambda v: v < 9, lambda v: v * 2), [1, 2, 4, 8]),
            (libbelay.generate(1, None, lambda v: v + 1, str).take(2), ["1", "2"]),
            (libbelay.repeat_value("x", 2), ["x", "x"]), (libbelay.empty(), []),
            (libbelay.defer(lambda: [1, 2]), [1, 2]),
            (libbelay.start(lambda: 5, libbelay.immediate()), [5]),
            (libbelay.start_eagerly(lambda: 5, libbelay.trampoline()), [5]),
        ):  # fmt: skip
            self.assertEqual(told(signal), [*expected, "|"])
        self.assertEqual(told(libbelay.from_result(ValueError("x"))), ["ValueError: x"])
        self.assertEqual(told(libbelay.never()), [])
        again = libbelay.from_([1, 2])
        self.assertIs(libbelay.from_(again), again)
        with self.assertRaises(TypeError):
            libbelay.from_(3)  # type: ignore[arg-type]

    def test_resources_end_with_the_subscription(self) -> None:
        trace = Trace()

        class Managed:
            def __enter__(self) -> str:
                trace.append("enter")
                return "resource"

            def __exit__(self, *_: object) -> None:
                trace.append("exit")

        class Closed:
            def close(self) -> None:
                trace.append("close")

        libbelay.using(Managed, lambda name: just(name)).subscribe(trace)
        libbelay.using(Closed, lambda _: libbelay.never()).subscribe(trace).dispose()
        self.assertEqual(trace, ["enter", "resource", "|", "exit", "close"])


if __name__ == "__main__":
    unittest.main()
