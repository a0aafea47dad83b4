"""docs/parity.md: each function and struct of the C API in each language, by its name there or with
the reason why it has none.

The names are found in the sources: the public function whose body calls the function of C, or calls
a private one that does. docs/parity.tsv has the names that the sources do not tell, most of which
are Swift's, for Swift calls the core itself. The list of each binding has its reasons.
"""

from __future__ import annotations

import fnmatch
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import fields, node, places, table
from .operators import Wrong
from .places import Place

Item = dict[str, Any]

PATH = "docs/parity.md"
_PUBLIC_IN_SWIFT = "bindings/swift/names.txt"
# What a reason may not say.
_LATER = re.compile(r"\b(not yet|yet|todo|later|planned|missing|unfinished)\b", re.I)
_HEADING = """# The C API in each language

Written by `scripts/api write` from the headers, the sources of the bindings and their lists.

This page tells you where a function or a struct of C is in your language. A cell has the name of
the method, function or type that calls it, or in italics the reason why the language has none. Three
words stand for what needs no name: *handles* means that the binding calls it where a handle is
copied or ends; *values*, that it calls it where it makes a value of Belay's from one of the
language, or back; *inside*, that other methods call it. A name in Python is in `libbelay`, or in its
module `interception`, `objects` or `testing`.

The inline functions of `value.h` make, test and read plain values in C; a binding reads and makes
these values itself: {inline}.
"""


@dataclass(frozen=True)
class _Language:
    """What differs from one binding to another."""

    title: str
    reasons: str
    # None where the binding does not call C.
    sources: Callable[[Path, dict[str, Item]], list[Place]] | None
    joint: str = "."
    # The files that set options: patterns of their paths.
    with_options: tuple[str, ...] = ()
    # Whether it has I/O of Belay's.
    has_io: bool = True
    # Whether a program sees the constants of C.
    has_constants: bool = True

    def advice(self, is_listed: bool) -> str:
        if is_listed:
            return "remove its line"
        use = "use it in the binding" if self.sources else f"add its name to {table.NAMES}"
        return f"{use}, or add it here with a reason"


def generate(root: Path, api: dict[str, Any]) -> str:
    """The page. Raises Wrong with what lacks a name and a reason."""
    items = [item for item in api["items"] if item["kind"] in ("function", "struct")]
    everything = {item["name"]: item for item in api["items"]}
    wrong: list[str] = []
    columns = [_column(each, root, everything, wrong) for each in _LANGUAGES]
    if wrong:
        raise Wrong("\n".join(wrong))
    inline = [f"`{item['name']}`" for item in api["items"] if item["kind"] == "inline"]
    titles = " | ".join(["C", *(each.title for each in _LANGUAGES)])
    out = _HEADING.format(inline=", ".join(inline))
    for header in api["headers"]:
        names = [item["name"] for item in items if item["header"] == header["name"]]
        if names:
            out += f"\n## {header['name']}\n\n| {titles} |\n|{'---|' * (len(columns) + 1)}\n"
        for name in names:
            out += f"| `{name}` | {' | '.join(column[name] for column in columns)} |\n"
    return out


def _column(
    language: _Language, root: Path, everything: dict[str, Item], wrong: list[str]
) -> dict[str, str]:
    """What the cells of one language say, by the names in C."""
    items = [item for item in everything.values() if item["kind"] in ("function", "struct")]
    reasons = _reasons(root, language.reasons, wrong)
    calling = _Calling(language.sources(root, everything)) if language.sources else None
    told = _told(root, language.title, calling, wrong)
    made: dict[str, str] = {}
    matched: set[str] = set()
    for item in items:
        name = item["name"]
        found = sorted(each for each in reasons if fnmatch.fnmatchcase(name, each))
        matched |= set(found)
        is_there = calling.has(name) if calling else name in told
        if item["kind"] == "function" and bool(found) == is_there:
            what = "is there, and listed too" if found else "is neither there nor listed"
            wrong.append(f"{language.reasons}: {name} {what}: {language.advice(bool(found))}")
        if name in told:
            made[name] = f"`{told[name]}`"
        elif calling and is_there:
            made[name] = calling.name(item, language.joint)
        elif found:
            # A whole name sorts behind a pattern.
            made[name] = f"*{reasons[found[-1]]}*"
    if language.with_options:
        matched |= _fields(language, root, list(everything.values()), reasons, wrong)
    wrong += [f"{language.reasons}: {each} stands for nothing" for each in reasons.keys() - matched]
    wrong += [f"{table.NAMES}: {each} stands for nothing in C" for each in told.keys() - made.keys()]
    # Twice, for structs in structs.
    for _ in range(2):
        made |= {item["name"]: _with(item, items, made) for item in items}
    return made


