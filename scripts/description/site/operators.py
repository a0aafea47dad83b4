"""The pages of operators on the site: the drawing, the declaration in each language, the marble tests."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from .. import table
from . import signatures
from .markdown import escaped


def generate(
    root: Path, api: dict[str, Any], languages: dict[str, dict[str, str]]
) -> dict[str, str]:
    """The pages of docs/operators by their paths, each in the order in which it is read on the site."""
    items = {item["name"]: item for item in api["items"]}
    found = signatures.read(root)
    made = {}
    for row in table.read(root):
        path = (
            f"docs/operators/{row.family}/{row.name}.md"
            if row.family
            else f"docs/operators/{row.name}.md"
        )
        if row.c in items and path not in made:
            made[path] = _page((root / path).read_text(), items[row.c], items, languages, found)
    made["docs/operators/index.md"] = _index((root / "docs/operators/index.md").read_text())
    return made


def _page(
    text: str,
    item: dict[str, Any],
    items: dict[str, Any],
    languages: dict[str, Any],
    found: dict[str, Any],
) -> str:
    title = text.partition("\n")[0]
    comment = items[item.get("with", item["name"])]["comment"]
    drawing = re.search(r"^(?:!\[|No drawing: ).*$", text, flags=re.M)
    names = re.search(r"^In Swift: .*?(?=\n\n|\Z)", text, flags=re.S | re.M)
    out = f"{title}\n\n{escaped(comment)}\n\n"
    out += f"{drawing[0]}\n\n" if drawing else ""
    out += signatures.tabs(item["name"], item["text"], languages.get(item["name"], {}), found)
    elsewhere = names and names[0].partition(" Elsewhere: ")[2].rstrip(".\n")
    out += f"In other libraries: {elsewhere}.\n\n" if elsewhere else ""
    chains = re.search(r"^In chains: .*$", text, flags=re.M)
    out += f"{chains[0]}\n\n" if chains else ""
    out += f"In the reference: `{item['name']}`.\n\n"
    _, _, cases = text.partition("## Marble tests\n\n")
    if cases:
        notation = "../notation.md" if item["name"] != "belay_signal_subscribe" else "notation.md"
        count = cases.count("\n### ") + 1
        cases = re.sub(
            r"^### (.*)$", lambda each: f"**{each[1][:1].upper()}{each[1][1:]}**", cases, flags=re.M
        )
        cases = re.sub(r"^(?=.)", "    ", cases.replace("\n```\n", "\n```text\n", 1), flags=re.M)
        out += f"The [notation](../../site/{Path(notation).name}) of the diagrams.\n\n"
        out += f'??? example "Marble tests: {count} cases, each run in C and in Swift"\n\n{cases}'
    return out


def _index(text: str) -> str:
    introduction = (
        "Each operator has a page with its drawing, its declaration in each language, and its "
        "marble tests. The [notation](../site/notation.md) tells how to read the drawings."
    )
    return re.sub(r"^Made by .*?(?= A link)", introduction, text, flags=re.M | re.S)
