"""Signals of another copy of the library in the process."""

from __future__ import annotations

from typing import Any, Protocol

from . import _native as native
from ._signals import Signal


class SupportsBelaySignal(Protocol):
    """What stands for a signal of some copy of Belay."""

    def __belay_signal__(self) -> Any:
        """A capsule of the name ``belay_exchange`` around a ``belay_exchange``."""


def import_signal(source: SupportsBelaySignal | object) -> Signal[Any]:
    """The signal that another copy of Belay in the process has exported: of an object with
    ``__belay_signal__``, or of the capsule itself. A subscription to it subscribes in that copy.

    Each extension module, plug-in or host may have a copy of Belay of its own, whose handles mean
    nothing to this package. A signal of the package's own copy comes back as it was.
    """
    export = getattr(source, "__belay_signal__", None)
    address: int = native.import_signal(export() if export else source)
    made: Signal[Any] = Signal[Any].from_handle(address, is_given=True)
    return made