def _fields(
    language: _Language, root: Path, items: list[Item], reasons: dict[str, str], wrong: list[str]
) -> set[str]:
    """The reasons that stand for a field or a constant which the language lacks."""
    files = [file for pattern in language.with_options for file in sorted(root.glob(pattern))]
    matched: set[str] = set()
    for name, whole in fields.lacking(items, files, language.has_io, language.has_constants):
        names = (name, whole)
        found = {each for each in reasons if any(fnmatch.fnmatchcase(one, each) for one in names)}
        matched |= found
        if not found:
            wrong.append(f"{language.reasons}: {name} is neither there nor listed: {language.advice(False)}")
    return matched


def _with(item: Item, items: list[Item], made: dict[str, str]) -> str:
    """What its cell says. A struct without a name of its own is where the functions or the structs
    are that pass it."""
    own = made.get(item["name"], "*inside*")
    if item["kind"] == "function" or own != "*inside*":
        return own
    word = re.compile(rf"\b{item['name']}\b")
    passing = [each["name"] for each in items if word.search(each["text"])]
    cells = [made.get(name, own) for name in passing]
    return next((cell for cell in cells if cell != own), own)


def _told(
    root: Path, language: str, calling: _Calling | None, wrong: list[str]
) -> dict[str, str]:
    """The names of docs/parity.tsv by those in C, and those of operators for Swift."""
    made = table.told(root, language)
    ledger = (root / _PUBLIC_IN_SWIFT).read_text()
    in_swift = set(re.findall(r"^\w+ (.*): [\w. ]+$", ledger, flags=re.M))
    for c, name in made.items():
        name = table.untyped(name)
        last = re.split(r"::|\.", name)[-1]
        if not (last in calling.words if calling else name in in_swift):
            wrong.append(f"{table.NAMES}: {language} has no {name} for {c}")
    if not calling:
        labelled = table.labelled(root)
        rows = [row for row in reversed(table.read(root)) if row.c[:6] == "belay_"]
        made |= {row.c: labelled.get(row.c, row.swift) for row in rows}
    return made


def _reasons(root: Path, path: str, wrong: list[str]) -> dict[str, str]:
    """The reasons by the names that they stand for, from "name TAB reason", or from names below a
    comment with the reason."""
    made: dict[str, str] = {}
    reason, is_open = "", False
    for line in (root / path).read_text().split("\n"):
        if line.startswith("#"):
            reason = f"{reason} {line[1:].strip()}" if is_open else line[1:].strip()
        elif line:
            name, _, own = line.partition("\t")
            made[name] = (own or reason).strip().rstrip(".").replace("|", "\\|")
        is_open = line.startswith("#")
    for name, why in made.items():
        if not why or _LATER.search(why):
            wrong.append(f"{path}: {name} needs a reason that lasts, not “{why}”")
    return made


class _Calling:
    """Which places call which."""

    def __init__(self, found: list[Place]) -> None:
        self.by_word: dict[str, list[Place]] = defaultdict(list)
        for place in found:
            for word in place.words:
                self.by_word[word].append(place)
        self.types = [
            place for place in found
            if place.is_public and not place.owner and place.name.lower() not in table.FAMILIES
        ]
        self.words = self.by_word.keys() | {place.name for place in found}

    def _direct(self, name: str) -> list[Place]:
        native = "native." + name.removeprefix("belay_")
        return self.by_word.get(name, []) + self.by_word.get(native, [])

    def has(self, name: str) -> bool:
        return bool(self._direct(name))

    def name(self, item: Item, joint: str) -> str:
        name = item["name"]
        direct = self._direct(name)
        if item["kind"] == "struct" and item["header"] == "value.h":
            return "*values*"
        if re.search(r"_(retain|release)$", name):
            return "*handles*"
        if item["kind"] == "struct" and (of_its_name := self._type(name)):
            return _shown(of_its_name, joint)
        seen = direct
        for step in range(4):
            public = [place for place in seen if place.is_public]
            # A value that private places make or read as well has no one name.
            is_value = item["header"] == "value.h" and len(public) < len(seen)
            is_sure = step == 0 and not is_value
            if public and (is_told := _nearest(public, name, is_sure)):
                return _shown(is_told, joint)
            if item["header"] == "value.h":
                return "*values*"
            seen = [each for place in seen if not place.is_public for each in self._callers(place)]
        return "*inside*"

    def _type(self, name: str) -> Place | None:
        """The public type with the same name as a struct of C."""
        return next((each for each in self.types if _parts(each.name) == _parts(name)), None)

    def _callers(self, place: Place) -> list[Place]:
        """A name that many classes have means that of the same class."""
        found = self.by_word.get(place.name, [])
        if place.name in _COMMON or len(found) > 40:
            return [each for each in found if place.owner and each.owner == place.owner]
        return found


