"""run.py [TEST...]: runs the tests beside it and in operators; the last line is "N passed, N
failed".

A skipped one is counted behind that; with BELAY_REQUIRE_BINDINGS=1 it has failed."""

import os
import sys
import unittest
from pathlib import Path


def main(names: list[str]) -> int:
    here = Path(__file__).parent
    sys.path[:0] = [str(here), str(here / "operators")]
    names = names or sorted(file.stem for file in here.rglob("test_*.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    passed = result.testsRun - failed - skipped
    is_required = os.environ.get("BELAY_REQUIRE_BINDINGS") == "1"
    for case, reason in result.skipped:
        print(f"{'FAILED' if is_required else 'skipped:'} {case}: {reason}")
    if is_required:
        failed, skipped = failed + skipped, 0
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return int(failed > 0 or result.testsRun == 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
