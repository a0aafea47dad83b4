"""The manual and the reference: every declaration has its page, and man accepts the pages."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from description import ledger, manual, reference
from description.reader import Reader
from run import ROOT


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.api = Reader(ROOT / "include").read()
        ledger.add_versions(cls.api, ledger.read(ROOT / "Tests/Package/symbols.txt"))
        cls.manual = manual.generate(cls.api)
        cls.reference = reference.generate(cls.api)
        cls.functions = [item for item in cls.api["items"] if item["kind"] == "function"]

    def page(self, name: str) -> str:
        """A page of the manual, or the one that it sends its reader to."""
        text = self.manual[f"man3/{name}.3"]
        sent = re.fullmatch(r"\.so (\S+)\n", text)
        return self.manual[sent[1]] if sent else text

    def test_every_function_has_a_page_with_its_declaration(self) -> None:
        for item in self.functions:
            page = self.page(item["name"]).replace("\\-", "-").replace("\\e", "\\")
            self.assertIn(item["text"], page)
            self.assertIn(f"Since Belay {item['since']}", page)
            self.assertIn(f"#include <belay/{item['header']}>", page)

    def test_a_page_says_who_owns_what(self) -> None:
        page = self.page("belay_op_skip_until")
        self.assertRegex(page, r"\.SH OWNERSHIP\n\.TP\n\.B trigger\ntaken over")
        self.assertRegex(page, r"\.B result\na reference")
        self.assertNotIn("OWNERSHIP", self.page("belay_error_name"))

    def test_every_header_has_pages(self) -> None:
        for header in self.api["headers"]:
            self.assertIn(f"man7/{manual.page_of(header['name'])}.7", self.manual)
            self.assertIn(reference.page_of(header["name"]), self.reference)

    def test_the_reference_has_everything_and_its_links_lead_somewhere(self) -> None:
        pages = "".join(self.reference.values())
        for item in self.api["items"]:
            self.assertIn(item["text"], pages)
            self.assertIn(f'<a id="{item["name"]}"></a>', pages)
        links = re.findall(r"\]\(([^)#]+)#?([^)]*)\)", self.reference["index.md"])
        self.assertGreater(len(links), 2 * len(self.functions))
        for page, anchor in links:
            self.assertIn(f'<a id="{anchor}">' if anchor else "# ", self.reference[page])

    def test_groff_has_nothing_to_say(self) -> None:
        if not shutil.which("groff"):
            self.skipTest("there is no groff")
        with tempfile.TemporaryDirectory() as directory:
            pages = [path for path, text in self.manual.items() if not text.startswith(".so")]
            for path in pages:
                file = Path(directory) / Path(path).name
                file.write_text(self.manual[path])
            files = sorted(map(str, Path(directory).iterdir()))
            command = ["groff", "-man", "-ww", "-z", "-Tutf8", *files]
            run = subprocess.run(command, capture_output=True, text=True)
            said = [line for line in run.stderr.split("\n") if line and "break" not in line]
            self.assertEqual(said, [])
