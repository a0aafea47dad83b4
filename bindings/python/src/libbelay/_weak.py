"""Callables that do not keep the object whose methods they are."""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable
from typing import Any


def weakened(call: Any, owner: Any) -> Any:
    """A callable that does not keep the owner: a method of it is called while it lives."""
    if isinstance(call, types.MethodType) and call.__self__ is owner:
        return without_reference(weakref.WeakMethod(call))
    return call


def without_reference(method: weakref.ref[Any]) -> Callable[..., Any]:
    """Calls what a weak reference refers to, for as long as that lives."""

    def call(*arguments: Any) -> Any:
        found = method()
        return None if found is None else found(*arguments)

    return call
