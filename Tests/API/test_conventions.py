"""What docs/conventions.md says of names and arguments holds for each function: its verb stands in the table, which
tells who owns what it returns, and its arguments stand in one order."""

import re
import unittest
from typing import Any

from description.reader import Reader
from run import ROOT

# Where a rule bends, with the reason.
UNORDERED = {
    "belay_drawing_mark": "the time is that of the mark",
}  # fmt: skip
# A number or a string that stands for a flag, by its argument's name.
FLAGS = {"flags", "rules", "events", "leading", "trailing", "inclusive", "little_endian", "reset_on_value", "raw"}
ORDER = ("object", "loop", "time", "count", "input", "callback", "flag", "options", "variable")


def rows() -> list[tuple[list[str], str, str]]:
    """The verbs of each row of the table, what it tells of the result, and its first cell."""
    text = (ROOT / "docs/conventions.md").read_text()
    table = text[text.index("| verb |") : text.index("**Variants of an operator.**")]
    found = []
    for line in table.splitlines()[2:]:
        if not line:
            continue
        cell, _, told = (each.strip() for each in line.strip("|").split(" | "))
        names, results = cell.split(" / "), told.split(" / ")
        for number, part in enumerate(names):
            verbs = re.findall(r"`(\w+…?)`", part)
            found.append((verbs, results[min(number, len(results) - 1)], part))
    return found


def says(verb: str, name: str) -> bool:
    """Whether a function with this name is one of that verb."""
    if verb.startswith("belay_"):
        return name == verb
    ending = r"_\w+$" if verb.endswith("…") else "$"
    return re.search(f"_{verb.rstrip('_…')}{ending}", name) is not None


