"""What is read from a stream or a file, which waits for who asks slowly."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, TypeVar

from ._aio import HeldValues
from ._native import lib
from ._schedulers import QueuePolicy
from ._signals import Signal

T = TypeVar("T", covariant=True)


class Read(Signal[T]):
    """A signal of what a stream or a file has read, as it is or in frames. What waits to be asked for
    by an ``async for`` counts there. So its marks bound that, and no number of values does."""

    __slots__ = ()

    @classmethod
    def _of(cls, pointer: Any) -> Read[Any]:
        made: Read[Any] = Read.__new__(Read)  # pyright: ignore[reportUnknownVariableType]
        made._own(pointer)
        return made

    @staticmethod
    def _in_frames(made: Signal[T]) -> Signal[T]:
        return Read._of(lib.belay_signal_retain(made._c))

    def _staged(self, kind: int, call: Any) -> Signal[Any]:
        plain = super()._staged(kind, call)
        made: Read[Any] = Read.__new__(Read)  # pyright: ignore[reportUnknownVariableType]
        made._source, made._stages, made._built = plain._source, plain._stages, None
        return made

    def lines(self, limit: int) -> Signal[T]:
        return self._in_frames(super().lines(limit))

    def frames_fixed(self, size: int) -> Signal[T]:
        return self._in_frames(super().frames_fixed(size))

    def frames_delimited(self, delimiter: bytes, limit: int) -> Signal[T]:
        return self._in_frames(super().frames_delimited(delimiter, limit))

    def frames_prefixed(self, width: int, limit: int, little_endian: bool = False) -> Signal[T]:
        return self._in_frames(super().frames_prefixed(width, limit, little_endian))

    def utf8(self) -> Signal[Any]:
        return self._in_frames(super().utf8())

    def values(
        self, *, policy: QueuePolicy | None = None, capacity: int | None = 0
    ) -> AsyncIterator[T]:
        if policy is None and capacity == 0:
            return HeldValues(self)
        return super().values(policy=policy, capacity=capacity)
