"""The examples; the pages."""

import doctest
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import libbelay

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent


class Examples(unittest.TestCase):
    def run_example(self, name: str) -> None:
        done = subprocess.run(
            ["sh", "test.sh", sys.executable, f"{name}.py"],
            cwd=ROOT / "Examples" / name, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_hello(self) -> None:
        self.run_example("hello")

    def test_wordcount(self) -> None:
        self.run_example("wordcount")


class Pages(unittest.TestCase):
    maxDiff = None

    def run_blocks(self, page: Path) -> None:
        """Runs the page's blocks one after the other, as one session or one program each."""
        text = page.read_text()
        blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.S | re.M)
        self.assertGreater(len(blocks), 0)
        with tempfile.TemporaryDirectory() as directory:
            before = os.getcwd()
            os.chdir(directory)
            try:
                self.run_session("\n".join(blocks), page.name)
            finally:
                os.chdir(before)

    def run_session(self, text: str, name: str) -> None:
        test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
        told: list[str] = []
        runner = doctest.DocTestRunner(
            optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL, verbose=False
        )
        runner.run(test, out=told.append)
        self.assertGreater(runner.tries, 3)
        self.assertEqual("".join(told), "")

    def test_the_readme(self) -> None:
        self.run_blocks(HERE / "README.md")

    def test_the_guides(self) -> None:
        for page in sorted((HERE / "docs").glob("*.md")):
            with self.subTest(page.name):
                self.run_blocks(page)

    def test_the_packages_own_words(self) -> None:
        self.assertEqual(doctest.testmod(libbelay).failed, 0)


if __name__ == "__main__":
    unittest.main()
