"""That the binding has what the headers declare. (That native/declarations.h is theirs, and that each
function is used or listed with a reason, scripts/api checks; that structs and types are as declared, the
C compiler.)"""

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
