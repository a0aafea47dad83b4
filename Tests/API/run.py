"""run.py FILE [TEST...]: runs a file's tests; the last line is "N passed, N failed".

A skipped one is counted behind that; with BELAY_REQUIRE_BINDINGS=1 it has failed."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests"))
from tally import tell  # noqa: E402


def main(file: Path, names: list[str]) -> int:
    sys.path[:0] = [str(file.parent), str(ROOT / "scripts")]
    module = __import__(file.stem)
    loader = unittest.defaultTestLoader
    loader.testNamePatterns = [f"*{name}*" for name in names] or None
    result = unittest.TextTestRunner(stream=sys.stdout).run(loader.loadTestsFromModule(module))
    return tell(result)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2:]))
