"""run.py FILE [TEST...]: runs a file's tests; the last line is "N passed, N failed".

A skipped one is counted behind that; with BELAY_REQUIRE_BINDINGS=1 it has failed."""

import os
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent


def main(file: Path, names: list[str]) -> int:
    sys.path[:0] = [str(file.parent), str(ROOT / "scripts")]
    module = __import__(file.stem)
    loader = unittest.defaultTestLoader
    loader.testNamePatterns = [f"*{name}*" for name in names] or None
    result = unittest.TextTestRunner(stream=sys.stdout).run(loader.loadTestsFromModule(module))
    return summary(result)


def summary(result: unittest.TestResult) -> int:
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
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2:]))
