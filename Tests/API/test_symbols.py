"""How a library's exported symbols are compared with what the headers declare."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from description import ledger
from run import ROOT

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

    def test_the_changelog_tells_that_a_minor_version_is_released(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            changelog = Path(directory) / "CHANGELOG.md"
            self.assertFalse(ledger.is_released(changelog, "0.1.0"))
            changelog.write_text("# Changelog\n\n## 0.1.0, unreleased\n")
            self.assertFalse(ledger.is_released(changelog, "0.1.0"))
            # The first PATCH is not released, and the minor version is.
            changelog.write_text("## 0.1.1, unreleased\n\n## 0.1.0, 2026-01-01\n")
            self.assertTrue(ledger.is_released(changelog, "0.1.0"))
            self.assertTrue(ledger.is_released(changelog, "0.1.1"))
            changelog.write_text("## 0.2.0, unreleased\n\n## 0.1.0, 2026-01-01\n")
            self.assertFalse(ledger.is_released(changelog, "0.2.0"))

    def test_a_released_minor_version_gets_no_function(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            shutil.copytree(ROOT / "include", root / "include")
            (root / "CHANGELOG.md").write_text("## 0.1.0, 2026-01-01\n")
            (root / "Tests/Package").mkdir(parents=True)
            path = root / "Tests/Package/symbols.txt"
            known = (ROOT / "Tests/Package/symbols.txt").read_text()
            path.write_text(known.replace("belay_subject_next 0.1\n", ""))
            # Its own headers would be of another version, once there is one.
            version = root / "include/belay/version.h"
            parts = {"MAJOR": "0", "MINOR": "1", "PATCH": "1"}
            version.write_text(
                re.sub(r"(VERSION_(\w+)) \d+", lambda found: f"{found[1]} {parts[found[2]]}", version.read_text())
            )
            before = path.read_text()
            for command in ("check", "write"):
                asked = [sys.executable, str(ROOT / "scripts/api"), "--root", str(root), command]
                run = subprocess.run(asked, capture_output=True, text=True)
                self.assertEqual(run.returncode, 1)
                told = "0.1 is released, so its ledger of symbols stays as it is, and belay_subject_next can come"
                self.assertIn(told, run.stderr)
            self.assertEqual(path.read_text(), before)
