"""Keys: telling values apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: The types that Belay compares by content.
_NATIVE = {float, bool, bytes, list, type(None)}


def is_native(value: Any) -> bool:
    """Whether Belay compares ``value`` by content, and not by identity."""
    if type(value) is int:
        return -(2**63) <= value < 2**64
    if type(value) is str:
        return value.isascii() or is_text(value)
    return type(value) in _NATIVE


def is_text(value: str) -> bool:
    """Whether a str has no lone surrogates."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


class Keys:
    """Makes of each key the first that equalled it, for Belay compares objects by identity."""

    __slots__ = ("key", "seen")

    def __init__(self, key: Callable[[Any], Any] | None) -> None:
        self.key = key
        self.seen: dict[Any, Any] = {}

    def __call__(self, value: Any) -> Any:
        key = self.key(value) if self.key else value
        return key if is_native(key) else self.seen.setdefault(key, key)
