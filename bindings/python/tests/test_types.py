"""Types: of the package, of its tests and programs, of the page; and what an editor completes."""

import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
PROGRAMS = ["tests", "bench", "../../Examples/hello/hello.py", "../../Examples/wordcount/wordcount.py",
            "../../Examples/polyglot/listen.py"]  # fmt: skip
CACHE = str(Path(tempfile.gettempdir()) / "libbelay-mypy")
HAS_PYRIGHT = importlib.util.find_spec("basedpyright") is not None
HAS_MYPY = importlib.util.find_spec("mypy") is not None
# The program in bench imports it.
HAS_REACTIVEX = importlib.util.find_spec("reactivex") is not None


def page_as_program(page: Path) -> str:
    """The examples of a page without what they print."""
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), flags=re.S | re.M)
    lines = [line[4:] for line in "\n".join(blocks).split("\n") if re.match(r">>>|\.\.\.", line)]
    return "\n".join(lines) + "\n"


class Types(unittest.TestCase):
    maxDiff = None

    def run_tool(self, *arguments: str) -> str:
        environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        done = subprocess.run(
            [sys.executable, "-m", *arguments], cwd=HERE, capture_output=True, text=True,
            env=environment,
        )  # fmt: skip
        return done.stdout + done.stderr

    def pyright(self, *arguments: str) -> dict[str, object]:
        told = self.run_tool("basedpyright", "--outputjson", *arguments)
        answer: dict[str, object] = json.loads(told)
        return answer

    @unittest.skipUnless(HAS_MYPY and HAS_REACTIVEX, "there is no mypy, or no reactivex")
    def test_the_package_and_its_programs_by_mypy(self) -> None:
        told = self.run_tool(
            "mypy", "--no-error-summary", "--cache-dir", CACHE, "src/libbelay", *PROGRAMS
        )
        self.assertEqual(told, "")

    @unittest.skipUnless(HAS_PYRIGHT and HAS_REACTIVEX, "there is no basedpyright, or no reactivex")
    def test_the_programs_by_pyright(self) -> None:
        told = self.run_tool("basedpyright", "-p", ".")
        self.assertTrue(told.endswith("0 errors, 0 warnings, 0 notes\n"), told)

    def write_pages(self, directory: str) -> list[str]:
        pages = [HERE / "README.md", *HERE.glob("docs/*.md")]
        files = [Path(directory) / f"{page.stem.lower()}_page.py" for page in pages]
        for page, file in zip(pages, files, strict=True):
            file.write_text(page_as_program(page))
        return [str(file) for file in files]

    @unittest.skipUnless(HAS_PYRIGHT, "there is no basedpyright")
    def test_the_pages_by_pyright(self) -> None:
        # A page imports for the reader, and shows what an expression prints.
        may = dict.fromkeys(
            ("reportUnusedImport", "reportUnusedVariable", "reportUnusedExpression"), False
        )
        with tempfile.TemporaryDirectory() as directory:
            self.write_pages(directory)
            (Path(directory) / "pyrightconfig.json").write_text(
                json.dumps({"typeCheckingMode": "strict"} | may)
            )
            told = self.run_tool("basedpyright", "-p", directory)
        self.assertTrue(told.endswith("0 errors, 0 warnings, 0 notes\n"), told)

    @unittest.skipUnless(HAS_MYPY, "there is no mypy")
    def test_the_pages_by_mypy(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            files = self.write_pages(directory)
            told = self.run_tool("mypy", "--no-error-summary", "--cache-dir", CACHE, *files)
        self.assertEqual(told, "")

    @unittest.skipUnless(HAS_PYRIGHT, "there is no basedpyright")
    def test_the_public_types_are_complete(self) -> None:
        told = self.run_tool("basedpyright", "--verifytypes", "libbelay", "--ignoreexternal")
        found = re.search(r"Type completeness score: ([\d.]+)%", told)
        assert found is not None, told
        self.assertGreaterEqual(float(found[1]), 98)

    @unittest.skipUnless(HAS_PYRIGHT, "there is no basedpyright")
    def test_what_types_come_out(self) -> None:
        program = '''
import libbelay
from libbelay import Subject, of, ops
a, b = of(1), of("x")
reveal_type(libbelay.zip(a, b))
reveal_type(a.combine_latest(b, combiner=lambda n, t: t * n))
reveal_type(libbelay.merge(a, b))
reveal_type(a.pipe(ops.map(lambda v: str(v)), ops.pairwise(), ops.take(1)))
reveal_type(of(a, a).merge_all())
reveal_type(a.flat_map(lambda v: [v, 0.5]))
reveal_type(a.timeout(1, "text"))
reveal_type(Subject[int]().scan(lambda total, v: total + v, 0.5))
'''
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(program)
            file.flush()
            told = self.run_tool("basedpyright", file.name)
        types = re.findall(r'Type of ".*" is "(.*)"', told)
        self.assertEqual(
            types,
            ["Signal[tuple[int, str]]", "Signal[str]", "Signal[int | str]", "Signal[list[str]]",
             "Signal[int]", "Signal[int | float]", "Signal[int | str]", "Signal[float]"],
        )  # fmt: skip


@unittest.skipUnless(importlib.util.find_spec("jedi"), "there is no jedi")
class Completion(unittest.TestCase):
    def test_an_editor_completes_and_explains(self) -> None:
        jedi: Any = importlib.import_module("jedi")

        for code, wanted in (
            ("import libbelay\nlibbelay.Subj", "Subject"),
            ("from libbelay import Subject\nSubject().on_n", "on_next"),
            ("from libbelay import Signal\ndef f(s: Signal):\n    s.take_wh", "take_while"),
            ("from libbelay import Signal\ndef f(s: Signal):\n    s.subscr", "subscribe"),
            ("from libbelay import ops\nops.debo", "debounce"),
            ("from libbelay import Loop\nLoop().sched", "scheduler"),
            ("from libbelay import of\nof(1).filt", "filter"),
            ("from libbelay import just\njust(1).filt", "filter"),
            ("from libbelay import from_\nfrom_([1]).filt", "filter"),
            ("from libbelay import from_iterator\nfrom_iterator([1]).filt", "filter"),
            ("from libbelay import generate\ngenerate(1, None, abs).filt", "filter"),
            ("from libbelay import never, zip\nzip(never(), never()).filt", "filter"),
            ("from libbelay import Subject\nSubject().filt", "filter"),
            ("from libbelay import Subject\nSubject[int]().subscr", "subscribe"),
            ("from libbelay import Signal\ndef f(s: Signal[int]):\n    s.filt", "filter"),
            ("from libbelay import of\nof(1).map(str).filter(bool).take(1).skip_wh", "skip_while"),
            ("from libbelay import of, ops\nof(1).pipe(ops.map(str), ops.take(1)).filt", "filter"),
            ("from libbelay import of\nof(1).subscribe(print).is_disp", "is_disposed"),
        ):
            script = jedi.Script(code, environment=jedi.InterpreterEnvironment())
            names = [each.name for each in script.complete()]
            self.assertIn(wanted, names, code)
        code = "from libbelay import Signal\nSignal.take"
        (found,) = jedi.Script(code, environment=jedi.InterpreterEnvironment()).infer(2, 10)
        self.assertIn("Passes on the first", found.docstring())

    def test_no_module_is_named_as_a_built_in_one(self) -> None:
        # jedi looks among the built-in modules first, also for a module of a package. It then knows
        # no source and no types.
        modules = {file.stem for file in (HERE / "src").rglob("*.py")}
        self.assertEqual(modules & set(sys.builtin_module_names), set())


if __name__ == "__main__":
    unittest.main()
