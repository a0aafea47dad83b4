"""Reads the public headers with clang: what they declare, with comments and ownership.

The umbrella header says what there is; where a header lies below `include/belay` does not matter.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import ctype, ownership
from .comments import Source

Node = dict[str, Any]
Item = dict[str, Any]

FORMAT = 1

# What headers are written with, and a program does not use.
_OWN_MACROS = {"BELAY_EXPORT", "BELAY_BEGIN", "BELAY_END", *ownership.MARKS}


class Refused(Exception):
    """Something that the headers or the compiler do not give."""


def find_clang() -> str:
    """The clang of Swift's toolchain, or another one."""
    swift = shutil.which("swiftc")
    beside = Path(swift).resolve().parent / "clang" if swift else None
    found = str(beside) if beside and beside.exists() else shutil.which("clang")
    if not found:
        raise Refused("there is no clang: put the Swift toolchain's usr/bin on PATH")
    return found


class Reader:
    """Reads what the umbrella header includes of the headers `within` its directory."""

    def __init__(self, include: Path) -> None:
        self.include = include.resolve()
        self.umbrella = (include / "belay/belay.h").resolve()
        self.within = self.umbrella.parent
        self.clang = find_clang()
        self.sources: dict[str, Source] = {}
        self.items: list[Item] = []
        self.text = f'#include "{self.umbrella}"\n'
        self.beside: list[str] = []

    def read(self) -> dict[str, Any]:
        """All that the public headers declare."""
        self._find_beside()
        items = self.declarations()
        numbers = {item["name"]: item.get("value") for item in items}
        parts = [numbers[f"BELAY_VERSION_{part}"] for part in ("MAJOR", "MINOR", "PATCH")]
        headers = [
            {"name": name, "comment": source.opening(), "is_beside": name in self.beside}
            for name, source in self.sources.items()
        ]
        version = ".".join(map(str, parts))
        return {"format": FORMAT, "version": version, "headers": headers, "items": items}

    def declarations(self) -> list[Item]:
        macros = list(self._macros())
        constants = [name for name, body, _ in macros if "(" not in name and not _is_text(body)]
        tree, values = self._tree(constants)
        for node, at, file in _declarations(tree):
            if header := self._header(file):
                self._declare(node, header, at)
        for name, body, (header, at) in macros:
            self._macro(name, body, header, at, values)
        order = {header: index for index, header in enumerate(self.sources)}
        self.items.sort(key=lambda item: (order[item["header"]], item["offset"]))
        self._comment()
        opaque = {item["name"] for item in self.items if item["kind"] == "opaque"}
        for item in self.items:
            ownership.apply(item, opaque)
        return self.items

    def _find_beside(self) -> None:
        """The headers that the umbrella does not include, which a program may include itself."""
        markers = re.findall(r'^# \d+ "(.*?)"', self._run(self.text, "-E"), flags=re.M)
        for path in sorted(self.within.rglob("*.h")):
            if str(path) not in markers:
                self.text += f'#include "{path}"\n'
                self.beside.append(str(path.relative_to(self.within)))

    # ---- what clang says ----

    def _run(self, text: str, *options: str) -> str:
        with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
            file.write(text)
            file.flush()
            marks = [f'-D{mark}=__attribute__((annotate("{mark}")))' for mark in ownership.MARKS]
            command = [self.clang, "-x", "c", "-std=c11", "-w", f"-I{self.include}", *marks]
            run = subprocess.run([*command, *options, file.name], capture_output=True, text=True)
        if run.returncode != 0:
            raise Refused(f"clang cannot read the headers:\n{run.stderr}")
        return run.stdout

    def _macros(self) -> Iterator[tuple[str, str, tuple[str, int]]]:
        """Each public macro with its body and its place; the headers, in the order of inclusion."""
        file = ""
        for text in self._run(self.text, "-E", "-dD").split("\n"):
            marker = re.match(r'# (\d+) "(.*?)"', text)
            if marker:
                file = marker[2]
                continue
            # A header comes after those that it includes: its guard does not count.
            says = text.strip() and not re.match(r"#define \w+_H ?$", text)
            header = self._header(file) if says else None
            found = re.match(r"#define (\w+)(\(.*?\))?(?: (.*))?$", text)
            if not header or not found or found[1].endswith("_") or found[1] in _OWN_MACROS:
                continue
            is_named = re.fullmatch(r"BELAY_[A-Z0-9_]+", found[1]) or (
                found[2] and re.fullmatch(r"belay_[a-z0-9_]+", found[1])
            )
            if not is_named or not found[3]:
                raise Refused(f"{header}: the macro {found[1]} is not understood")
            at = self._offset_of_macro(header, found[1])
            yield found[1] + (found[2] or ""), found[3], (header, at)

    def _offset_of_macro(self, header: str, name: str) -> int:
        found = re.search(rf"^#\s*define {name}\b", self.sources[header].text, flags=re.M)
        if not found:
            raise Refused(f"{header}: {name} is defined in a way that is not understood")
        return found.start()

    def _tree(self, constants: list[str]) -> tuple[Node, dict[str, tuple[str, int]]]:
        """The declarations, and each constant's type and value."""
        text = self.text
        for name in constants:
            text += f"enum {{ value_of_{name} = {name} }};\n"
            text += f"extern __typeof__({name}) type_of_{name};\n"
        tree = json.loads(self._run(text, "-fsyntax-only", "-Xclang", "-ast-dump=json"))
        types: dict[str, str] = {}
        values: dict[str, int] = {}
        for node in tree["inner"]:
            if node.get("name", "").startswith("type_of_"):
                type = node["type"]
                types[node["name"][8:]] = type.get("desugaredQualType", type["qualType"])
            for each in node.get("inner", []):
                if each.get("name", "").startswith("value_of_"):
                    values[each["name"][9:]] = _value(each)
        return tree, {name: (types[name], values[name]) for name in constants}

    def _header(self, file: str) -> str | None:
        """A header's name below include/belay."""
        path = Path(file)
        if not path.is_absolute() or self.within not in path.parents:
            return None
        name = str(path.relative_to(self.within))
        if name not in self.sources:
            self.sources[name] = Source(path)
        return name

    # ---- declarations ----

    def _declare(self, node: Node, header: str, at: int) -> None:
        name = node.get("name", "")
        if name.endswith("_") and node["kind"] != "FunctionDecl":
            return
        try:
            made = self._content(node, header)
        except ValueError as error:
            raise Refused(f"{header}: {name}: {error}") from error
        if made is None or name.endswith("_"):
            return
        if made["kind"] == "opaque" and any(item["name"] == name for item in self.items):
            return
        item: Item = {"kind": made.pop("kind"), "name": name, "header": header}
        item["line"] = self.sources[header].line(at)
        item["offset"] = at
        self.items.append(item | made)

    def _content(self, node: Node, header: str) -> Item | None:
        kind, source = node["kind"], self.sources[header]
        text = _text(node, source)
        if kind in ("StaticAssertDecl", "EmptyDecl"):
            return None
        if not node.get("name"):
            raise Refused(f"{header}: a declaration without a name: {_shown(text)}")
        if kind == "FunctionDecl":
            is_exported = any(each["kind"] == "VisibilityAttr" for each in node.get("inner", []))
            is_inline = node.get("storageClass") == "static"
            if not is_exported and not is_inline:
                raise Refused(f"{header}: {node['name']} is neither exported nor inline")
            parameters = [_parameter(each, source) for each in _of_kind(node, "ParmVarDecl")]
            result: Item = {"type": ctype.parse(node["type"]["qualType"])["result"]}
            ownership.mark(result, _marks(node, source))
            kind = "inline" if is_inline else "function"
            made = {"kind": kind, "text": _shown(text), "result": result}
            return made | {"parameters": parameters}
        if kind == "EnumDecl":
            constants = list(self._constants(node, source))
            return {"kind": "enum", "text": _shown(text), "constants": constants}
        if kind == "RecordDecl" and node.get("tagUsed") != "struct":
            raise Refused(f"{header}: {node['name']} is a {node.get('tagUsed')}")
        if kind == "RecordDecl" and node.get("completeDefinition"):
            fields = list(self._fields(node, source))
            return {"kind": "struct", "text": _shown(text), "fields": fields}
        if kind == "RecordDecl":
            return {"kind": "opaque", "text": _shown(text)}
        if kind == "TypedefDecl" and "(*" in node["type"]["qualType"]:
            function = ctype.parse(node["type"]["qualType"])["to"]
            ctype.name_parameters(function, text)
            _mark_parameters(function, text)
            result = {"type": function["result"]}
            ownership.mark(result, _marks(node, source))
            made = {"kind": "callback", "text": _shown(text), "result": result}
            return made | {"parameters": function["parameters"]}
        if kind == "TypedefDecl":
            if re.fullmatch(rf"((struct|enum) )?{node['name']}", node["type"]["qualType"]):
                return None
            raise Refused(f"{header}: {node['name']} is another name of {node['type']['qualType']}")
        raise Refused(f"{header}: {node['name']} is a {kind}, which is not understood")

    def _constants(self, node: Node, source: Source) -> Iterator[Item]:
        next_value = 0
        for each in _of_kind(node, "EnumConstantDecl"):
            if each.get("inner"):
                next_value = _value(each)
            yield {"name": each["name"], "value": next_value} | _beside(each, source)
            next_value += 1

    def _fields(self, node: Node, source: Source) -> Iterator[Item]:
        for each in _of_kind(node, "FieldDecl"):
            if "name" not in each or each.get("isBitfield"):
                raise ValueError(f"a member that is not understood: {_text(each, source)}")
            type = ctype.parse(each["type"]["qualType"])
            if type["kind"] == "pointer" and type["to"]["kind"] == "function":
                ctype.name_parameters(type["to"], _text(each, source))
            yield {"name": each["name"], "type": type} | _beside(each, source)

    def _macro(
        self, name: str, body: str, header: str, at: int, values: dict[str, tuple[str, int]]
    ) -> None:
        plain, _, _ = name.partition("(")
        item: Item = {"kind": "macro", "name": plain, "header": header}
        item["line"] = self.sources[header].line(at)
        item["offset"] = at
        item["text"] = f"#define {name}".replace(",", ", ")
        if plain in values:
            type, value = values[plain]
            item |= {"kind": "constant", "type": ctype.parse(type), "value": value}
            item["text"] += f" {body}"
        self.items.append(item)

    def _comment(self) -> None:
        """Gives each item its comment, or the item that has the comment for it too."""
        last: Item = {}
        last_at = 0
        for item in self.items:
            source, at = self.sources[item["header"]], item.pop("offset")
            item["comment"], item["section"] = "", source.section(at)
            end = at + len(source.text[at:].split("\n", 1)[0].split("/*")[0])
            span = source.above(at)
            condition = source.condition(at)
            if not span and item["kind"] == "macro" and condition is not None:
                span = source.above(condition)
            if span and not source.text[span[0] :].startswith("/* ----"):
                item["comment"] = source.said(span)
            elif item["kind"] in ("constant", "macro") and (behind := source.behind(end)):
                item["comment"] = source.said(behind)
            elif about := self._about(item["name"]):
                item["comment"] = about
            elif last.get("header") == item["header"] and "\n\n" not in source.text[last_at:at]:
                item["with"] = last.get("with", last["name"])
            last, last_at = item, at

    def _about(self, name: str) -> str:
        """The comment that begins with `NAME(…):`, which may stand in another header."""
        for source in self.sources.values():
            for span in source.comments:
                if source.text.startswith(f"/* {name}(", span[0]):
                    return source.said(span)
        return ""


