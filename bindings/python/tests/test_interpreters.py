"""Other interpreters in the process."""

import importlib
import subprocess
import sys
import unittest

#: The module of sub-interpreters, by its names in CPython's versions.
MODULES = ("_interpreters", "_xxsubinterpreters")
PROGRAM = """
import importlib, sys
interpreters = importlib.import_module(sys.argv[1])
if sys.argv[2] == "after":
    import libbelay
try:
    failure = interpreters.run_string(interpreters.create(), "import libbelay")
    print(failure.msg if failure else "no failure")
except interpreters.RunFailedError as error:
    print(error)
import libbelay
with libbelay.of(1).map(lambda v: v + 1).subscribe(print):
    pass
"""


def module_of_interpreters() -> str | None:
    for name in MODULES:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
        return name
    return None


class Interpreters(unittest.TestCase):
    def test_a_sub_interpreter_is_refused_and_the_main_one_goes_on(self) -> None:
        module = module_of_interpreters()
        if module is None:
            self.skipTest("this Python has no module of sub-interpreters")
        for main_imports in ("before", "after"):
            done = subprocess.run(
                [sys.executable, "-c", PROGRAM, module, main_imports],
                capture_output=True, text=True, timeout=30,
            )  # fmt: skip
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("import", done.stdout)
            self.assertTrue(done.stdout.endswith("\n2\n"), done.stdout)
            self.assertNotIn("no failure", done.stdout)


if __name__ == "__main__":
    unittest.main()
