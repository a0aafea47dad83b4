"""The declarations in the sources of each language, by the names that docs/parity.md has."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

# The language of the table, of the site's tabs, of the highlighter.
LANGUAGES = [
    ("C++", "cpp"),
    ("Swift", "swift"),
    ("Python", "python"),
    ("Rust", "rust"),
    ("Node", "ts"),
]
_Found = dict[str, list[str]]


def read(root: Path) -> dict[str, _Found]:
    """The declarations of each language by the last part of the name, the shortest first."""
    made = {
        "C++": _braced(root / "bindings/cpp/include", "*.hpp", _CPP),
        "Swift": _braced(root / "Sources/Belay", "*.swift", _SWIFT)
        | _braced(root / "Sources/BelayLoop", "*.swift", _SWIFT),
        "Python": _python(root / "bindings/python/src"),
        "Rust": _braced(root / "bindings/rust/belay/src", "*.rs", _RUST),
        "Node": _braced(root / "bindings/node", "*.d.ts", _NODE),
    }
    return made


def names(root: Path) -> dict[str, dict[str, str]]:
    """The cells of docs/parity.md: of each function of C, by language."""
    made: dict[str, dict[str, str]] = {}
    for line in (root / "docs/parity.md").read_text().split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 6 and cells[0].startswith("`"):
            languages = [language for language, _ in LANGUAGES]
            made[cells[0].strip("`")] = dict(zip(languages, cells[1:], strict=True))
    return made


def of(cell: str, found: _Found) -> list[str]:
    """The declarations of what a cell names: at most four, without bodies."""
    if not cell.startswith("`"):
        return []
    name = re.split(r"::|\.", re.sub(r"\(.*", "", cell.strip("`")))[-1]
    # Every class has one of these.
    if name in ("new", "create", "command"):
        return []
    return list(dict.fromkeys(found.get(name, [])))[:4]


_CPP = re.compile(
    r"^(?:template <[^\n]*>\n)?class (\w+)(?: final)?(?: : public [\w<>]+)? (?=\{)|"
    r"^[ \t]*(?:template <[^\n]*>\n[ \t]*)?(?!return\b|using\b|else\b|#|//)[\w:<>,&* .]+?[ &*](\w+)\("
    r"(?:[^(){};]|\([^()]*\)|\{[^{}]*\})*\)[^{};()]*(?=\{)",
    re.M,
)  # fmt: skip
_SWIFT = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)]*\))?\s+)*public (?:static |final |class |convenience )*(?:func|class|init) ?`?(\w*)"
    r"[^{}]*(?=\{)",
    re.M,
)  # fmt: skip
_RUST = re.compile(r"^[ \t]*pub fn (\w+)(?:[^{};\[]|\[[^\]]*\])*(?=\{)", re.M)
_NODE = re.compile(
    r"^[ \t]*(?:export )?(?:static |function )*(\w+)(?:<[^\n(]*>)?\((?:[^;{}]|\{[^{}]*\})*;$"
    r"|^export (?:declare )?class (\w+)[^{}]*(?=\{)",
    re.M,
)  # fmt: skip


def _braced(folder: Path, pattern: str, declaration: re.Pattern[str]) -> _Found:
    found: _Found = defaultdict(list)
    for file in sorted(folder.rglob(pattern)):
        if "node_modules" in file.parts:
            continue
        text = file.read_text()
        for each in declaration.finditer(text):
            name = next(group for group in each.groups() if group is not None)
            found[name].append(_dedented(each[0]))
    return _sorted(found)


def _python(folder: Path) -> _Found:
    found: _Found = defaultdict(list)
    for file in sorted(folder.rglob("*.py")):
        if file.name == "ops.py":
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef):
                found[node.name].append(_signature(node))
            elif isinstance(node, ast.ClassDef):
                found[node.name] += _initialiser(node)
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
    for each in arguments:
        depth += (each in "[(") - (each in "])")
        if each == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += each
    return [part.strip() for part in parts]


def _dedented(text: str) -> str:
    lines = [line.rstrip() for line in text.rstrip().lstrip("\n").split("\n")]
    margin = min(len(line) - len(line.lstrip()) for line in lines if line)
    text = "\n".join(line[margin:] for line in lines)
    return re.sub(r"\b(?:public |final |export |crate::(?:\w+::)*|std::time::)", "", text)


def _sorted(found: dict[str, list[str]]) -> _Found:
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
        if texts := of(cell, found[language]):
            made += _tab(title, highlighter, "\n".join(texts))
        elif cell.startswith("`"):
            made += _tab(title, highlighter, cell.strip("`"))
        elif cell:
            made += f'=== "{title}"\n\n    {cell}\n\n'
    return made


def _tab(title: str, highlighter: str, text: str) -> str:
    body = "\n".join(f"    {line}" if line else "" for line in text.split("\n"))
    return f'=== "{title}"\n\n    ```{highlighter}\n{body}\n    ```\n\n'
