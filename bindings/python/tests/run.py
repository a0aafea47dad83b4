"""run.py [TEST...]: runs the tests beside it and in operators; the last line is "N passed, N
failed"."""

import sys
import unittest
from pathlib import Path


def main(names: list[str]) -> int:
    here = Path(__file__).parent
    sys.path[:0] = [str(here), str(here / "operators")]
    names = names or sorted(file.stem for file in here.rglob("test_*.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    failed = len(result.failures) + len(result.errors)
    for case, reason in result.skipped:
        print(f"skipped: {case}: {reason}")
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
