"""The declarations in the sources of each language, by the names that docs/parity.md has."""

from __future__ import annotations

import ast
import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from .. import table
from ..reader import Refused

# The language of the table, of the site's tabs, of the highlighter.
LANGUAGES = [
    ("C++", "cpp"),
    ("Swift", "swift"),
    ("Python", "python"),
    ("Rust", "rust"),
    ("Node", "ts"),
]
# By the class that they stand in ("" outside of all) and their names: declarations, the shortest first.
_Found = dict[tuple[str, str], list[str]]


def read(root: Path) -> dict[str, _Found]:
    """The declarations of each language. Those that a cell of an operator names by labels or types, as
    `take(during:)`, have that as their name, and are none of `take`."""
    swift = [each for part in _SWIFT_MODULES for each in (root / "Sources" / part).rglob("*.swift")]
    found = {
        "C++": _braced((root / "bindings/cpp/include").rglob("*.hpp"), _CPP, _CPP_SCOPE),
        "Swift": _braced(swift, _SWIFT, _SWIFT_SCOPE),
        "Python": _python(root / "bindings/python/src"),
        "Rust": _rust(root / "bindings/rust/belay/src"),
        "Node": _braced((root / "bindings/node").rglob("*.d.ts"), _NODE, _NODE_SCOPE),
    }
    cells = names(root)
    functions = {row.c for row in table.read(root)} & cells.keys()
    for language, _ in LANGUAGES:
        listed = {cells[each][language] for each in functions if re.match(r"`.*\(", cells[each][language])}
        # `from(_: Result)` comes before `from(_:)`, which is then the rest.
        for cell in sorted(listed, key=lambda each: (": " not in each, each)):
            _set_apart(cell, language, found[language])
    return found


def _set_apart(cell: str, language: str, found: _Found) -> None:
    owner, name = split(cell)
    word = name.partition("(")[0]
    for each in owners(owner, word, language, found):
        # An initialiser of Swift's has no name.
        place = (each, "" if word == "init" else word)
        if chosen := [text for text in found.get(place, []) if _is_meant(text, name)]:
            found[each, name] = chosen
            found[place] = [text for text in found[place] if text not in chosen]
            return


def _is_meant(text: str, name: str) -> bool:
    """Whether the labels in brackets behind a name, with or without types, are those of a declaration; where a
    language has no labels, whether the words are in its first parameters."""
    word, _, listed = name.rstrip(")").partition("(")
    head = re.search(rf"\b{word}(?:<[^()]*>)?\(", text)
    parameters = _split(_bracketed(text[head.end() :])) if head else []
    parameters = [each for each in parameters if each]
    if ":" not in listed and listed:
        words = listed.split(", ")
        return len(words) <= len(parameters) and all(
            re.search(rf"\b{each}\b", parameter) for each, parameter in zip(words, parameters)
        )
    labels = re.findall(r"(\w+):(?: (\w+))?", listed)
    return len(labels) == len(parameters) and all(
        re.match(rf"{label}\b.*?:.*\b{type}\b", parameter, flags=re.S)
        for (label, type), parameter in zip(labels, parameters)
    )


def _bracketed(text: str) -> str:
    """Up to the bracket that closes."""
    depth = 1
    for place, each in enumerate(text):
        depth += (each == "(") - (each == ")")
        if not depth:
            return text[:place]
    return text


def names(root: Path) -> dict[str, dict[str, str]]:
    """The cells of docs/parity.md: of each function of C, by language."""
    made: dict[str, dict[str, str]] = {}
    for line in (root / "docs/parity.md").read_text().split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 6 and cells[0].startswith("`"):
            languages = [language for language, _ in LANGUAGES]
            made[cells[0].strip("`")] = dict(zip(languages, cells[1:], strict=True))
    return made


def of(cell: str, language: str, found: _Found) -> list[str]:
    """The declarations of what a cell names, all of one class: at most four, without bodies."""
    if not cell.startswith("`"):
        return []
    owner, name = split(cell)
    for each in owners(owner, name, language, found):
        if texts := found.get((each, name)):
            return list(dict.fromkeys(texts))[:4]
    return []


def split(cell: str) -> tuple[str, str]:
    """The class that a cell names, or nothing, and what is in it."""
    name, bracket, listed = cell.strip("`").partition("(")
    *owner, name = re.split(r"::|\.", name)
    return "::".join(owner), name + bracket + listed


