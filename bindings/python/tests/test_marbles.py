"""Marble tests that were never run: they fail in pytest and unittest, in all forms, and leak nothing."""

import gc
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest
import warnings
import weakref
from pathlib import Path

import libbelay
from libbelay.testing import MarbleCase, MarbleTest, unrun
from support import Case

#: Tests of pytest's, with what is said of each.
PYTEST = """
import pytest, unittest
from libbelay.testing import MarbleTest

def expecting():
    test = MarbleTest()
    test.expect(test.cold("-1|"), "-1|")
    return test

@pytest.fixture
def runs_at_its_end():
    with MarbleTest() as test:
        yield test

@pytest.fixture
def is_left_to_the_test():
    return expecting()

def test_failed_expects(): expecting()
def test_failed_keeps_it(): expecting.kept = expecting()
def test_failed_expects_subscriptions():
    test = MarbleTest()
    test.expect_subscriptions(test.cold("-1|"))
def test_failed_expects_again():
    test = expecting()
    test.run()
    test.expect_subscriptions(test.cold("-1|"), "^-!")
def test_failed_one_of_two():
    expecting()
    expecting().run()
class OfUnittest(unittest.TestCase):
    def test_failed_of_unittest(self): expecting()
    def test_passed_of_unittest(self): expecting().run()
def test_failed_in_its_own_way():
    expecting()
    assert False, "its own way"
def test_skipped():
    expecting()
    pytest.skip()
@pytest.mark.xfail
def test_xfail(): expecting()
def test_error_of_a_fixture(is_left_to_the_test): pass
def test_passed_of_a_fixture(is_left_to_the_test): is_left_to_the_test.run()
def test_passed_at_the_fixtures_end(runs_at_its_end):
    runs_at_its_end.expect(runs_at_its_end.cold("-1|"), "-1|")
def test_passed_runs(): expecting().run()
def test_passed_in_a_block():
    with MarbleTest() as test:
        test.expect_subscriptions(test.cold("-1|"))
def test_passed_without_expectations(): MarbleTest().cold("-1|")
"""


def expecting() -> MarbleTest:
    test = MarbleTest()
    test.expect(test.cold("-1|"), "-1|")
    return test


class NeverRun(Case):
    @unittest.skipUnless("BELAY_INSTALLED" in os.environ, "not from an installation")
    @unittest.skipUnless(importlib.util.find_spec("pytest"), "there is no pytest")
    def test_it_fails_in_pytest(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "test_marbles.py"
            file.write_text(PYTEST)
            done = subprocess.run(
                [sys.executable, "-m", "pytest", "-rA", "--tb=short", "-p", "no:cacheprovider", file],
                capture_output=True, text=True,
            )  # fmt: skip
        said = done.stdout.split("short test summary info")[1].splitlines()
        results = [line.split()[:2] for line in said if "::" in line]
        told = {(word.lower(), name.split("::")[-1]) for word, name in results}
        names = re.findall(r"def (test_\w+)", PYTEST)
        # A test whose fixture fails at its end has passed, and is an error.
        wanted = {(name.split("_")[1], name) for name in names if name != "test_skipped"}
        self.assertEqual(told, wanted | {("passed", "test_error_of_a_fixture")}, done.stdout)
        self.assertIn("1 skipped", done.stdout)
        self.assertIn("its own way", done.stdout)
        self.assertIn("test_marbles.py:6", done.stdout)  # where it was made

    def test_it_fails_in_a_case_of_unittest(self) -> None:
        class Marbles(MarbleCase):
            def setUp(self) -> None:
                pass  # without that of the class above

            def test_expects(self) -> None:
                expecting()

            def test_expects_subscriptions(self) -> None:
                test = MarbleTest()
                test.expect_subscriptions(test.cold("-1|"))

            def test_runs(self) -> None:
                expecting().run()

            def test_runs_in_a_clean_up(self) -> None:
                self.addCleanup(expecting().run)

        result = unittest.TestResult()
        with warnings.catch_warnings(record=True):
            unittest.defaultTestLoader.loadTestsFromTestCase(Marbles).run(result)
        failed = [str(case).split()[0] for case, _ in result.failures]
        self.assertEqual(failed, ["test_expects", "test_expects_subscriptions"])
        self.assertEqual((result.testsRun, result.errors), (4, []))
        self.assertIn("never run", result.failures[0][1])

    def test_python_warns_of_it(self) -> None:
        with self.assertWarns(RuntimeWarning) as caught:
            expecting()
        self.assertIn("never run", str(caught.warning))
        with self.assertNoLogs(), warnings.catch_warnings(action="error"):
            expecting().run()
        self.assertEqual(len(unrun()), 1)

    def test_it_leaks_nothing(self) -> None:
        before = libbelay.live_counts()
        test = expecting()
        gone = weakref.ref(test)
        self.assertEqual(len(unrun()), 1)
        del test
        gc.collect()
        self.assertIsNone(gone())
        self.assertEqual(libbelay.live_counts(), before)


if __name__ == "__main__":
    unittest.main()