def _is_text(body: str) -> bool:
    """Whether a macro without arguments is a text; any other has to be a number, for clang."""
    return bool(re.match(r'[(]*("|__FILE__)', body))


def _value(constant: Node) -> int:
    """The value of an enum's constant, which clang has computed."""
    for each in constant["inner"]:
        if each["kind"] == "ConstantExpr":
            return int(each["value"])
        if "inner" in each:
            return _value(each)
    raise Refused(f"{constant['name']} has no value")


def _declarations(tree: Node) -> Iterator[tuple[Node, int, str]]:
    """Each declaration with its first offset and its file, which clang names when it changes."""
    file = ""
    for node in tree["inner"]:
        file = _last_file(node["loc"], file)
        yield node, _place(node["range"]["begin"]), file
        file = _last_file(node, file)


def _last_file(node: Any, file: str) -> str:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "file":
                file = value
            elif key != "includedFrom":
                file = _last_file(value, file)
    elif isinstance(node, list):
        for each in node:
            file = _last_file(each, file)
    return file


def _of_kind(node: Node, kind: str) -> list[Node]:
    return [each for each in node.get("inner", []) if each["kind"] == kind]


def _place(loc: Node) -> int:
    """The offset of a place; of a macro's use, if it is inside one."""
    return int(loc.get("expansionLoc", loc).get("offset", 0))


