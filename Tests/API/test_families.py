"""Where things are: an operator is in the header of its family, each function is implemented in the
Swift file of its header, and a binding wraps an operator in a file of the family's name. What the variants of an
operator are called is told by docs/conventions.md."""

import re
import unittest

from description import table
from description.reader import Reader
from run import ROOT

ABI = ROOT / "Sources/BelayABI"
BINDINGS = {
    "bindings/cpp/include": "*.hpp", "bindings/python/src": "*.py", "bindings/rust/belay/src": "*.rs",
    "bindings/node/lib": "*.js",
}  # fmt: skip
# A method of a property; and the operators of which Python makes one, at the end of a chain.
ELSEWHERE = {
    "bindings/python/src": {"belay_signal_bind_property", "belay_op_map", "belay_op_filter"}
}  # fmt: skip


def camel(header: str) -> str:
    return "".join(word.capitalize() for word in header.removesuffix(".h").split("_"))


class Families(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        api = Reader(ROOT / "include").read()
        functions = [item for item in api["items"] if item["kind"] == "function"]
        cls.headers = {item["name"]: item["header"] for item in functions}
        cls.rows = [row for row in table.read(ROOT) if re.match("belay_(op|signal)_", row.c)]
        cls.families = {row.c: row.family for row in cls.rows if row.family}

    def test_an_operator_is_in_the_header_of_its_family(self) -> None:
        self.assertGreater(len(self.families), 120)
        for name, family in self.families.items():
            self.assertEqual(self.headers[name], f"{family}.h", name)
        others = {name for name, header in self.headers.items() if header == "operator.h"}
        self.assertEqual(others, {"belay_signal_chain_n", "belay_op_release", "belay_op_with_queue"})

    def test_what_binds_is_in_one_header(self) -> None:
        for name, header in self.headers.items():
            is_bind = re.search("(^belay|_signal)_bind(_|$)", name) is not None
            self.assertEqual(is_bind or name == "belay_property_channel", header == "binding.h", name)

    def test_the_endings_of_variants_are_those_of_the_conventions(self) -> None:
        text = (ROOT / "docs/conventions.md").read_text()
        told = dict(re.findall(r"^\| `_(\w+)` \| .* \| (`.*`) \|$", text, flags=re.M))
        self.assertGreater(len(told), 10)
        names = {row.name for row in self.rows if row.c.startswith("belay_op_")} - {"with_latest_from"}
        for ending, cell in told.items():
            ended = sorted(name for name in names if name.endswith(f"_{ending}"))
            self.assertEqual(sorted(re.findall(r"`(\w+)`", cell)), ended, f"docs/conventions.md, _{ending}")

    def test_an_operator_has_one_family(self) -> None:
        for row in self.rows:
            self.assertEqual(row.family, self.families.get(row.c, ""), row.concept)

    def test_a_function_is_implemented_in_the_file_of_its_header(self) -> None:
        files = {camel(header) for header in self.headers.values()}
        found = set()
        for path in ABI.rglob("*.swift"):
            # A folder of Absent stands in for a folder that a build leaves out.
            if "Absent" in path.parts:
                continue
            for name in re.findall(r'@_cdecl\("(belay_\w+)"\)\n@implementation', path.read_text()):
                # Value.swift may go on in ValueReading.swift, which no header is called.
                file = camel(self.headers[name])
                is_part = path.stem.startswith(file) and path.stem not in files
                self.assertTrue(path.stem == file or is_part, f"{name} is in {path.name}")
                found.add(name)
        self.assertGreater(len(found), 400)

    def test_a_binding_wraps_an_operator_in_a_file_of_its_family(self) -> None:
        for directory, pattern in BINDINGS.items():
            places: dict[str, set[str]] = {}
            for path in (ROOT / directory).rglob(pattern):
                # JavaScript calls belay_op_map() as native.op_map().
                for name in re.findall(r"\b(?:belay_|native\.)((?:op|signal)_\w+)", path.read_text()):
                    places.setdefault(f"belay_{name}", set()).add(path.stem.lstrip("_"))
            wrapped = self.families.keys() & places.keys() - ELSEWHERE.get(directory, set())
            self.assertGreater(len(wrapped), 110, directory)
            for name in wrapped:
                self.assertIn(self.families[name], places[name], f"{directory}: {name}")

    def test_marble_tests_are_in_the_folder_of_the_family(self) -> None:
        families = {row.name: row.family for row in table.read(ROOT)}
        files = list((ROOT / "Tests/Marbles").rglob("*.txt"))
        self.assertGreater(len(files), 110)
        for path in files:
            # A chain stands for an operator of another library, which no family of ours has.
            if path.parent.name == "chains":
                continue
            # The files of the subjects leave out the beginning of the name.
            family = families.get(path.stem, families.get(f"subject_create_{path.stem}"))
            self.assertEqual(path.parent.name, family, path.name)

    def test_the_compiler_compares_each_function_with_its_header(self) -> None:
        for path in (ROOT / "Sources").rglob("*.swift"):
            for following in re.findall(r"(?m)^@_cdecl\(.*\)\n(.*)$", path.read_text()):
                self.assertEqual(following, "@implementation", path.name)
