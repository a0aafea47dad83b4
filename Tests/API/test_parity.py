"""docs/parity.md: each function of C has a name or a reason in each language."""

import re
import tempfile
import unittest
from pathlib import Path

from description import parity, places
from test_operators import ROOT, api, copy

LISTS = ["bindings/cpp/tests/uncovered.txt", "bindings/swift/uncovered.tsv",
         "bindings/python/tests/uncovered.txt", "bindings/rust/uncovered.tsv",
         "bindings/node/uncovered.tsv"]  # fmt: skip
NODE = "bindings/node/uncovered.tsv"
WITH_IO = ["bindings/cpp/tests/uncovered.txt", "bindings/python/tests/uncovered.txt",
           "bindings/rust/uncovered.tsv"]  # fmt: skip


class Page(unittest.TestCase):
    rows = dict(
        re.findall(r"^\| `(belay_\w+)` \| (.*) \|$", (ROOT / parity.PATH).read_text(), flags=re.M)
    )

    def test_it_has_each_function_and_struct(self) -> None:
        items = [*self.names("functions"), *self.names("structs")]
        self.assertGreater(len(items), 450)
        self.assertEqual(sorted(self.rows), sorted(items))
        for name, row in self.rows.items():
            self.assertRegex(row, r"^((`[^`]+`|\*[^|]+\*)( \| |$)){5}$", name)

    def names(self, kind: str) -> list[str]:
        return api(ROOT, "names", kind).stdout.split()

    def test_names_are_those_of_the_sources(self) -> None:
        take = "`signal::take` | `take` | `Signal.take` | `Signal::take` | `Signal.take`"
        self.assertEqual(self.rows["belay_op_take"], take)
        turns = self.rows["belay_loop_turns"].split(" | ")
        self.assertEqual(turns[2:], ["`Loop.turns`", "`Loop::turns`", "`Loop.turns`"])

    def test_a_struct_is_the_type_of_its_name(self) -> None:
        cells = self.rows["belay_source_options"].split(" | ")
        self.assertEqual((cells[0], cells[3]), ("`source_options`", "`SourceOptions`"))

    def test_a_function_that_only_happens_to_use_a_value_does_not_name_it(self) -> None:
        self.assertEqual(self.rows["belay_bytes"].split(" | ")[2], "*values*")

    def test_a_private_function_is_told_by_what_calls_it(self) -> None:
        cell = self.rows["belay_signal_export"].split(" | ")
        self.assertEqual((cell[0], cell[3]), ("`exchange`", "`Exchange::export`"))


class Refused(unittest.TestCase):
    """What the lists and the headers may not say, all in one tree: each is told."""

    @classmethod
    def setUpClass(cls) -> None:
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            copy(root)

            def put(path: str, old: str, new: str) -> None:
                text = (root / path).read_text()
                assert old in text, (path, old)
                (root / path).write_text(text.replace(old, new, 1))

            declared = "/* Made up. */\nBELAY_EXPORT int belay_made_up(belay_value *v);\n\n"
            put("include/belay/value.h", "BELAY_END", f"{declared}BELAY_END")
            for path in LISTS:
                put(path, "\nbelay_", "\nbelay_gone\tnothing\nbelay_")
            put("include/belay/stream.h", "  int nodelay;", "  int made_up;\n  int kept_out;\n  int nodelay;")
            flags = "#define BELAY_STREAM_MADE_UP 4u\n#define BELAY_STREAM_KEPT_OUT 8u\n"
            put("include/belay/stream.h", "#define BELAY_STREAM_WRITE", f"{flags}#define BELAY_STREAM_WRITE")
            put("include/belay/loop.h", "  int persistent;", "  int made_up;\n  int persistent;")
            put("include/belay/worker.h", "  int priority;", "  int made_up;\n  int priority;")
            put("include/belay/signal.h", "  BELAY_QUEUE_LATEST,", "  BELAY_QUEUE_MADE_UP,\n  BELAY_QUEUE_LATEST,")
            put("include/belay/error.h", "#define BELAY_OK", "#define BELAY_EMADE_UP -1\n#define BELAY_OK")
            for path in WITH_IO:
                put(path, "\nbelay_", "\nbelay_stream_options.kept_*\tof no use\nbelay_")
            python = "bindings/python/tests/uncovered.txt"
            put(python, "\nbelay_", "\nBELAY_STREAM_KEPT_OUT\tof no use\nBELAY_GONE\tof no use\nbelay_")
            put("bindings/rust/uncovered.tsv", "\nbelay_", "\nbelay_op_take\tnothing\nbelay_")
            put("bindings/node/uncovered.tsv", "belay_bind\t", "belay_bind\tnot yet: ")
            put("docs/parity.tsv", "\tbelay_command_create\tC", "\tbelay_command_create\tK")
            put("docs/parity.tsv", "C++\tbelay_bind\t", "C++\tbelay_bound\t")
            cls.run_ = api(root, "write")
            cls.page = (root / parity.PATH).exists()

    def told(self, *wanted: str) -> None:
        for each in wanted:
            self.assertIn(each, self.run_.stderr)

    def test_it_fails_and_writes_no_page(self) -> None:
        self.assertEqual((self.run_.returncode, self.page), (1, False))

    def test_a_new_function_needs_an_entry_for_each_language(self) -> None:
        use = "use it in the binding, or add it here with a reason"
        swift = "add its name to docs/parity.tsv, or add it here with a reason"
        for path in LISTS:
            advice = swift if "swift" in path else use
            self.told(f"{path}: belay_made_up is neither there nor listed: {advice}")

    def test_a_function_that_has_gone_leaves_no_reason(self) -> None:
        self.told(*(f"{path}: belay_gone stands for nothing" for path in LISTS))

    def test_a_function_that_is_used_has_no_reason(self) -> None:
        self.told("rust/uncovered.tsv: belay_op_take is there, and listed too: remove its line")

    def test_a_new_option_or_constant_of_io_needs_an_entry(self) -> None:
        for path in WITH_IO:
            self.told(f"{path}: belay_stream_options.made_up is neither there nor listed")
        self.told("python/tests/uncovered.txt: BELAY_STREAM_MADE_UP is neither there nor listed",
                  "python/tests/uncovered.txt: BELAY_GONE stands for nothing")  # fmt: skip
        self.assertNotIn("kept_out", self.run_.stderr.lower())

    def test_so_does_a_new_option_of_anything(self) -> None:
        for path in [*WITH_IO, NODE]:
            self.told(f"{path}: belay_loop_options.made_up is neither there nor listed")

    def test_a_reason_for_a_struct_is_one_for_its_fields(self) -> None:
        for path in WITH_IO:
            self.told(f"{path}: belay_worker_options.made_up is neither there nor listed")
        self.assertNotIn(f"{NODE}: belay_worker_options", self.run_.stderr)

    def test_io_that_is_the_languages_own_needs_none(self) -> None:
        self.assertNotIn(f"{NODE}: belay_stream_options", self.run_.stderr)

    def test_a_new_value_of_an_option_needs_an_entry_and_a_code_none(self) -> None:
        for path in ("python/tests/uncovered.txt", "node/uncovered.tsv"):
            self.told(f"{path}: BELAY_QUEUE_MADE_UP is neither there nor listed")
        self.assertNotIn("BELAY_EMADE_UP", self.run_.stderr)

    def test_a_reason_lasts(self) -> None:
        self.told("bindings/node/uncovered.tsv: belay_bind needs a reason that lasts")

    def test_a_name_that_is_told_is_one(self) -> None:
        self.told("docs/parity.tsv: Swift has no Kommand.init(enabled:home:_:) for belay_command_create",
                  "docs/parity.tsv: belay_bound stands for nothing in C")  # fmt: skip


