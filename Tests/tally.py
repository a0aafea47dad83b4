"""Says the last line of a run of unittest, as scripts/tally reads it."""

import os
import unittest


def tell(result: unittest.TestResult) -> int:
    """Prints what was skipped, then the counts; the exit code. A skipped test has failed where
    BELAY_REQUIRE_BINDINGS is 1."""
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    passed = result.testsRun - failed - skipped
    is_required = os.environ.get("BELAY_REQUIRE_BINDINGS") == "1"
    for case, reason in result.skipped:
        print(f"{'FAILED' if is_required else 'skipped:'} {case}: {reason}")
    if is_required:
        failed, skipped = failed + skipped, 0
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return int(failed > 0 or result.testsRun == 0)