def _text(node: Node, source: Source) -> str:
    """The declaration as it is written, from its line's begin to its semicolon or body."""
    begin = source.line_begin(_place(node["range"]["begin"]))
    end_of = node["range"]["end"]
    end = _place(end_of) + int(end_of.get("expansionLoc", end_of)["tokLen"])
    if node["kind"] in ("RecordDecl", "EnumDecl"):
        # The name of the type comes behind.
        end = source.text.index(";", end)
    return source.text[begin:end].encode("latin-1").decode("utf-8")


def _shown(text: str) -> str:
    """A declaration for readers: without marks, and without a body."""
    without = re.sub(rf"\b({'|'.join(['BELAY_EXPORT', *ownership.MARKS])})\s+", "", text)
    margin = len(text.split("(")[0]) - len(without.split("(")[0])
    text = re.sub(rf"\n {{{margin}}}", "\n", without)
    if text.startswith("static inline"):
        text = text.split("{")[0].rstrip()
    return text.rstrip("; \n") + ";"


def _marks(node: Node, source: Source) -> list[str]:
    """The marks of ownership that stand before a declaration, found by their places."""
    found: list[str] = []
    for attribute in _of_kind(node, "AnnotateAttr"):
        at = _place(attribute["range"]["begin"])
        found += [mark for mark in ownership.MARKS if source.text.startswith(mark, at)]
    return found


def _mark_parameters(function: Item, text: str) -> None:
    """Reads the marks before the arguments of a callback's type, which clang has no nodes for."""
    for parameter in function["parameters"]:
        if parameter["name"]:
            before = rf"\b({'|'.join(ownership.MARKS)})\s+[^,()]*\b{parameter['name']}\s*[,)]"
            ownership.mark(parameter, re.findall(before, text))


def _parameter(node: Node, source: Source) -> Item:
    made: Item = {"name": node.get("name", ""), "type": ctype.parse(node["type"]["qualType"])}
    if made["type"]["kind"] == "pointer" and made["type"]["to"]["kind"] == "function":
        ctype.name_parameters(made["type"]["to"], _text(node, source))
    ownership.mark(made, _marks(node, source))
    return made


def _beside(node: Node, source: Source) -> Item:
    """The comment behind a member of a declaration, else the one above it."""
    end_of = node["range"]["end"]
    end = _place(end_of) + int(end_of["tokLen"])
    begin = _place(node["range"]["begin"])
    span = source.behind(end) or source.above(begin)
    return {"comment": source.said(span) if span else ""}
