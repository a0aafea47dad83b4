"""What is read from a stream or a file, which waits for who asks slowly."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar

from ._aio import HeldValues
from ._creating import defer, from_iterator
from ._flattening import concat
from ._native import lib
from ._schedulers import QueuePolicy
from ._signals import Signal

T = TypeVar("T", covariant=True)


# The pieces that each stream or listener keeps, by the number of its handle. An object that refers
# to them here refers to the handle as well, so that no other handle gets the number meanwhile.
_kept: weakref.WeakValueDictionary[int, deque[Any]] = weakref.WeakValueDictionary()


def left_at(number: int) -> deque[Any]:
    """What subscriptions at a handle have got and nobody has taken, for the next one."""
    return _kept.setdefault(number, deque())


def _taken_from(left: deque[Any]) -> Iterator[Any]:
    while left:
        yield left.popleft()


class Kept(Signal[T]):
    """A signal whose source keeps what a subscription has got and nobody has taken."""

    __slots__ = ("_left",)
    _left: deque[Any] | None

    @classmethod
    def _of(cls, pointer: Any) -> Kept[Any]:
        made: Kept[Any] = cls.__new__(cls)  # pyright: ignore[reportUnknownVariableType]
        made._own(pointer)
        made._left = None
        return made

    @classmethod
    def _from(cls, name: str, left: deque[Any], make: Callable[[], Any]) -> Kept[Any]:
        """The signal that ``make`` makes for each subscription, behind what is left."""

        def source() -> Signal[Any]:
            made = Signal._of(make())
            return concat(from_iterator(_taken_from(left)), made) if left else made

        made = cls._of(lib.belay_signal_retain(defer(source)._c))
        made._left = left
        made.name = name
        return made

    def _unstaged(self) -> Kept[Any]:
        made = self._of(lib.belay_signal_retain(self._source))
        made._left = self._left
        return made

    def _staged(self, kind: int, call: Any) -> Kept[Any]:
        plain = super()._staged(kind, call)
        made: Kept[Any] = self.__new__(type(self))
        made._source, made._stages, made._built = plain._source, plain._stages, None
        made._left = self._left
        return made


class Read(Kept[T]):
    """A signal of what a stream or a file has read, as it is or in frames. A piece that waits to be
    asked for by an ``async for`` counts there. So its marks bound that, and no number of values
    does."""

    __slots__ = ()

    @staticmethod
    def _in_frames(made: Signal[T]) -> Signal[T]:
        return Read._of(lib.belay_signal_retain(made._c))

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
