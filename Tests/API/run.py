"""run.py FILE [TEST...]: runs a file's tests; the last line is "N passed, N failed"."""

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
    failed = len(result.failures) + len(result.errors)
    for case, reason in result.skipped:
        print(f"skipped: {case}: {reason}")
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed")
    return int(failed > 0 or result.testsRun == 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2:]))