class Conventions(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.items = {item["name"]: item for item in Reader(ROOT / "include").read()["items"]}
        cls.functions = {
            name: item for name, item in cls.items.items() if item["kind"] in ("function", "inline")
        }  # fmt: skip

    def named(self, kind: str) -> set[str]:
        return {name for name, item in self.items.items() if item["kind"] == kind}

    # Verbs

    def returned(self, item: dict[str, Any]) -> str:
        """What the call gives: "variable" through its last argument, "result", "borrowed" or "none"."""
        stored = [each for each in item["parameters"] if each.get("ownership") == "given"]
        if item["result"].get("ownership") == "given":
            return "result"
        if stored:
            return "variable" if stored[-1] is item["parameters"][-1] else "several"
        to = item["result"]["type"]
        lends = to["kind"] == "pointer" or to.get("name") in ("belay_value", "belay_function")
        return "borrowed" if lends else "none"

    def agrees(self, told: str, item: dict[str, Any]) -> bool:
        what = self.returned(item)
        if told.startswith("borrowed: it goes with"):
            return item["result"].get("ownership") == "borrowed" and what == "variable"
        if told.startswith(("borrowed", "memory")):
            return what in ("borrowed", "none")
        if told.startswith(("through the last", "a value with")):
            return what == "variable"
        if told.startswith("yours; the second"):
            return what in ("result", "variable")
        return what == ("result" if told.startswith("yours") else "none")

    def test_each_verb_stands_in_the_table_and_tells_who_owns_the_result(self) -> None:
        table = rows()
        self.assertGreater(len(table), 20)
        used: set[tuple[str, str]] = set()
        wrong = []
        for name, item in self.functions.items():
            to = item["result"]["type"]
            pointee = to.get("to", {}).get("name") if to["kind"] == "pointer" else to.get("name")
            fits = []
            is_lent = to["kind"] == "pointer" and to["to"].get("const", False)
            lends = to["kind"] == "pointer" or pointee in ("belay_value", "belay_function")
            is_verb = any(says(verb, name) for verbs, _, _ in table for verb in verbs)
            for verbs, told, cell in table:
                known = [verb for verb in verbs if says(verb, name)]
                is_noun = cell.startswith("a noun") and pointee in ("belay_signal", "belay_op", "belay_value")
                is_plain = cell.startswith("a plain noun") and (is_lent or not is_verb and lends)
                is_number = "plain noun that returns a number" in cell and pointee in ("size_t", "uint64_t", "double")
                if known or is_noun or is_plain or is_number and not is_verb:
                    fits.append(self.agrees(told, item))
                    used |= {(verb, cell) for verb in known if fits[-1]}
            if not fits:
                wrong.append(f"{name}: its verb is not in the table of docs/conventions.md")
            elif True not in fits:
                wrong.append(f"{name} gives otherwise than docs/conventions.md says of its verb")
        for verbs, _, cell in table:
            for verb in verbs:
                is_type = verb in self.named("opaque") | self.named("struct")
                if (verb, cell) not in used and not is_type and not cell.startswith("a noun"):
                    wrong.append(f"{verb} in the table of docs/conventions.md: there is no such function")
        self.assertEqual(wrong, [])

    # Arguments

    def place(self, item: dict[str, Any], index: int) -> str:
        """The place in the order of an argument behind the first one."""
        each, before = item["parameters"][index], item["parameters"][index - 1]
        name, type = each["name"], each["type"]
        is_pointer = type["kind"] == "pointer"
        to = type["to"] if is_pointer else type
        pointee, is_const = to.get("name"), to.get("const", False)
        if pointee in self.named("callback") or name in ("ctx", "user_info") and is_pointer:
            return "callback"
        if is_pointer and pointee in ("belay_loop", "belay_scheduler"):
            return "loop"
        if is_pointer and pointee in self.named("struct") and is_const and each.get("ownership") is None:
            return "options" if re.search("_(options|observer|table)$", pointee) else "input"
        if is_pointer:
            is_array = index + 1 < len(item["parameters"]) and self.measures(item, index + 1)
            is_filled = not is_const and (to["kind"] == "pointer" or pointee not in self.named("opaque") | {"void"})
            return "variable" if is_filled and not is_array else "input"
        if name in FLAGS:
            return "flag"
        if pointee == "double":
            return "input" if name == "timeout" or before["name"] == "value" else "time"
        return "count" if pointee in ("size_t", "uint64_t", "unsigned int") else "input"

    def measures(self, item: dict[str, Any], index: int) -> bool:
        """Whether an argument is the length of the array or the memory before it."""
        before = item["parameters"][index - 1]["type"]
        return (
            before["kind"] == "pointer" and item["parameters"][index]["name"] in ("count", "size", "length")
            and (before["to"].get("name") not in self.named("opaque") or before["to"]["kind"] == "pointer")
        )  # fmt: skip

    def test_arguments_stand_in_one_order(self) -> None:
        checked = 0
        wrong = []
        for name, item in self.functions.items():
            given = item["parameters"]
            if len(given) < 2 or name in UNORDERED:
                continue
            is_source = given[0]["type"].get("to", {}).get("name") == "belay_loop"
            places = []
            for index in range(1, len(given)):
                place = self.place(item, index)
                if self.measures(item, index):
                    place = places[-1] if places else "object"
                elif is_source and place == "input" and (not places or places[-1] == "object"):
                    place = "object"
                places.append(place)
            if places != sorted(places, key=ORDER.index):
                wrong.append(f"{name}: {' '.join(places)}")
            checked += 1
        self.assertEqual(wrong, [], "see docs/conventions.md, Arguments")
        self.assertGreater(checked, 200)

    # Values

    def test_a_value_is_made_of_each_handle(self) -> None:
        text = (ROOT / "include/belay/value.h").read_text()
        macro = text[text.index("#define BELAY_VALUE(x)") :]
        makers = [name for name in self.functions if name.startswith("belay_value_from_")]
        self.assertGreater(len(makers), 8)
        for name in makers:
            self.assertIn(f"{name.replace('_value_from', '')} *: {name}", macro)


if __name__ == "__main__":
    unittest.main()