class Places(unittest.TestCase):
    def read(self, language: str, text: str, word: str = "x") -> set[tuple[str, str, bool]]:
        """The places that have a word."""
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "file"
            file.write_text(text)
            is_python = language == "python"
            found = list(places.python([file]) if is_python else places.braces([file], language))
            return {(each.owner, each.name, each.is_public) for each in found if word in each.words}

    def test_cpp(self) -> None:
        text = """
        namespace n { template <class T, class U = a<T>> class c : public d<T> {
          void hidden() { x(); }
         public:
          explicit c(int n = {}) : n_{n} { x(); }
          ~c() { x(); }
          template <class F> auto f(F g = [] { return 1; }) const -> decltype(g()) {
            if (1) { x(); }
          }
          // x
          void other() { "x"; }
        };
        template <class T> int c<T>::late() { x(); }
        namespace detail { inline void g() { x(); } } }
        """
        wanted = {("c", "hidden", False), ("c", "c", True), ("c", "~c", True), ("c", "f", True),
                  ("c", "late", True), ("", "g", False)}  # fmt: skip
        self.assertEqual(self.read("cpp", text), wanted)

    def test_rust(self) -> None:
        text = """
        #[cfg(unix)]
        impl<'a, T: A<B<T>>> C<T> { pub fn f<F: Fn() -> u8>(&self) { unsafe { x() } }
          pub(crate) fn g(&self) { x() } fn h() { x() } }
        impl<T> Drop for C<T> where T: A { fn drop(&mut self) { x(); } }
        pub fn free() { x(); }
        kind! {
            /// One.
            Made:
            x_create
        }
        """
        wanted = {("C", "f", True), ("C", "g", False), ("C", "h", False), ("C", "drop", True),
                  ("", "free", True)}  # fmt: skip
        self.assertEqual(self.read("rust", text), wanted)
        self.assertEqual(self.read("rust", text, "x_create"), {("Made", "new", True)})

    def test_javascript(self) -> None:
        text = """
        class C extends D { static make({ a, b } = {}) { x(); } get g() { return x; } _h() { x(); }
          catch(f) { return x(() => { f('{'); }); } }
        function free(a = () => { }) { if (a) { x(); } }
        """
        wanted = {("C", "make", True), ("C", "g", True), ("C", "_h", False), ("C", "catch", True),
                  ("", "free", True)}  # fmt: skip
        self.assertEqual(self.read("js", text), wanted)

    def test_python(self) -> None:
        text = """
class C:
    y = x
    def f(self): x()
    def _g(self): x()
    def __len__(self): x()
"""
        wanted = {("", "C", True), ("C", "f", True), ("C", "_g", False), ("C", "__len__", True)}
        self.assertEqual(self.read("python", text), wanted)
