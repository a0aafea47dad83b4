"""The reference: a page in Markdown for each header, and an index of everything by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .manual import owned

Item = dict[str, Any]


def generate(api: dict[str, Any]) -> dict[str, str]:
    made: dict[str, str] = {}
    for header in api["headers"]:
        group = [item for item in api["items"] if item["header"] == header["name"]]
        made[page_of(header["name"])] = _page(header, group)
    made["index.md"] = _index(api)
    return made


def existing(directory: Path) -> list[Path]:
    """The pages in `directory` that this has written: others may lie beside them."""
    return [page for page in directory.glob("*.md") if page.read_text().startswith("# belay/")]


def page_of(header: str) -> str:
    return header.removesuffix(".h").replace("/", "-") + ".md"


def _page(header: Item, group: list[Item]) -> str:
    out = f"# belay/{header['name']}\n\n"
    if header["comment"]:
        out += header["comment"] + "\n\n"
    section, block = "", []
    for item in group:
        if item["section"] != section:
            out += _block(block)
            section, block = item["section"], []
            out += f"## {section}\n\n"
        if "with" not in item:
            out += _block(block)
            block = []
        block.append(item)
    return (out + _block(block)).rstrip("\n") + "\n"


def _block(block: list[Item]) -> str:
    """Declarations that share a comment."""
    if not block:
        return ""
    out = "".join(f'<a id="{item["name"]}"></a>' for item in block)
    out += "\n\n```c\n" + "\n".join(item["text"] for item in block) + "\n```\n\n"
    if comment := block[0]["comment"]:
        out += comment + "\n\n"
    for item in block:
        told = [f"`{name}`: {what}" for name, what in owned(item)]
        if told:
            whose = f"`{item['name']}`: " if len(block) > 1 else ""
            out += f"{whose}{'; '.join(told)}.\n\n"
    return out


def _index(api: dict[str, Any]) -> str:
    out = f"# Belay {api['version']}: the C API\n\n| name | what | header |\n|---|---|---|\n"
    for item in sorted(api["items"], key=lambda item: item["name"].lower()):
        page = page_of(item["header"])
        link = f"[`{item['name']}`]({page}#{item['name']})"
        out += f"| {link} | {item['kind']} | [{item['header']}]({page}) |\n"
    return out
