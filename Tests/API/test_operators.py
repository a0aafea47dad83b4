"""Operators whose wrappers are written from docs/operators.tsv: a made-up one of each usual
signature is added to the headers and to the table of a copy of the tree, and has to be everywhere."""

import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from description import operators, pages, table
from run import ROOT

COPIED = ["include", "bindings", "docs/operators.tsv", "docs/parity.tsv", "Tests/C/marbles",
          "Tests/C/support", "Tests/BelayTests/Marbles", "Tests/Package"]  # fmt: skip
FAMILIES = ["transforming", "filtering", "combining", "aggregating", "flattening", "timing",
            "sharing", "effects"]  # fmt: skip
# For each kind of parameter: its types with names, the type rule of the table, a use in C++.
PARAMETERS = {
    "predicate": "belay_predicate_fn wanted, void *ctx, belay_free_fn ctx_free",
    "map": "belay_map_fn map, void *ctx, belay_free_fn ctx_free",
    "flat_map": "belay_flat_map_fn map, void *ctx, belay_free_fn ctx_free",
    "signals": "belay_signal *const *others, size_t count",
    "signal": "belay_signal *next",
    "scheduler": "belay_scheduler *scheduler",
    "seconds": "double seconds",
    "value": "belay_value fallback",
    "count": "uint64_t count",
    "size": "size_t count",
}
CASES = {
    "": ("-> (count, T)", "", "std::pair<std::uint64_t, int>"),
    "predicate": ("-> bool", "[](int x) { return x > 0; }", "bool"),
    "count": ("-> T", "3", "int"),
    "signal": ("U -> U", "words", "std::string"),
    "scheduler seconds": ("-> number", "std::chrono::seconds(1), on", "double"),
    "value": ("T -> [T]", "7", "std::vector<int>"),
    "map": ("-> F", "[](int x) { return x * 0.5; }", "double"),
    "signals": ("-> T", "numbers, numbers", "int"),
    "size": ("-> (T, T)", "3", "std::pair<int, int>"),
    "flat_map": ("-> F", "[words](int) { return words; }", "std::string"),
    "scheduler": ("-> (seconds, T)", "on", "std::pair<belay::seconds, int>"),
}


def name(kinds: str) -> str:
    return "invent_" + (kinds.replace(" ", "_") or "nothing")


def api(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts/api"), "--root", str(root), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def copy(root: Path) -> None:
    ignored = shutil.ignore_patterns("target", "build", "__pycache__", "_skbuild")
    for path in COPIED:
        if (ROOT / path).is_dir():
            shutil.copytree(ROOT / path, root / path, ignore=ignored)
        else:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, root / path)


def add(root: Path, family: str, function: str, parameters: str, row: list[str]) -> None:
    header = next((root / "include/belay").rglob(f"{family}.h"))
    text = header.read_text()
    declared = f"/* Made up: {function}. */\nBELAY_EXPORT belay_op *{function}({parameters});\n\n"
    header.write_text(text.replace("BELAY_END", declared + "BELAY_END"))
    with (root / table.PATH).open("a") as file:
        file.write("\t".join([f"made up: {function}", function, *row]) + "\n")


