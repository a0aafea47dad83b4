"""Names and places in reports, which C keeps pointers to."""

from __future__ import annotations

import os
import sys
from types import FrameType
from typing import Any

from ._native import ffi, lib

_texts: dict[str, Any] = {}


def lasting(text: str | None) -> Any:
    """The text for C, for good and once; NULL for None."""
    if text is None:
        return ffi.NULL
    found = _texts.get(text)
    if found is None:
        made = ffi.new("char[]", os.fsencode(text))
        found = _texts.setdefault(text, made)
        if found is made:
            # C may read it when the interpreter has gone, and this dictionary.
            lib.pb_keep(id(made))
    return found


def here() -> str | None:
    """The line of the program that has called the package."""
    frame: FrameType | None = sys._getframe(1)
    while frame and str(frame.f_globals.get("__name__")).partition(".")[0] == "libbelay":
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame else None


def begin_options(struct: str, label: str | None, site: str | None) -> Any:
    """A struct of options of C with its size, and with what all of them have: the name in reports,
    and the line of code that made it, by default the one that has called the package."""
    made = ffi.new(f"{struct} *")
    made.size = ffi.sizeof(struct)
    made.label, made.site = lasting(label), lasting(here() if site is None else site)
    return made
