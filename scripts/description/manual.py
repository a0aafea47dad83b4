"""Manual pages: one in section 3 for each function, struct, enum and callback, or for several that
share a comment; one in section 7 for each header."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from .ctype import spell

Item = dict[str, Any]
_PAGED = ("function", "inline", "struct", "enum", "callback", "macro")


def generate(api: dict[str, Any]) -> dict[str, str]:
    """The pages by their paths below `man`."""
    items = {item["name"]: item for item in api["items"]}
    groups: dict[str, list[Item]] = {}
    for item in api["items"]:
        if item["kind"] in _PAGED:
            groups.setdefault(_leader(item, items), []).append(item)
    made: dict[str, str] = {}
    for name, group in groups.items():
        made[f"man3/{name}.3"] = _page(name, group, items, api["version"])
        for item in group:
            if item["name"] != name:
                made[f"man3/{item['name']}.3"] = f".so man3/{name}.3\n"
    for header in api["headers"]:
        group = [item for item in api["items"] if item["header"] == header["name"]]
        made[f"man7/{page_of(header['name'])}.7"] = _header(header, group, items, api["version"])
    return made


def existing(directory: Path) -> list[Path]:
    """The pages below `directory` that this has written: others may lie beside them."""
    return list(directory.glob("man[37]/[Bb][Ee][Ll][Aa][Yy][_-]*.[37]"))


def page_of(header: str) -> str:
    """The name of the page about a header: "belay-signal"."""
    return "belay-" + header.removesuffix(".h").replace("/", "-")


def _leader(item: Item, items: dict[str, Item]) -> str:
    """The item on whose page it stands: the one that has its comment, else itself."""
    leader = item.get("with", item["name"])
    return leader if items[leader]["kind"] in _PAGED else item["name"]


def owned(item: Item) -> list[tuple[str, str]]:
    """The ownership of each argument that can be owned, and of the result."""
    told = {
        "taken": "taken over, also when the call fails",
        "borrowed": "borrowed: it stays the caller's",
        "given": "gets a reference, which the caller releases",
    }
    made = [
        (each["name"], told[each["ownership"]])
        for each in item.get("parameters", [])
        if "ownership" in each and each["type"].get("to", {}).get("name") != "char"
    ]
    result = item.get("result", {})
    if result.get("ownership") == "given":
        made.append(("result", "a reference, which the caller releases"))
    elif result.get("ownership") == "borrowed" and "char" not in spell(result["type"]):
        made.append(("result", "borrowed"))
    return made


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "")
    text = "".join(each if each.isascii() else f"\\[u{ord(each):04X}]" for each in text)
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def _paragraphs(comment: str) -> str:
    """The comment as running text; indented lines stay as they are."""
    made = ""
    for paragraph in re.split(r"\n\s*\n", comment):
        if re.search(r"^ {2,}\S", paragraph, flags=re.M):
            made += f".PP\n.nf\n{_escaped(paragraph)}\n.fi\n"
        else:
            made += f".PP\n{_escaped(paragraph)}\n"
    return made


def _title(name: str, section: int, version: str) -> str:
    return f'.TH {name} {section} "" "Belay {version}" "Belay"\n'


def _code(text: str) -> str:
    return f".nf\n{_escaped(text)}\n.fi\n"


def _page(name: str, group: list[Item], items: dict[str, Item], version: str) -> str:
    leader = items[name]
    comment = leader["comment"] or leader["section"]
    brief = re.split(r"(?<=[.:;])\s", re.sub(r"\s+", " ", comment))[0].rstrip(".:;")
    listed = ", ".join(item["name"] for item in group)
    out = _title(name, 3, version)
    out += f".SH NAME\n{_escaped(listed)} \\- {_escaped(brief) or 'of ' + leader['header']}\n"
    included = _code(f"#include <belay/{leader['header']}>")
    out += f".SH SYNOPSIS\n{included}.PP\n"
    out += _code("\n".join(item["text"] for item in group))
    callbacks = _callbacks(group, items)
    if callbacks:
        out += ".PP\n" + _code("\n".join(item["text"] for item in callbacks))
    if comment:
        out += ".SH DESCRIPTION\n" + _paragraphs(comment)
    for item in callbacks:
        if item["comment"]:
            out += f".SS {item['name']}\n" + _paragraphs(item["comment"])
    out += _ownership(group)
    if versions := sorted({item["since"] for item in group if "since" in item}):
        out += f".SH HISTORY\nSince Belay {', '.join(versions)}.\n"
    near = [item["name"] for item in callbacks]
    near = [f"{each}(3)" for each in near] + [f"{page_of(leader['header'])}(7)"]
    return out + f".SH SEE ALSO\n{_escaped(', '.join(near))}\n"


def _callbacks(group: list[Item], items: dict[str, Item]) -> list[Item]:
    """The callback types of the functions' parameters, without the ones that everybody knows."""
    found: dict[str, Item] = {}
    for item in group:
        for each in item.get("parameters", []):
            called = items.get(each["type"].get("name", ""))
            if called and called["kind"] == "callback" and called["name"] != "belay_free_fn":
                found[called["name"]] = called
    return list(found.values())


def _ownership(group: list[Item]) -> str:
    out = ""
    for item in group:
        for name, what in owned(item):
            shown = f"{item['name']}: {name}" if len(group) > 1 else name
            out += f".TP\n.B {_escaped(shown)}\n{_escaped(what)}\n"
    return f".SH OWNERSHIP\n{out}" if out else ""


def _header(header: Item, group: list[Item], items: dict[str, Item], version: str) -> str:
    name = header["name"]
    brief = re.split(r"(?<=[.:])\s", header["comment"])[0].rstrip(".:")
    out = _title(page_of(name), 7, version)
    out += f".SH NAME\n{_escaped(page_of(name))} \\- {_escaped(brief) or name}\n"
    out += f".SH SYNOPSIS\n{_code(f'#include <belay/{name}>')}"
    if header["comment"]:
        out += ".SH DESCRIPTION\n" + _paragraphs(header["comment"])
    constants = [item for item in group if item["kind"] == "constant"]
    if constants:
        out += ".SH CONSTANTS\n"
        for item in constants:
            out += f".TP\n.B {item['name']}\n{_escaped(item['comment'] or str(item['value']))}\n"
    paged = [f"{item['name']}(3)" for item in group if item["kind"] in _PAGED]
    return out + (f".SH SEE ALSO\n{_escaped(', '.join(paged))}\n" if paged else "")