class MadeUp(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        cls.root = Path(cls.directory.name)
        copy(cls.root)
        for index, (kinds, (types, _, _)) in enumerate(CASES.items()):
            # What makes signals of values is declared with flattening.
            family = "flattening" if kinds == "flat_map" else FAMILIES[index % len(FAMILIES)]
            declared = ", ".join(PARAMETERS[kind] for kind in kinds.split()) or "void"
            swift = "invent" + kinds.title().replace(" ", "").replace("_", "")
            add(cls.root, family, f"belay_op_{name(kinds)}", declared,
                [swift, "invented", family, types])  # fmt: skip
        run = api(cls.root, "write")
        assert run.returncode == 0, run.stderr
        assert api(cls.root).returncode == 0
        cls.api = json.loads((cls.root / "build/api.json").read_text())

    def written(self, directory: str, pattern: str) -> str:
        files = sorted((self.root / directory).rglob(pattern))
        return "\n".join(file.read_text() for file in files)

    def test_every_usual_signature_is_tried(self) -> None:
        tried = [set(kinds.split()) for kinds in CASES]
        self.assertEqual(len(tried), len(operators.USUAL))
        for signature in operators.USUAL:
            self.assertIn(signature, tried)

    def test_it_is_in_the_ledger_and_in_the_declarations(self) -> None:
        ledger = (self.root / "Tests/Package/symbols.txt").read_text()
        for kinds in CASES:
            self.assertRegex(ledger, rf"(?m)^belay_op_{name(kinds)} \d+\.\d+$")
            for binding in ("rust/belay-sys", "python/native"):
                text = self.written(f"bindings/{binding}", "declarations.*")
                self.assertIn(f"belay_op_{name(kinds)}(", text)

    def test_it_has_a_page_with_its_name_in_swift(self) -> None:
        made, wrong = pages.generate(self.root, self.api, Path("no program is needed"))
        # (No marble test comes along to draw.)
        self.assertEqual([each for each in wrong if "neither marble tests" not in each], [])
        pages_by_name = {Path(path).name: page for path, page in made.items()}
        for kinds in CASES:
            page = pages_by_name[f"{name(kinds)}.md"]
            self.assertIn(f"belay_op *belay_op_{name(kinds)}(", page)
            self.assertIn(f"Made up: belay_op_{name(kinds)}.", page)
            self.assertRegex(page, r"In Swift: `invent[A-Za-z]*`. Elsewhere: invented.")

    def test_c_has_an_operation_for_its_marble_tests(self) -> None:
        source = self.root / "Tests/C/marbles/usual.c"
        directories = [f"-I{self.root / 'include'}", f"-I{self.root / 'Tests/C/support'}"]
        flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"]
        run = subprocess.run(
            ["cc", "-fsyntax-only", *flags, *directories, str(source)],
            capture_output=True, text=True,
        )  # fmt: skip
        self.assertEqual(run.returncode, 0, run.stderr)
        for kinds in set(CASES) - {"", "flat_map", "scheduler"}:
            self.assertRegex(source.read_text(), rf'\{{"{name(kinds)}(_odd|_doubled|_9)?", ')

    def test_swift_has_an_operation_for_its_marble_tests(self) -> None:
        text = self.written("Tests/BelayTests/Marbles", "*.swift")
        for kinds in set(CASES) - {"", "flat_map", "scheduler", "size"}:
            self.assertRegex(text, rf'"{name(kinds)}(_odd|_doubled|_9)?": \{{ \$0\.source\.invent')

    def test_cpp_has_a_member_and_a_function_for_pipes(self) -> None:
        compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("clang++")
        if not compiler:
            self.skipTest("there is no C++ compiler")
        text = "#include <belay/belay.hpp>\n"
        text += "void all(const belay::signal<int> &numbers, const belay::signal<std::string> &words,"
        text += " const belay::scheduler &on) {\n  using namespace belay::operators;\n"
        text += "  (void)words, (void)on;\n"
        for kinds, (_, arguments, item) in CASES.items():
            called = f"{name(kinds)}({arguments})"
            text += f"  belay::signal<{item}> {name(kinds)}_member = numbers.{called};\n"
            text += f"  belay::signal<{item}> {name(kinds)}_piped = numbers | {called};\n"
        text += "}\n"
        directories = [f"-I{self.root / 'include'}", f"-I{self.root / 'bindings/cpp/include'}"]
        flags = ["-std=c++17", "-Wall", "-Wextra", "-Wshadow", "-Wno-unused-variable", "-Werror"]
        run = subprocess.run(
            [compiler, "-x", "c++", *flags, "-fsyntax-only", *directories, "-"],
            input=text, capture_output=True, text=True,
        )  # fmt: skip
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_python_has_a_method_and_a_function_for_pipes(self) -> None:
        source = self.root / "bindings/python/src/libbelay"
        for kinds in CASES:
            methods = [
                node
                for file in source.rglob("*.py")
                if file.name != "ops.py"
                for node in ast.walk(ast.parse(file.read_text()))
                if isinstance(node, ast.FunctionDef) and node.name == name(kinds)
            ]
            self.assertEqual(len(methods), 1, kinds)
            self.assertIn("Made up", ast.get_docstring(methods[0]) or "")
            self.assertRegex(ast.unparse(methods[0]), rf"_apply\(lib\.belay_op_{name(kinds)}[,)]")
            pipes = (source / "ops.py").read_text()
            self.assertIn(f"def {name(kinds)}(", pipes)
            self.assertIn(f"signal.{name(kinds)}(", pipes)

    def test_node_has_a_function_a_method_and_its_declaration(self) -> None:
        functions = (self.root / "bindings/node/native/functions.c").read_text()
        methods = self.written("bindings/node/lib/operators", "*.js")
        declared = self.written("bindings/node/lib/operators", "*.d.ts")
        for kinds in CASES:
            self.assertIn(f'{{"op_{name(kinds)}", call_op_{name(kinds)}}},', functions)
            self.assertIn(f"native.op_{name(kinds)}(this._handle", methods)
            camel = "invent" + name(kinds).removeprefix("invent").title().replace("_", "")
            self.assertRegex(declared, rf"Made up: belay_op_{name(kinds)}\.\n   \*/\n  {camel}\W")

    def test_rust_has_a_method(self) -> None:
        text = self.written("bindings/rust/belay/src", "*.rs")
        for kinds in CASES:
            self.assertRegex(text, rf"pub fn {name(kinds)}[<(]")
            self.assertIn(f"belay_op_{name(kinds)}(", text)
        if not shutil.which("cargo"):
            self.skipTest("there is no cargo: what is written was not compiled")
        environment = os.environ | {
            "CARGO_TARGET_DIR": str(self.root / "target"), "DOCS_RS": "1",
            "RUSTFLAGS": "-D warnings",
        }  # fmt: skip
        run = subprocess.run(
            ["cargo", "check", "-q", "--offline", "-p", "belay"], env=environment,
            cwd=self.root / "bindings/rust", capture_output=True, text=True,
        )  # fmt: skip
        self.assertEqual(run.returncode, 0, run.stderr)


class Refused(unittest.TestCase):
    """Rows that the reader of the table has to refuse."""

    def refuses(self, expected: str, parameters: str, *row: str) -> None:
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            copy(root)
            add(root, "timing", "belay_op_invent", parameters, ["invent", "", *row])
            run = api(root, "write")
            self.assertEqual(run.returncode, 1)
            self.assertRegex(run.stderr, expected)

    def test_an_operator_without_a_line(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            copy(root)
            add(root, "timing", "belay_op_invent", "void", [])
            lines = (root / table.PATH).read_text().splitlines(keepends=True)
            (root / table.PATH).write_text("".join(lines[:-1]))
            for command in ("check", "write"):
                run = api(root, command)
                self.assertEqual(run.returncode, 1)
                self.assertRegex(
                    run.stderr,
                    r"include/belay/\S*timing.h:\d+ declares belay_op_invent, and docs/operators.tsv has no line of it",
                )
                self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)

    def test_a_line_with_too_few_columns_or_no_family(self) -> None:
        self.refuses(r'docs/operators.tsv:\d+: the fifth column of belay_op_invent is "", and not', "void")
        self.refuses(r'docs/operators.tsv:\d+: the fifth column .* "inventing"', "void", "inventing", "-> T")
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            copy(root)
            with (root / table.PATH).open("a") as file:
                file.write("invent   belay_op_invent   invent\n")
            run = api(root, "write")
            self.assertRegex(run.stderr, r"docs/operators.tsv:\d+: 1 columns")

    def test_a_signature_that_is_not_usual(self) -> None:
        self.refuses("no usual signature", "double seconds, int leading", "timing", "-> T")

    def test_types_that_do_not_fit_the_signature(self) -> None:
        self.refuses("another argument", "uint64_t count", "timing", "U -> T")
        self.refuses("not understood", "uint64_t count", "timing", "-> V")

    def test_a_region_that_is_not_closed_keeps_what_stands_behind_it(self) -> None:
        end = "  // [end]\n"
        for change in (lambda text: text.replace(end, "", 1), lambda text: text + end):
            with tempfile.TemporaryDirectory() as directory:
                root = Path(directory)
                copy(root)
                header = root / "bindings/cpp/include/belay/operators/timing.hpp"
                changed = change(header.read_text())
                header.write_text(changed)
                run = api(root, "write")
                self.assertEqual(run.returncode, 1)
                self.assertRegex(run.stderr, "timing.hpp: a region is not closed, or not opened")
                self.assertEqual(header.read_text(), changed)

    def test_a_family_that_a_language_has_no_place_for(self) -> None:
        self.refuses(r"has no \[operators", "uint64_t count", "binding", "-> T")
        self.refuses("no language", "uint64_t count", "timing", "-> T", "basic")
