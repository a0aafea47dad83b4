"""What is done beside the flow, with what is special to Python."""

import unittest

from libbelay import of, throw
from support import Case, told


class Effects(Case):
    def test_beside_the_flow(self) -> None:
        trace: list[object] = []
        signal = of(1, 2).do(
            trace.append,
            on_completed=lambda: trace.append("|"),
            on_disposed=lambda: trace.append("disposed"),
        )
        for _ in range(2):
            signal.finally_(lambda: trace.append("finally")).subscribe(lambda v: trace.append(-v))
        self.assertEqual(trace, [1, -1, 2, -2, "|", "finally", "disposed"] * 2)
        trace.clear()
        throw(ValueError(1)).do(on_error=trace.append).subscribe(None, trace.append)
        self.assertIs(trace[0], trace[1])
        of(1).do().subscribe(trace.append)
        self.assertEqual(trace.pop(), 1)
        trace.clear()

    def test_log_says_where(self) -> None:
        lines: list[str] = []
        of(1).log("numbers", lines.append).subscribe()
        self.assertEqual(
            [line.split(": ", 1)[1] for line in lines],
            ["numbers: next 1", "numbers: completed", "numbers: disposed"],
        )
        self.assertTrue(lines[0].startswith("test_effects.py:"))

    def test_breakpoints_that_do_not_stop(self) -> None:
        asked: list[object] = []
        signal = of(1).breakpoint(asked.append, None, lambda: asked.append("|"))
        self.assertEqual(told(signal.breakpoint_on_error()), [1, "|"])
        self.assertEqual(asked, [1, "|"])


if __name__ == "__main__":
    unittest.main()