_COMMON = {
    "create", "give", "get", "set", "list", "text", "call", "bind", "value", "handle", "with",
}  # fmt: skip


def _parts(name: str) -> set[str]:
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower().split("_")
    return {word.rstrip("s") for word in words if word} - {"belay", "op"}


def _nearest(public: list[Place], name: str, is_sure: bool) -> Place | None:
    """The one whose name is most like C's. Unless it is sure to be meant, it has to be like it."""
    wanted = _parts(name)

    def likeness(place: Place) -> int:
        own = _parts(place.name) if place.owner else _parts(place.name) | {"signal"}
        parts = own | _parts(place.owner)
        return 3 * len(wanted & parts) + 3 * len(wanted & own) - len(own - wanted)

    best = max(public, key=likeness)
    is_like = wanted & (_parts(best.name) | _parts(best.owner))
    return best if is_like or is_sure and len(set(map(_shown_of, public))) == 1 else None


def _shown_of(place: Place) -> tuple[str, str]:
    return place.owner, place.name


def _shown(place: Place, joint: str) -> str:
    # A family's methods are the signal's.
    owner = place.owner
    if owner.lower() in table.FAMILIES:
        owner = "signal" if owner.islower() else "Signal"
    is_made = place.name in ("__init__", "constructor", owner)
    name = owner if is_made else f"{owner}{joint}{place.name}" if owner else place.name
    return f"`{name}`"


# ---- their sources ----


def _cpp(root: Path, items: dict[str, Item]) -> list[Place]:
    return list(places.braces(sorted((root / "bindings/cpp/include").rglob("*.hpp")), "cpp"))


def _rust(root: Path, items: dict[str, Item]) -> list[Place]:
    return list(places.braces(sorted((root / "bindings/rust/belay/src").rglob("*.rs")), "rust"))


def _python(root: Path, items: dict[str, Item]) -> list[Place]:
    here = root / "bindings/python"
    files = sorted((here / "src").rglob("*.py"))
    exported = set(re.findall(r'"(\w+)"', (here / "src/libbelay/__init__.py").read_text()))
    made = _exported(list(places.python(files)), exported | _open_names(files))
    return made + list(places.braces(sorted((here / "native").glob("*.c")), "c"))


def _open_names(files: list[Path]) -> set[str]:
    """What the modules without a leading underscore define."""
    text = "".join(file.read_text() for file in files if not file.name.startswith("_"))
    return set(re.findall(r"^(?:class|def) ([a-zA-Z]\w*)", text, flags=re.M))


def _node(root: Path, items: dict[str, Item]) -> list[Place]:
    here = root / "bindings/node"
    files = sorted((here / "lib").rglob("*.js"))
    texts = [(here / path).read_text() for path in ("index.js", "lib/testing.js")]
    exports = re.findall(r"module\.exports = \{(.*?)\}", "".join(texts), flags=re.S)
    made = _exported(list(places.braces(files, "js")), set(re.findall(r"\w+", "".join(exports))))
    native = [file for file in sorted((here / "native").glob("*.c")) if file.name != "functions.c"]
    given = dict(
        (c, js) for file in native for js, c in re.findall(r'\{"(\w+)", (\w+)\}', file.read_text())
    )
    by_hand = list(places.braces(native, "c"))
    for place in by_hand:
        # JavaScript calls it by the name that the add-on gives it.
        place.name = f"native.{given[place.name]}" if place.name in given else place.name
    # Macros paste the names of some.
    by_hand.append(Place("", "", False, node.written_by_hand(here / "native", items)[0]))
    return made + by_hand


def _exported(found: list[Place], exported: set[str]) -> list[Place]:
    for place in found:
        top = place.owner or place.name
        if top not in exported and top.lower() not in table.FAMILIES:
            place.is_public = False
    return found


_LANGUAGES = [
    _Language(
        "C++", "bindings/cpp/tests/uncovered.txt", _cpp, "::",
        with_options=("bindings/cpp/include/**/*.hpp",),
    ),
    _Language("Swift", "bindings/swift/uncovered.tsv", None),
    _Language(
        "Python", "bindings/python/tests/uncovered.txt", _python,
        with_options=("bindings/python/src/**/*.py",), has_constants=False,
    ),
    _Language(
        "Rust", "bindings/rust/uncovered.tsv", _rust, "::",
        with_options=("bindings/rust/belay/src/**/*.rs",),
    ),
    # Its I/O is Node's.
    _Language(
        "Node", "bindings/node/uncovered.tsv", _node,
        with_options=("bindings/node/lib/**/*.js", "bindings/node/native/*.[ch]"),
        has_io=False, has_constants=False,
    ),
]  # fmt: skip
