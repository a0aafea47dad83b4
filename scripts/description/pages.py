"""A page for each operator: its declaration and comment, its names elsewhere, its marble tests."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

from . import table

_INDEX = """# Operators

Made by scripts/operator-pages from the headers and from Tests/Marbles.
"""
_HEAD = "| concept | C | Swift | elsewhere |\n|---|---|---|---|\n"


def generate(root: Path, api: dict[str, Any], draw: Path) -> tuple[dict[str, str], list[str]]:
    """The pages by their paths, a folder for each family; and the complaints."""
    items = {item["name"]: item for item in api["items"]}
    rows = sorted(set(table.read(root)), key=lambda row: "\t".join((row.concept, row.c)).encode())
    made: dict[str, str] = {}
    wrong: list[str] = []
    lines: dict[str, str] = {family: "" for family in [*table.FAMILIES, ""]}
    untested = ""
    for row in rows:
        if not row.c.startswith("belay_"):
            lines[""] += f"| {row.concept} | {row.c} | {row.swift} | {row.elsewhere} |\n"
            continue
        item = items.get(row.c)
        comment = item and items[item.get("with", row.c)]["comment"]
        if not item or not comment:
            wrong.append(f"{row.c} has no comment in the headers")
            continue
        name = row.name
        place = f"{row.family}/{name}" if row.family else name
        link = f"[`{row.c}`]({place}.md)"
        lines[row.family] += f"| {row.concept} | {link} | `{row.swift}` | {row.elsewhere} |\n"
        names = [each.elsewhere for each in rows if each.c == row.c and each.elsewhere]
        page = f"# {name}\n\n```c\n{item['text']}\n```\n\n{comment}\n\nIn Swift: `{row.swift}`."
        page += (f" Elsewhere: {', '.join(names)}." if names else "") + "\n"
        marbles = root / "Tests/Marbles" / row.family / (_marbles(row.c) + ".txt")
        if marbles.exists():
            run = subprocess.run([draw, marbles], capture_output=True, text=True, check=True)
            made[f"{place}.svg"] = run.stdout
            page += f"\n![{name}]({name}.svg)\n\n## Marble tests\n\n" + _cases(marbles.read_text())
        else:
            untested += f" `{row.c}`"
        made[f"{place}.md"] = page
    index = _INDEX
    for family, table_lines in lines.items():
        if table_lines:
            title = family.capitalize() if family else "By other means, or not at all"
            index += f"\n## {title}\n\n{_HEAD}{table_lines}"
    if untested:
        index += f"\nWithout marble tests, tested otherwise:{untested}\n"
    made["index.md"] = index
    return made, wrong


def _marbles(function: str) -> str:
    return re.sub(r"^belay_(op|signal|subject)_(create_)?", "", function)


def _cases(text: str) -> str:
    made = ""
    for case in re.split(r"^== ", text, flags=re.M)[1:]:
        title, _, lines = case.partition("\n")
        kept = [line for line in lines.split("\n") if line.strip()]
        made += f"### {title}\n\n```\n" + "\n".join(kept) + "\n```\n\n"
    return made.rstrip("\n") + "\n"
