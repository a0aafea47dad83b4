"""C types, from clang's spelling to a tree and back.

A type is {"kind": "named", "name": …}, {"kind": "pointer", "to": …} or {"kind": "function",
"result": …, "parameters": [{"name": …, "type": …}]}; the first two may be "const". A "tag" says
that the name is used with the word `struct`.
"""

from __future__ import annotations

import re
from typing import Any

Type = dict[str, Any]


def parse(text: str) -> Type:
    """The tree of a type as clang spells it, without names."""
    if re.search(r"[^\w\s*(),]", text):
        raise ValueError(f"a type that is not understood: {text}")
    made, rest = _type(re.findall(r"\w+|[*(),]", text))
    if rest:
        raise ValueError(f"a type that is not understood: {text}")
    return made


def _type(tokens: list[str]) -> tuple[Type, list[str]]:
    words: list[str] = []
    is_const = is_tag = False
    while tokens and re.match(r"\w", tokens[0]):
        word, *tokens = tokens
        if word == "const":
            is_const = True
        elif word == "struct":
            is_tag = True
        else:
            words.append(word)
    made: Type = {"kind": "named", "name": " ".join(words)}
    if is_const:
        made["const"] = True
    if is_tag:
        made["tag"] = True
    made, tokens = _pointers(made, tokens)
    if tokens[:2] == ["(", "*"]:
        close = tokens.index(")")
        inside, tokens = tokens[1:close], tokens[close + 1 :]
        parameters, tokens = _parameters(tokens)
        made, _ = _pointers({"kind": "function", "result": made, "parameters": parameters}, inside)
    elif tokens[:1] == ["("]:
        parameters, tokens = _parameters(tokens)
        made = {"kind": "function", "result": made, "parameters": parameters}
    return made, tokens


def _pointers(made: Type, tokens: list[str]) -> tuple[Type, list[str]]:
    while tokens and tokens[0] in ("*", "const"):
        word, *tokens = tokens
        if word == "*":
            made = {"kind": "pointer", "to": made}
        else:
            made["const"] = True
    return made, tokens


def _parameters(tokens: list[str]) -> tuple[list[dict[str, Any]], list[str]]:
    made: list[dict[str, Any]] = []
    tokens = tokens[1:]
    while tokens[0] != ")":
        each, tokens = _type(tokens)
        if each.get("name") != "void":
            made.append({"name": "", "type": each})
        if tokens[0] == ",":
            tokens = tokens[1:]
    return made, tokens[1:]


def name_parameters(function: Type, declaration: str) -> None:
    """Gives a function's parameters the names that they have in a declaration `… (*name)(…)`."""
    begin = re.search(r"\(\s*\*\s*\w*\s*\)\s*\(", declaration)
    if not begin:
        return
    depth, last = 1, ""
    names: list[str] = []
    for token in re.findall(r"\w+|[*(),]", declaration[begin.end() :]):
        depth += (token == "(") - (token == ")")
        if depth == 0 or (token == "," and depth == 1):
            names.append(last)
            last = ""
            if depth == 0:
                break
        elif re.match(r"\w", token):
            last = token
        elif token == "*":
            last = ""
    for parameter, name in zip(function["parameters"], names):
        if name != parameter["type"].get("name"):
            parameter["name"] = name


def spell(type: Type, name: str = "") -> str:
    """A C declaration of something called `name` that has the type."""
    const = "const " if type.get("const") else ""
    if type["kind"] == "named":
        tag = "struct " if type.get("tag") else ""
        return f"{const}{tag}{type['name']} {name}".rstrip()
    if type["kind"] == "pointer":
        inner = f"*{const}{name}".rstrip()
        return spell(type["to"], f"({inner})" if type["to"]["kind"] == "function" else inner)
    return spell(type["result"], name + parameters(type))


def parameters(function: Type) -> str:
    """A function's parameters as C declares them."""
    each = [spell(parameter["type"], parameter["name"]) for parameter in function["parameters"]]
    return f"({', '.join(each) or 'void'})"
