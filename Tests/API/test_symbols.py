"""How a library's exported symbols are compared with what the headers declare."""

import tempfile
import unittest
from pathlib import Path

from description import ledger

API = {
    "headers": [
        {"name": "signal.h", "is_beside": False}, {"name": "marbles.h", "is_beside": True}
    ],
    "items": [
        {"kind": "function", "name": "belay_old", "header": "signal.h", "since": "0.1"},
        {"kind": "function", "name": "belay_new", "header": "signal.h", "since": "0.2"},
        {"kind": "function", "name": "belay_test", "header": "marbles.h", "since": "0.1"},
        {"kind": "inline", "name": "belay_inline", "header": "signal.h"},
    ],
}  # fmt: skip
GOOD = ["0 A BELAY_0_1@@BELAY_0_1", "1 T belay_old@@BELAY_0_1", "2 T belay_new@@BELAY_0_2"]
TEST = "3 T belay_test@@BELAY_0_1"


class Symbols(unittest.TestCase):
    def wrong(self, lines: list[str], with_beside: bool = False) -> list[str]:
        """The complaints about a library for which nm prints these lines."""
        with tempfile.TemporaryDirectory() as directory:
            nm = Path(directory) / "nm"
            nm.write_text("#!/bin/sh\n" + "".join(f"echo '00{line}'\n" for line in lines))
            nm.chmod(0o755)
            return ledger.compare(API, Path("libbelay.so"), str(nm), with_beside)

    def test_what_is_declared_is_exported(self) -> None:
        self.assertEqual(self.wrong(GOOD), [])
        self.assertEqual(self.wrong([*GOOD, TEST], with_beside=True), [])

    def test_what_differs_is_told(self) -> None:
        self.assertEqual(self.wrong(GOOD[:2]), ["declared, and not exported: belay_new"])
        told = ["exported, and not declared: belay_test"]
        self.assertEqual(self.wrong([*GOOD, TEST]), told)
        told = ["declared, and not exported: belay_test"]
        self.assertEqual(self.wrong(GOOD, with_beside=True), told)
        told = ["belay_new is exported in 0.1, and came in 0.2"]
        self.assertEqual(self.wrong([*GOOD[:2], "2 T belay_new@@BELAY_0_1"]), told)
        told = ["exported without a version: stray", "exported, and not declared: stray"]
        self.assertEqual(self.wrong([*GOOD, "4 T stray"]), told)

    def test_a_new_function_comes_in_this_version(self) -> None:
        api = {"version": "0.2.1", "items": [{"kind": "function", "name": name} for name in "ba"]}
        ledger.add_versions(api, {"a": "0.1"})
        self.assertEqual(ledger.symbols(api), "a 0.1\nb 0.2\n")
