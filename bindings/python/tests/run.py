"""run.py [TEST...]: runs the tests beside it and in operators; the last line is "N passed, N failed".

A skipped one is counted behind that; with BELAY_REQUIRE_BINDINGS=1 it has failed."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Tests"))
from tally import tell  # noqa: E402


def main(names: list[str]) -> int:
    here = Path(__file__).parent
    sys.path[:0] = [str(here), str(here / "operators")]
    names = names or sorted(file.stem for file in here.rglob("test_*.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    failed: int = tell(result)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