def owners(owner: str, name: str, language: str, found: _Found) -> list[str]:
    """The classes to look for it in, the first one first."""
    if owner.lower() == "signal":
        # A family's methods are the signal's.
        families = [each if owner.islower() else each.capitalize() for each in table.FAMILIES]
        return [owner, *families, "source"]
    if language == "Swift" and not owner:
        # The cells of operators name no class.
        others = sorted({each for each, own in found if own == name})
        return ["", "Signal", "AnySignal", "ConnectableSignal", *(others if len(others) == 1 else [])]
    # A constructor has the name of its class.
    return [owner] if owner else ["", name]


_SWIFT_MODULES = ["Belay", "BelayLoop", "BelayIO", "BelayTesting"]
_CPP = re.compile(
    r"^(?:template <[^\n]*>\n)?class (\w+)(?: final)?(?: : public [\w<>]+)? (?=\{)|"
    # A constructor that calls another one.
    r"^[ \t]*(?:template <[^\n]*>\n[ \t]*)?(?:explicit )?(\w+)\((?:[^(){};]|\{\}|\([^()]*\))*\)(?=\s+: \w+::handle\()|"
    r"^[ \t]*(?:template <[^\n]*>\n[ \t]*)?(?!return\b|using\b|else\b|#|//)[\w:<>,&* .]+?[ &*](\w+)\((?!typename \w+::empty)"
    r"(?:[^(){};]|\([^()]*\)|\{[^{}]*\})*\)[^{};()]*(?=\{)",
    re.M,
)  # fmt: skip
_SWIFT = re.compile(
    r"^[ \t]*(?:@(?!_spi\b)\w+(?:\([^)]*\))?\s+)*public (?:static |final |class |convenience )*(?:func|class|init) ?`?(\w*)"
    r"[^{}]*(?=\{)",
    re.M,
)  # fmt: skip
_RUST = re.compile(r"^[ \t]*pub (?:unsafe )?fn (\w+)(?:[^{};\[]|\[[^\]]*\])*(?=\{)", re.M)
_NODE = re.compile(
    r"^[ \t]*(?:export )?(?:static |function )*(\w+)(?:<[^\n(]*>)?\((?:[^;{}]|\{[^{}]*\})*;$"
    r"|^export (?:declare )?class (\w+)[^{}]*(?=\{)",
    re.M,
)  # fmt: skip


# What the text before a brace opens: a class, whose name the first group that matches has, or a namespace.
_CPP_SCOPE = re.compile(r"\bnamespace(?: (\w+))?$|^[^(]*\b(?:class|struct)\s+(\w+)[^()]*$")
_SWIFT_SCOPE = re.compile(
    r"\b(?:class|struct|enum|protocol|extension|actor)\s+(?!func\b|var\b|init\b)(?:\w+\.)*(\w+)(?!.*\bfunc\b)", re.S
)  # fmt: skip
_RUST_SCOPE = re.compile(
    r"\b(?:impl|trait)\b(?:\s*<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>)?(?:(?:(?!\bwhere\b)[^{])*\bfor\s+)?\s*(?:\w+::)*(\w+)"
    r"(?!.*\bfn\b)|\bmod \w+$", re.S
)  # fmt: skip
_NODE_SCOPE = re.compile(r"\b(?:class|interface)\s+(\w+)")
_NOISE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^\\'\n])'", re.S)


def _braced(files: Iterable[Path], declaration: re.Pattern[str], scope: re.Pattern[str]) -> _Found:
    found: _Found = defaultdict(list)
    for file in sorted(files):
        if "node_modules" in file.parts:
            continue
        text = file.read_text()
        owner_at = _owners_in(text, scope)
        for each in declaration.finditer(text):
            name = next(group for group in each.groups() if group is not None)
            # A class declares itself at its first word, which is outside of it.
            if (owner := owner_at(each.start() + len(each[0]) - len(each[0].lstrip()))) is not None:
                found[owner, name].append(_dedented(each[0]))
    return _sorted(found)


