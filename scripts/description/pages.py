"""A page for each operator: its declaration and comment, its names elsewhere, its marble tests."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

from . import chains, table

_INDEX = """# Operators

Made by scripts/operator-pages from the headers and from Tests/Marbles. A link behind the names of other
libraries leads to the chain of operators that replaces them, with its code: see [Chains](chains/index.md).
"""
_HEAD = "| concept | C | Swift | elsewhere |\n|---|---|---|---|\n"
# Why an operator has none, with the page whose drawing comes nearest, if there is one.
_UNDRAWN = {
    "command_create": "a command sends nothing by itself. Each execution is a signal, made as by "
    "[flat_map](../flattening/flat_map.md).",
    "drawing_record": "it makes drawings, and passes on what it draws. The [notation](../../site/notation.md) "
    "shows the marks.",
    "marbles_cold": "the diagram that it is given is the drawing. See the [notation](../../site/notation.md).",
    "marbles_hot": "the diagram that it is given is the drawing. See the [notation](../../site/notation.md).",
    "property_channel": "it makes no signal, but one side of two for a property. That of "
    "[behavior](../sharing/subject_create_behavior.md) shows what a property sends.",
    "property_create": "a property is no signal by itself. That of "
    "[behavior](../sharing/subject_create_behavior.md) shows what its signal sends.",
    "request_create": "a request is no signal. It asks its listeners one after the other, and the caller waits.",
    "subscribe": "every drawing shows what a subscriber gets.",
    "wait_first": "it is a call that waits, and no signal. It returns the value that "
    "[first](../filtering/first.md) sends.",
    "wait_last": "it is a call that waits, and no signal. It returns the value that "
    "[last](../filtering/last.md) sends.",
    "wall_timer": "marble tests run in virtual time, and this follows the clock on the wall. It sends "
    "what [timer](timer.md) sends.",
}


def generate(root: Path, api: dict[str, Any], draw: Path) -> tuple[dict[str, str], list[str]]:
    """The pages by their paths, a folder for each family; and the complaints."""
    items = {item["name"]: item for item in api["items"]}
    rows = sorted(set(table.read(root)), key=lambda row: "\t".join((row.concept, row.c)).encode())
    places = {row.c: _place(row) for row in rows if row.c in items}
    labelled = table.labelled(root)
    made, users, wrong = chains.generate(root, rows, places, draw)
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
        place = _place(row)
        link = f"[`{row.c}`]({place}.md)"
        links = ", ".join(f"[{each}](chains/{each}.md)" for each in row.chains.split())
        elsewhere = f"{row.elsewhere}: {links}" if links else row.elsewhere
        swift = labelled.get(row.c, row.swift)
        lines[row.family] += f"| {row.concept} | {link} | `{swift}` | {elsewhere} |\n"
        names = [each.elsewhere for each in rows if each.c == row.c and each.elsewhere]
        page = f"# {name}\n\n```c\n{item['text']}\n```\n\n{comment}\n\nIn Swift: `{swift}`."
        page += (f" Elsewhere: {', '.join(names)}." if names else "") + "\n"
        page += _others(row.c, items)
        if row.c in users:
            up = "../" if row.family else ""
            links = ", ".join(f"[{each}]({up}chains/{each}.md)" for each in users[row.c])
            page += f"\nIn chains: {links}.\n"
        marbles = root / "Tests/Marbles" / row.family / (_marbles(row.c) + ".txt")
        if marbles.exists():
            run = subprocess.run([draw, marbles], capture_output=True, text=True, check=True)
            made[f"{place}.svg"] = run.stdout
            page += f"\n![{name}]({name}.svg)\n\n## Marble tests\n\n" + _cases(marbles.read_text())
        elif name in _UNDRAWN:
            page += f"\nNo drawing: {_UNDRAWN[name]}\n"
            untested += f" `{row.c}`"
        else:
            wrong.append(
                f"{row.c} has neither marble tests ({marbles.relative_to(root)}) nor a reason why there is no "
                "drawing (_UNDRAWN in scripts/description/pages.py)"
            )
        if marbles.exists() and name in _UNDRAWN:
            wrong.append(f"{row.c} has marble tests, and a reason why there is no drawing")
        made[f"{place}.md"] = page
    for place in [each for each in made if re.fullmatch(r"chains/(?!index).*\.md", each)]:
        cases = root / "Tests/Marbles" / place.replace(".md", ".txt")
        made[place] += "\n## Marble tests\n\n" + _cases(cases.read_text())
    index = _INDEX
    for family, table_lines in lines.items():
        if table_lines:
            title = family.capitalize() if family else "By other means, or not at all"
            index += f"\n## {title}\n\n{_HEAD}{table_lines}"
    if untested:
        index += f"\nWithout marble tests, tested otherwise:{untested}\n"
    made["index.md"] = index
    return made, wrong


def _place(row: table.Row) -> str:
    """The path of its page, without the suffix."""
    return f"{row.family}/{row.name}" if row.family else row.name


def _others(function: str, items: dict[str, Any]) -> str:
    """The other functions of an object that is no signal."""
    thing = function.removesuffix("_create")
    if thing in (function, "belay_signal"):
        return ""
    made = ""
    for name, item in items.items():
        if item["kind"] == "function" and name.startswith(thing + "_") and name != function:
            comment = items[item.get("with", name)]["comment"]
            made += f"\n```c\n{item['text']}\n```\n\n{comment}\n"
    return made


def _marbles(function: str) -> str:
    return re.sub(r"^belay_(op|signal|subject)_(create_)?", "", function)


def _cases(text: str) -> str:
    made = ""
    for case in re.split(r"^== ", text, flags=re.M)[1:]:
        title, _, lines = case.partition("\n")
        kept = [line for line in lines.split("\n") if line.strip()]
        made += f"### {title}\n\n```\n" + "\n".join(kept) + "\n```\n\n"
    return made.rstrip("\n") + "\n"
