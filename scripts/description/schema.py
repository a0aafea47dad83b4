"""Checks a document against a JSON schema, as far as scripts/api.schema.json uses the language.

Python has no validator of its own. A keyword that is not known here is an error of the schema's.
"""

from __future__ import annotations

import re
from typing import Any

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "integer": int, "boolean": bool
}  # fmt: skip
_ANNOTATIONS = {"$schema", "$defs", "title", "description"}


def errors(
    schema: dict[str, Any], value: Any, place: str = "", root: dict[str, Any] | None = None
) -> list[str]:
    """The errors of `value`, each with its place."""
    root = root or schema
    made: list[str] = []

    def wrong(text: str) -> None:
        made.append(f"{place or '/'}: {text}")

    for keyword, wanted in schema.items():
        if keyword in _ANNOTATIONS:
            continue
        if keyword == "$ref":
            target = root
            for part in wanted.removeprefix("#/").split("/"):
                target = target[part]
            made += errors(target, value, place, root)
        elif keyword == "type":
            if not isinstance(value, _TYPES[wanted]):
                wrong(f"not of type {wanted}")
                return made
        elif keyword == "const" or keyword == "enum":
            if value not in (wanted if keyword == "enum" else [wanted]):
                wrong(f"{value!r} is not {wanted!r}")
        elif keyword == "pattern":
            if not re.search(wanted, value):
                wrong(f"{value!r} does not match {wanted}")
        elif keyword == "minimum":
            if value < wanted:
                wrong(f"{value} is less than {wanted}")
        elif keyword == "minItems":
            if len(value) < wanted:
                wrong(f"fewer than {wanted} items")
        elif keyword == "items":
            for index, each in enumerate(value):
                made += errors(wanted, each, f"{place}/{index}", root)
        elif keyword == "required":
            for name in wanted:
                if name not in value:
                    wrong(f"without {name}")
        elif keyword == "properties":
            for name in wanted.keys() & value.keys():
                made += errors(wanted[name], value[name], f"{place}/{name}", root)
        elif keyword == "additionalProperties":
            for name in value.keys() - schema["properties"].keys():
                wrong(f"{name} is not known")
        elif keyword == "oneOf":
            fitting = sum(not errors(each, value, place, root) for each in wanted)
            if fitting != 1:
                wrong(f"fits {fitting} of the alternatives, not one")
        else:
            raise ValueError(f"the schema's {keyword} is not known")
    return made
