"""The functions and classes of a binding's sources, each with the words in it.

Nothing here parses a whole language. Braces and the text before them tell enough of C, C++, Rust
and JavaScript; Python's own module reads Python.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path


@dataclass(eq=False)
class Place:
    """A function, a method, or what a class or a file says outside of its functions."""

    owner: str
    name: str
    is_public: bool
    words: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class _Level:
    """What the words at one depth of braces belong to."""

    place: Place
    owner: str = ""
    is_public: bool = True
    is_body: bool = False


# What a head before a brace opens, if it is no statement's.
Opened = Callable[[str, _Level], _Level | None]

_COMMENT = r"/\*.*?\*/|//[^\n]*"
_TEXT = {
    "c": r"'(?:\\.|[^\\'\n])'|\"(?:\\.|[^\"\\\n])*\"",
    "js": r"'(?:\\.|[^\\'\n])*'|\"(?:\\.|[^\"\\\n])*\"",
}
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?!define)\w+[^\n]*$", re.M)
# A constructor's, which braces would take for the body.
_INITIALIZER = re.compile(r"([:,]\s*\w+)\{([^{}]*)\}(?=\s*[,{])")
_ATTRIBUTE = re.compile(r"#!?\[[^\]\n]*\]")
# A macro that makes a type, from its name and the function of C that creates it.
_MADE_BY_MACRO = re.compile(r"^\s*\w+! \{\s*(\w+):\s*(\w+_create)\s*\}", re.M)
_WORD = re.compile(r"(?:\bnative\.)?\w+")
_CONTROL = {"if", "for", "while", "switch", "catch", "return", "else", "noexcept", "match", "loop"}


def braces(files: list[Path], language: str) -> Iterator[Place]:
    """The places in files of `language`: c, cpp, rust or js."""
    noise = re.compile(f"{_COMMENT}|{_TEXT['js' if language == 'js' else 'c']}", re.S)
    for file in files:
        text = noise.sub(lambda found: " " if found[0][0] == "/" else '""', file.read_text())
        text = (_ATTRIBUTE if language == "rust" else _DIRECTIVE).sub("", text)
        if language == "rust":
            text = _MADE_BY_MACRO.sub(r"impl \1 { pub fn new() { \2 } }", text)
        if language == "cpp":
            text = _INITIALIZER.sub(r"\1(\2)", text)
        yield from _of_text(text, file.stem, _SCOPES[language])


def _of_text(text: str, stem: str, opened: Opened) -> Iterator[Place]:
    stack, head = [_Level(Place("", stem, False))], ""
    yield stack[0].place
    for part in re.findall(r"[{};]|[^{};]+", text):
        level = stack[-1]
        if part not in "{};":
            head += part
            if labels := re.findall(r"\b(public|private|protected)\s*:(?!:)", part):
                stack[-1] = replace(level, is_public=labels[-1] == "public")
            continue
        # Braces in a list of arguments are defaults, patterns or closures.
        if head.count("(") > head.count(")"):
            head += part
            continue
        if part == "{":
            inner = _Level(level.place, level.owner, level.is_public, True)
            inner = inner if level.is_body else opened(head.strip(), level) or inner
            stack.append(inner)
            if inner.place is not level.place:
                yield inner.place
            level = inner
        elif part == "}" and len(stack) > 1:
            stack.pop()
        level.place.words.update(_WORD.findall(head))
        head = ""


def _function(name: str, level: _Level, is_public: bool) -> _Level | None:
    if name in _CONTROL and not level.owner:
        return None
    return _Level(Place(level.owner, name, is_public), level.owner, is_public, True)


def _class(name: str, is_public: bool, are_public: bool) -> _Level:
    return _Level(Place("", name, is_public), name, are_public)


def _in_c(head: str, level: _Level) -> _Level | None:
    found = re.search(r"(\w+)\s*\([^{}]*\)$", head)
    return found and _function(found[1], level, False)


def _in_cpp(head: str, level: _Level) -> _Level | None:
    if found := re.search(r"\bnamespace(?: (\w+))?$", head):
        return replace(level, is_public=level.is_public and found[1] not in (None, "detail"))
    head = re.sub(r"\btemplate\s*<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>", "", head)
    if found := re.search(r"^[^(]*\b(class|struct|union)\s+(\w+)[^()]*$", head):
        return _class(found[2], level.is_public, level.is_public and found[1] != "class")
    head = re.sub(r"\b(?:decltype|noexcept|explicit|static_cast)\s*\([^()]*\)", "", head)
    found = re.search(r"(?:\b(\w+)(?:<[^<>]*>)?::)?(~?\w+|operator\W+?)\s*\(", head)
    if found and found[1]:
        # A method that is defined behind its class.
        level = replace(level, owner=found[1])
    return found and _function(found[2], level, level.is_public)


def _in_rust(head: str, level: _Level) -> _Level | None:
    if found := re.search(r"\bfn\s+(\w+)", head):
        is_public = bool(re.search(r"\bpub\b(?!\s*\()", head[: found.start()]))
        return _function(found[1], level, is_public or level.is_public and level.owner != "")
    if re.search(r"\bmod\s+\w+$", head):
        return level
    if found := re.search(r"\b(impl|trait|struct|enum|union)\b(.*)$", head, re.S):
        rest = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", found[2].replace("->", "")))
        rest = re.sub(r"<[^<>]*>", "", rest).split(" where ")[0].split("\n")[0]
        # The members of a trait are as public as it is.
        are_public = found[1] == "trait" or " for " in rest
        name = re.search(r"\w+", rest.split(" for ")[-1])
        return _class(name[0], True, are_public) if name else None
    return None


def _in_js(head: str, level: _Level) -> _Level | None:
    if found := re.search(r"\bclass (\w+)", head):
        return _class(found[1], not found[1].startswith("_"), True)
    head = head.rsplit("\n\n")[-1]
    words = r"(?:(?:function\*?|get|set|static|async)\s+)*"
    found = re.search(rf"(?:^|\s){words}\*?([#\w]+)\s*\(.*\)$", head, re.S)
    return found and _function(found[1], level, not found[1].startswith(("_", "#")))


_SCOPES = {"c": _in_c, "cpp": _in_cpp, "rust": _in_rust, "js": _in_js}


def python(files: list[Path]) -> Iterator[Place]:
    """The places in modules of Python's."""
    for file in files:
        module = Place("", file.stem, False)
        yield module
        yield from _in_python(ast.parse(file.read_text()), "", module)


def _in_python(node: ast.AST, owner: str, around: Place) -> Iterator[Place]:
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.ClassDef):
            made = Place("", each.name, not each.name.startswith("_"))
            yield made
            yield from _in_python(each, each.name, made)
        elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            is_public = not re.match(r"_[^_]", each.name) and not owner.startswith("_")
            made = Place(owner, each.name, is_public)
            for inner in ast.walk(each):
                _hear(inner, made)
            yield made
        else:
            _hear(each, around)
            yield from _in_python(each, owner, around)


def _hear(node: ast.AST, place: Place) -> None:
    if isinstance(node, ast.Attribute):
        place.words.add(node.attr)
    elif isinstance(node, ast.Name):
        place.words.add(node.id)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
        # A function of C by its name, or a struct by its type.
        place.words.update(re.findall(r"\bpb_\w+|^belay_\w+$|\bbelay_\w+(?= ?[*\[])", node.value))
