"""What the commands of scripts/api answer, also to what cannot be right."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from run import ROOT


def api(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts/api"), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


class Commands(unittest.TestCase):
    def test_names_are_of_a_kind_that_there_is(self) -> None:
        self.assertIn("belay_signal_subscribe", api("names", "functions").stdout.split())
        self.assertIn("belay_signal_chain", api("names", "macros").stdout.split())
        run = api("names", "funktions")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertRegex(run.stderr, "^scripts/api: there are no names of kind funktion")

    def test_a_command_that_is_not_understood_tells_the_usage(self) -> None:
        for command in (
            "symbols", "symbols --beside", "symbols --besides a.so", "names", "names a b", "json", "stubs a",
            "manual", "reference", "check all", "typo", "--root",
        ):  # fmt: skip
            run = api(*command.split())
            self.assertEqual((run.returncode, run.stdout), (2, ""), command)
            self.assertIn("usage: scripts/api", run.stderr)

    def test_the_description_goes_where_it_is_asked_for(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "new/api.json"
            self.assertEqual(api("json", str(file)).returncode, 0)
            self.assertEqual(json.loads(file.read_text())["format"], 1)

    def test_old_pages_go_and_others_stay(self) -> None:
        for command, mine, old, others in (
            ("manual", "man3/belay_signal_subscribe.3", ["man3/belay_gone.3", "man7/belay-gone.7"],
             ["man3/uv_run.3", "man1/belay_tool.1"]),
            ("reference", "base.md", ["gone.md"], ["index.txt", "notes.md"]),
        ):  # fmt: skip
            with tempfile.TemporaryDirectory() as name:
                directory = Path(name)
                for path in [*old, *others]:
                    (directory / path).parent.mkdir(exist_ok=True)
                    (directory / path).write_text("# belay/gone.h\n" if path in old else "# Notes\n")
                run = api(command, name)
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                there = {str(path.relative_to(directory)) for path in directory.rglob("*.*")}
                self.assertLessEqual({mine, *others}, there)
                self.assertFalse(there & set(old))
