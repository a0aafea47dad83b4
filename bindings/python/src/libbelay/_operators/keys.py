"""Keys: telling values apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: The types that Belay compares by content.
_NATIVE = {int, float, bool, str, bytes, list, type(None)}


class Keys:
    """Makes of each key the first that equalled it, for Belay compares objects by identity."""

    __slots__ = ("key", "seen")

    def __init__(self, key: Callable[[Any], Any] | None) -> None:
        self.key = key
        self.seen: dict[Any, Any] = {}

    def __call__(self, value: Any) -> Any:
        key = self.key(value) if self.key else value
        return key if type(key) in _NATIVE else self.seen.setdefault(key, key)
