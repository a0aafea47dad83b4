"""Counts: live objects, misuse, losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from ._core import NULL, Seconds, check, give, of_callable, seconds, text, written
from ._native import lib

OverlapHook = Callable[[Literal["nested", "threads"], str, "str | None"], Any]
SlowCallbackHook = Callable[[float, str], Any]


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


def delivery_stack() -> list[str]:
    """The subscriptions whose callbacks run on this thread, the innermost first. A traceback does not
    tell of those that are native: operators without callables, and other languages' subscriptions.
    For hooks and logs. Empty outside of callbacks."""
    return written(lib.belay_delivery_stack).splitlines()


def on_overlap(hook: OverlapHook | None) -> None:
    """Has ``hook(kind, source, sender)`` called when a value comes to a source during an event of
    the same source: sent from inside that delivery ("nested"), or while another thread delivers
    ("threads", of shared sources). The source keeps the order; it may still be a feedback loop, or a
    thread that should not send. ``sender`` is the name of the subscription whose callback sent, if
    one did. Each pair of names comes once. None: overlaps are not looked for, as at first."""
    called = (NULL, NULL, NULL) if hook is None else of_callable("pb_overlap", hook)
    give(lib.belay_on_overlap, *called)


def on_slow_callback(limit: Seconds, hook: SlowCallbackHook | None) -> None:
    """Has ``hook(seconds, name)`` called after each callback that took ``limit`` or longer: of a
    subscription, of a scheduler's work, or posted. Everything else that waits for that thread
    waited for it. The time is without callbacks inside of it. Threads of the pool are left out.
    None: callbacks are not timed, as at first. Any thread; the hook is called on the callback's.
    ``ValueError`` for a negative limit."""
    called = (NULL, NULL, NULL) if hook is None else of_callable("pb_slow_callback", hook)
    check(give(lib.belay_on_slow_callback, seconds(limit), *called))


def version() -> str:
    """The version of the library inside."""
    return text(lib.belay_version())
