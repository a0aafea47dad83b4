"""The ownership of a function's arguments and results, by the rules of docs/conventions.md.

A mark in a header overrides them: `BELAY_TAKES`, `BELAY_GIVES` or `BELAY_BORROWS` before an
argument or a result.

- An argument is "taken" (the function takes the reference over, also when it fails) or "borrowed".
- A result, and what is stored through a pointer, is "given" (the caller releases it) or "borrowed".
"""

from __future__ import annotations

import re
from typing import Any

MARKS = {"BELAY_TAKES": "taken", "BELAY_GIVES": "given", "BELAY_BORROWS": "borrowed"}

# The handles that constructors and operators take over.
_CONSUMED = {"belay_signal", "belay_op"}
# The verbs that lend a handle.
_ASKS = re.compile(r"_(get|try)_|_(current|immediate|trampoline)$")
# Functions that read a value, or release it.
_READS_VALUES = re.compile(r"belay_value_|belay_change_get|belay_marbles_equal")


def mark(place: dict[str, Any], marks: list[str]) -> None:
    """Says what the marks before an argument or a result say."""
    if marks:
        place["ownership"] = MARKS[marks[0]]


def apply(item: dict[str, Any], opaque: set[str]) -> None:
    """Applies the rules where there is no mark."""
    if "parameters" not in item:
        return
    result, parameters = item["result"], item["parameters"]
    is_callback = item["kind"] == "callback"
    pointee = result["type"].get("to", {})
    if owned := _owned(result["type"], opaque):
        is_asked = owned == "handle" and bool(_ASKS.search(item["name"]))
        is_lent = pointee.get("const", False) or is_asked
        result.setdefault("ownership", "borrowed" if is_lent else "given")
    makes = pointee.get("name") in _CONSUMED
    for index, parameter in enumerate(parameters):
        said = _argument(item["name"], parameters, index, makes, opaque)
        if said and is_callback and said == "taken":
            said = "borrowed"
        if said:
            parameter.setdefault("ownership", said)


def _owned(type: dict[str, Any], opaque: set[str]) -> str | None:
    """Whether something of the type can be owned: a handle, a value or a text."""
    if type.get("name") == "belay_value":
        return "value"
    if type["kind"] != "pointer":
        return None
    if type["to"].get("name") in opaque:
        return "handle"
    return "text" if type["to"].get("name") == "char" and type["to"].get("const") else None


def _argument(
    function: str, parameters: list[dict[str, Any]], index: int, makes: bool, opaque: set[str]
) -> str | None:
    type = parameters[index]["type"]
    if function.endswith("_release"):
        return "taken"
    if function.endswith("_retain"):
        return "borrowed"
    reads = bool(_READS_VALUES.match(function))
    if type.get("name") == "belay_value":
        return "borrowed" if reads else "taken"
    following = parameters[index + 1]["type"] if index + 1 < len(parameters) else {}
    if type["kind"] != "pointer":
        return None
    if type["to"].get("name") == "void" and following.get("name") == "belay_free_fn":
        return "taken"
    inner = _owned(type["to"], opaque)
    if inner in ("handle", "value"):
        # An array of them, or a place for one.
        if not type["to"].get("const"):
            return "borrowed" if _ASKS.search(function) else "given"
        if inner == "value":
            return "borrowed" if reads else "taken"
        return "taken" if makes else "borrowed"
    if type["to"].get("name") in opaque:
        is_consumed = makes and type["to"]["name"] in _CONSUMED
        return "taken" if is_consumed and not type["to"].get("const") else "borrowed"
    return None