def _rust(folder: Path) -> _Found:
    """Also the methods of signals that a macro writes."""
    found = _braced(folder.rglob("*.rs"), _RUST, _RUST_SCOPE)
    text = "\n".join(file.read_text() for file in sorted(folder.rglob("*.rs")))
    for macro in re.finditer(r"^macro_rules! (\w+) \{.*?^\}", text, flags=re.S | re.M):
        if written := re.search(r"\n[^\n]*?(?:pub fn \$name\b[^{]*)(?=\{)", macro[0]):
            lines = written[0].lstrip("\n").split("\n")
            for use in re.findall(rf"^ *{macro[1]}! \{{.*?^ *\}}", text, flags=re.S | re.M):
                for name in re.findall(r"^ *(\w+): belay_\w+;?$", use, flags=re.M):
                    found["Signal", name] = [_dedented("\n".join(lines)).replace("$name", name)]
    return found


def _owners_in(text: str, scope: re.Pattern[str]) -> Callable[[int], str | None]:
    """Tells the class that a place of the text is in; None in a function's body."""
    plain = _NOISE.sub(lambda each: re.sub(r"[^\n]", " ", each[0]), text)
    # Where it changes, and to what.
    places, head = [0], 0
    owners: list[str | None] = [""]
    current: list[str | None] = [""]
    for each in re.finditer(r"[{};]", plain):
        if each[0] == "{":
            opened = scope.search(plain[head : each.start()].strip())
            name = opened and next((group for group in opened.groups() if group), None)
            if current[-1] is None or not opened:
                current.append(None)
            else:
                current.append(name if name and name != "belay" else "")
        elif each[0] == "}" and len(current) > 1:
            current.pop()
        head = each.end()
        places.append(each.end())
        owners.append(current[-1])
    return lambda place: owners[bisect(places, place) - 1]


def _python(folder: Path) -> _Found:
    found: _Found = defaultdict(list)
    for file in sorted(folder.rglob("*.py")):
        if file.name == "ops.py":
            continue
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                found["", node.name].append(_signature(node))
            elif isinstance(node, ast.ClassDef):
                found["", node.name] += _initialiser(node)
                for each in node.body:
                    if isinstance(each, ast.FunctionDef):
                        found[node.name, each.name].append(_signature(each))
    return _sorted(found)


def _initialiser(node: ast.ClassDef) -> list[str]:
    made = [
        each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"
    ]
    return [f"class {node.name}: {_signature(each)}" for each in made] or [f"class {node.name}"]


def _signature(node: ast.FunctionDef) -> str:
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    text = f"def {node.name}({ast.unparse(node.args)}){result}"
    if len(text) <= 88:
        return text
    parts = _split(ast.unparse(node.args))
    return f"def {node.name}(\n    " + ",\n    ".join(parts) + f"\n){result}"


def _split(arguments: str) -> list[str]:
    """At the commas that stand in no brackets."""
    parts, depth = [""], 0
    for each in arguments.replace("->", "\0"):
        depth += (each in "[(<{") - (each in "])>}")
        if each == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += each
    return [part.strip().replace("\0", "->") for part in parts]


def _dedented(text: str) -> str:
    lines = [line.rstrip() for line in text.rstrip().lstrip("\n").split("\n")]
    margin = min(len(line) - len(line.lstrip()) for line in lines if line)
    text = "\n".join(line[margin:] for line in lines)
    return re.sub(r"\b(?:public |final |export |crate::(?:\w+::)*|std::time::)", "", text)


def _sorted(found: _Found) -> _Found:
    return {
        name: sorted(set(texts), key=lambda text: (text.count("\n"), len(text)))
        for name, texts in found.items()
    }


# The tabs of a language have one name on the whole site, and change together.
_TABS = {"Node": "JavaScript"}


def tabs(name: str, declaration: str, cells: dict[str, str], found: dict[str, Any]) -> str:
    """The declaration in C, and in each language that has one, as tabs."""
    made = _tab("C", "c", declaration)
    for language, highlighter in LANGUAGES:
        cell, title = cells.get(language, ""), _TABS.get(language, language)
        if texts := of(cell, language, found[language]):
            made += _tab(title, highlighter, "\n".join(texts))
        elif cell.startswith("`"):
            raise Refused(f"{name}: no declaration of {cell} is found in {language}")
        elif cell:
            made += f'=== "{title}"\n\n    {cell}\n\n'
    return made


def _tab(title: str, highlighter: str, text: str) -> str:
    body = "\n".join(f"    {line}" if line else "" for line in text.split("\n"))
    return f'=== "{title}"\n\n    ```{highlighter}\n{body}\n    ```\n\n'
