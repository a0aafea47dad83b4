"""The reference on the site: a page for each header, a section for each declaration."""

from __future__ import annotations

from typing import Any

from ..manual import owned
from .markdown import escaped

Item = dict[str, Any]


def places(api: dict[str, Any]) -> dict[str, str]:
    """Where each name is described."""
    made = {item["name"]: f"{page_of(item['header'])}#{item['name']}" for item in api["items"]}
    for item in api["items"]:
        for constant in item.get("constants", []):
            made[constant["name"]] = made[item["name"]]
    return made


def page_of(header: str) -> str:
    return f"reference/{header.removesuffix('.h').replace('/', '-')}.md"


def generate(api: dict[str, Any], languages: dict[str, dict[str, str]]) -> dict[str, str]:
    made = {}
    for header in api["headers"]:
        group = [item for item in api["items"] if item["header"] == header["name"]]
        made[page_of(header["name"])] = _page(header, group, languages)
    made["reference/index.md"] = _index(api)
    return made


def _page(header: Item, group: list[Item], languages: dict[str, dict[str, str]]) -> str:
    out = f"# belay/{header['name']}\n\n"
    if header["is_beside"]:
        out += f"`belay.h` does not include it: `#include <belay/{header['name']}>`.\n\n"
    out += escaped(header["comment"]) + "\n\n"
    section, block = "", list[Item]()
    for item in group:
        if item["section"] != section:
            out += _block(block, languages)
            section, block = item["section"], []
            out += f"## {section[0].upper()}{section[1:]}\n\n"
        if "with" not in item:
            out += _block(block, languages)
            block = []
        block.append(item)
    return (out + _block(block, languages)).rstrip("\n") + "\n"


def _block(block: list[Item], languages: dict[str, dict[str, str]]) -> str:
    """Declarations that share a comment."""
    if not block:
        return ""
    names = [item["name"] for item in block]
    out = "".join(f'<a id="{name}"></a>\n' for name in names[1:])
    out += f"### {', '.join(names)} {{ #{names[0]} }}\n\n"
    out += "```c\n" + "\n".join(item["text"] for item in block) + "\n```\n\n"
    if comment := block[0]["comment"]:
        out += escaped(comment) + "\n\n"
    for item in block:
        whose = f"`{item['name']}`: " if len(block) > 1 else ""
        if told := [f"`{name}`: {what}" for name, what in owned(item)]:
            out += f"*Ownership.* {whose}{'; '.join(told)}.\n\n"
        elsewhere = [
            f"{language} {cell}"
            for language, cell in languages.get(item["name"], {}).items()
            if cell[:1] == "`"
        ]
        if elsewhere:
            out += f"*In other languages.* {whose}{', '.join(elsewhere)}.\n\n"
    return out


def _index(api: dict[str, Any]) -> str:
    out = f"# Reference of the C API\n\nEvery name of Belay {api['version']}. "
    out += (
        "[In each language](parity.md) tells what a function is called elsewhere.\n\n## Headers\n\n"
    )
    for header in api["headers"]:
        first = header["comment"].split("\n\n")[0].replace("\n", " ")
        out += f"- [{header['name']}]({page_of(header['name'])[10:]}): {escaped(first)}\n"
    out += "\n## Names\n\n| name | what | header |\n|---|---|---|\n"
    for item in sorted(api["items"], key=lambda item: item["name"].lower()):
        out += f"| `{item['name']}` | {item['kind']} | {item['header']} |\n"
    return out


def answering(api: dict[str, Any], code: str) -> list[str]:
    """The functions whose comments name a code."""
    return sorted(
        item["name"]
        for item in api["items"]
        if item["kind"] in ("function", "inline") and code in item["comment"] and "with" not in item
    )
