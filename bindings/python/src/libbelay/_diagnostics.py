"""Counts: live objects, misuse, losses."""

from __future__ import annotations

from ._core import text
from ._native import lib


def live_counts() -> dict[str, int]:
    """How many of each kind are alive in the process: "subscriptions", "signals", …"""
    return {
        text(lib.belay_live_kind_name(kind)): int(lib.belay_live_count(kind))
        for kind in range(lib.BELAY_LIVE_KINDS)
    }


def misuse_count() -> int:
    """How many calls failed because the program misused the library."""
    return int(lib.belay_misuse_count())


def lost_count() -> int:
    """How many values, ends and pieces of work were accepted and did not arrive, because a loop
    closed for example."""
    return int(lib.belay_lost_count())


def version() -> str:
    """The version of the library inside."""
    return text(lib.belay_version())
