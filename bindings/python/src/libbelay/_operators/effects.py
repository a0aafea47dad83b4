"""Operators that do something beside the flow."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._core import NULL, callback, encoded, of_callable, of_optional
from .._native import ffi, lib
from .base import DO, Operators, T

if TYPE_CHECKING:
    from .._signals import Signal

_STOPS = [ffi.addressof(lib, f"pb_stop_at_{event}") for event in ("next", "error", "completed")]


class Effects(Operators[T]):
    __slots__ = ()

    # [operators effects] written by `scripts/api write` from docs/operators.tsv
    def breakpoint_on_error(self) -> Signal[T]:
        """Raises SIGTRAP on the thread of the callbacks before it passes on an error. A debugger
        stops there. A process without a debugger and without a handler ends."""
        return self._apply(lib.belay_op_breakpoint_on_error)
    # [end]

    def do(
        self,
        on_next: Callable[[T], Any] | None = None,
        on_error: Callable[[BaseException], Any] | None = None,
        on_completed: Callable[[], Any] | None = None,
        *,
        on_disposed: Callable[[], Any] | None = None,
    ) -> Signal[T]:
        """Calls callables beside the flow, each before the event is passed on. An exception of
        ``on_next`` is the error event."""
        made: Any = self
        if on_next is not None:
            made = made._staged(DO, on_next)
        if on_error is not None or on_completed is not None or on_disposed is not None:
            calls = (None, on_error, on_completed, on_disposed)
            made = made._apply(lib.pb_do, id(calls))
        return made  # type: ignore[no-any-return]

    def finally_(self, action: Callable[[], Any]) -> Signal[T]:
        """Calls ``action`` once at the end of each subscription, however it comes."""
        return self._apply(lib.belay_op_finally, *of_callable("pb_action", action))

    def initially(self, action: Callable[[], Any]) -> Signal[T]:
        """Calls ``action`` each time before the source is subscribed to."""
        return self._apply(lib.belay_op_initially, *of_callable("pb_action", action))

    def log(self, label: str | None = None, sink: Callable[[str], Any] | None = None) -> Signal[T]:
        """Reports each event and each end, in a line with the place of this call: to ``sink``, or
        on stderr."""
        frame = sys._getframe(1)
        site = f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"
        called = of_optional("pb_log", sink)
        named = NULL if label is None else encoded(label)
        return self._apply(lib.belay_op_log, named, os.fsencode(site), *called)

    def breakpoint(
        self,
        on_next: Callable[[T], Any] | None = None,
        on_error: Callable[[BaseException], Any] | None = None,
        on_completed: Callable[[], Any] | None = None,
    ) -> Signal[T]:
        """Raises SIGTRAP before an event for which the callable is true."""
        _, ctx, free = callback("pb_stop_at_next", (on_next, on_error, on_completed))
        return self._apply(lib.belay_op_breakpoint, *_STOPS, ctx, free)

