"""That the binding has what the headers declare. (That native/declarations.h is theirs, scripts/api
checks; that structs and types are as declared, the C compiler.)"""

import ast
import os
import re
import unittest
from pathlib import Path

from libbelay._native import ffi, lib

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent


def exported() -> set[str]:
    lines = (ROOT / "Tests/Package/symbols.txt").read_text().split("\n")
    return {line.split()[0] for line in lines if line}


def words() -> set[str]:
    """The names that the package's code uses, in Python and in C; a comment or a text uses none."""
    used: set[str] = set()
    for file in HERE.glob("src/libbelay/**/*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Attribute):
                used.add(node.attr)
    for file in HERE.glob("native/*.c"):
        unused = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"'
        used |= set(re.findall(r"\w+", re.sub(unused, "", file.read_text(), flags=re.S)))
    return used


class Declarations(unittest.TestCase):
    def test_every_exported_function_is_declared(self) -> None:
        self.assertEqual({name for name in exported() if not hasattr(lib, name)}, set())

    def test_every_constant_and_struct_is_declared(self) -> None:
        declared = (HERE / "native/declarations.h").read_text()
        constants = re.findall(r"\b(BELAY_[A-Z0-9_]+) (?:=|\.\.\.)", declared)
        self.assertGreater(len(constants), 100)
        self.assertEqual({name for name in constants if not hasattr(lib, name)}, set())
        for name in re.findall(r"^typedef struct (\w+) \{", declared, flags=re.M):
            self.assertGreater(ffi.sizeof(name), 0)

    def test_every_function_is_used_or_listed(self) -> None:
        used = words() & exported()
        lines = (HERE / "tests/uncovered.txt").read_text().split("\n")
        listed = [line for line in lines if line and not line.startswith("#")]
        self.assertEqual(len(listed), len(set(listed)))
        self.assertEqual(exported() - used - set(listed), set(), "neither used nor listed")
        self.assertEqual(set(listed) & used, set(), "listed, but used")
        self.assertEqual(set(listed) - exported(), set(), "listed, but there is none")

    def test_every_operator_is_there(self) -> None:
        rows = (ROOT / "docs/operators.tsv").read_text().split("\n")[1:]
        names = {row.split("\t")[1] for row in rows if row}
        operators = {name for name in names if re.fullmatch(r"belay_\w+", name)}
        self.assertGreater(len(operators), 100)
        elsewhere = {"belay_op_compose", "belay_signal_bind_variable"}  # see uncovered.txt
        self.assertEqual(operators - words() - elsewhere, set())


class Package(unittest.TestCase):
    @unittest.skipUnless("BELAY_INSTALLED" in os.environ, "not from an installation")
    def test_the_wheel_has_the_package_and_nothing_else(self) -> None:
        from importlib.metadata import files

        names = [str(each) for each in files("libbelay") or []]
        modules = {str(file.relative_to(HERE / "src")) for file in (HERE / "src").rglob("*")
                   if file.suffix in (".py", ".pyi", ".typed")}  # fmt: skip
        found = {name for name in names if not name.endswith(".pyc")}
        others = {name for name in found if ".dist-info/" in name}
        self.assertEqual(
            found - others, modules | {"libbelay/py.typed", "libbelay/_native.abi3.so"}
        )

    @unittest.skipUnless("BELAY_INSTALLED" in os.environ, "not from an installation")
    def test_the_extension_is_for_any_python_and_needs_no_belay(self) -> None:
        import subprocess

        import libbelay._native as native

        path = native.__file__
        assert path is not None and path.endswith(".abi3.so")
        needed = subprocess.run(["readelf", "-d", path], capture_output=True, text=True).stdout
        self.assertNotIn("libbelay", needed.replace(path, ""))
        self.assertNotIn("libpython", needed)
        symbols = subprocess.run(
            ["readelf", "--dyn-syms", "-W", path], capture_output=True, text=True
        )
        exports = [line for line in symbols.stdout.split("\n")
                   if re.search(r"GLOBAL +DEFAULT +\d+ ", line)]  # fmt: skip
        self.assertEqual([line.split()[-1] for line in exports], ["PyInit__native"])


if __name__ == "__main__":
    unittest.main()
