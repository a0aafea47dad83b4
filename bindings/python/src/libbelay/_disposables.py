"""Disposables: each ends one piece of work, once.

Disposal is idempotent, and safe from any thread and from inside any callback. Dropping a disposable
does not dispose of it, except for `ScopedDisposable` and `Bag`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from ._core import (
    NULL, BlockHandle, Handle, check, function_address, give, of_callable, taken_handle,
    waiting_time, register,
)  # fmt: skip
from ._native import ffi, lib

if TYPE_CHECKING:
    from ._schedulers import Scheduler


class Disposable(BlockHandle):
    """Ends one piece of work. In a ``with`` block it does so at the end of the block."""

    __slots__ = ()
    _releaser = function_address("belay_disposable_release")

    def __init__(self, action: Callable[[], Any] | None = None) -> None:
        """One whose disposal calls ``action`` once; without one, one that is disposed already."""
        if action is None:
            self._own(lib.belay_nop_create())
        else:
            self._own(give(lib.belay_disposable_create, *of_callable("pb_action", action)))

    def dispose(self) -> None:
        """Ends the work. At home, when this returns none of its callables runs any more, but for
        those on the caller's own stack; elsewhere none begins any more."""
        lib.belay_disposable_dispose(self._c)

    def dispose_sync(self, timeout: float | None = None) -> None:
        """Disposes, then waits until nothing of it runs or will, at most ``timeout`` seconds.
        Raises a BelayError of EINPROGRESS, EDEADLK or ETIMEDOUT; it is disposed in every case."""
        limit = waiting_time(timeout)
        check(lib.belay_disposable_dispose_sync(self._c, -1.0 if limit is None else limit))

    @property
    def is_disposed(self) -> bool:
        """True once disposed or ended."""
        return bool(lib.belay_disposable_is_disposed(self._c))

    def disposed_by(self, owner: Any) -> Self:
        """Disposes of it when an `Owner`, or any object, begins to die. Returns itself."""
        from ._owners import as_owner

        as_owner(owner).add(self)
        return self

    def _leave(self) -> None:
        self.dispose()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{' disposed' if self.is_disposed else ''}>"


register(Disposable, lib.BELAY_KIND_DISPOSABLE, lib.belay_disposable_retain, "belay_disposable *")


class Subscription(Disposable):
    """The disposable that `subscribe` returns."""

    __slots__ = ()

    def __init__(self) -> None:
        raise TypeError("a subscription is made by subscribing")


class BooleanDisposable(Disposable):
    """A disposable that only remembers whether it was disposed of."""

    __slots__ = ()

    def __init__(self) -> None:
        self._own(lib.belay_boolean_create())


class BinaryDisposable(Disposable):
    """Disposes of two, in their order."""

    __slots__ = ()

    def __init__(self, first: Disposable | None, second: Disposable | None) -> None:
        parts = (NULL if each is None else each._c for each in (first, second))
        self._own(lib.belay_binary_create(*parts))


class CompositeDisposable(Disposable):
    """A container that is disposed of as one, in the order of adding. A member that ends by itself
    leaves."""

    __slots__ = ()

    def __init__(self, *members: Disposable) -> None:
        self._own(lib.belay_compound_create())
        for each in members:
            self.add(each)

    def add(self, member: Disposable | Callable[[], Any]) -> int:
        """Adds a disposable, or an action. Returns a key to `remove` it by, 0 if it did not
        stay."""
        key = ffi.new("uint64_t *")
        if isinstance(member, Disposable):
            check(lib.belay_compound_add(self._c, member._c, key))
        else:
            called = of_callable("pb_action", member)
            check(give(lib.belay_compound_add_action, self._c, *called, key))
        return int(key[0])

    def remove(self, key: int) -> None:
        """Takes a member out without disposing of it; KeyError when it has gone."""
        code = lib.belay_compound_remove(self._c, key)
        if code == lib.BELAY_ENOENT:
            lib.belay_last_error()
            raise KeyError(key)
        check(code)

    def __len__(self) -> int:
        return int(lib.belay_compound_count(self._c))

    def __bool__(self) -> bool:
        return True


class SerialDisposable(Disposable):
    """Holds one disposable at a time."""

    __slots__ = ()

    def __init__(self) -> None:
        self._own(lib.belay_serial_create())

    def set(self, following: Disposable | None) -> None:
        """Puts one in, and disposes of what was there."""
        check(lib.belay_serial_set(self._c, NULL if following is None else following._c))

    def swap(self, following: Disposable | None) -> Disposable | None:
        """The same, but gives back what was there."""
        previous = ffi.new("belay_disposable **")
        given = NULL if following is None else following._c
        check(lib.belay_serial_swap(self._c, given, previous))
        taken: Disposable | None = taken_handle(Disposable, previous[0])
        return taken


class SingleAssignmentDisposable(Disposable):
    """Holds what is assigned to it, once."""

    __slots__ = ()

    def __init__(self) -> None:
        self._own(lib.belay_single_assignment_create())

    def set(self, inner: Disposable) -> None:
        """Raises a BelayError of EASSIGNED the second time."""
        check(lib.belay_single_assignment_set(self._c, inner._c))


class RefCountDisposable(Disposable):
    """Disposes of another one when it itself and all its dependents are disposed of."""

    __slots__ = ()

    def __init__(self, underlying: Disposable) -> None:
        self._own(lib.belay_ref_counted_create(underlying._c))

    def dependent(self) -> Disposable:
        """A new dependent."""
        made: Disposable = Disposable._of(lib.belay_ref_counted_create_dependent(self._c))
        return made


class ScopedDisposable(Disposable):
    """Disposes of another one when it is disposed of, or dropped."""

    __slots__ = ()

    def __init__(self, inner: Disposable) -> None:
        self._own(lib.belay_scoped_create(inner._c))


class ScheduledDisposable(Disposable):
    """Disposes of another one on a scheduler."""

    __slots__ = ()

    def __init__(self, scheduler: Scheduler, inner: Disposable) -> None:
        self._own(lib.belay_scheduled_create(scheduler._c, inner._c))


class Bag(Handle):
    """Disposes of its content, in the order of adding, when it is dropped."""

    __slots__ = ()
    _releaser = function_address("belay_bag_release")

    def __init__(self) -> None:
        self._own(lib.belay_bag_create())

    def add(self, member: Disposable) -> None:
        """Adds a disposable; one that is disposed of already is ignored."""
        check(lib.belay_bag_add(self._c, member._c))

    def __len__(self) -> int:
        return int(lib.belay_bag_count(self._c))

    def __bool__(self) -> bool:
        return True


register(Bag, lib.BELAY_KIND_BAG, lib.belay_bag_retain, "belay_bag *")


def as_disposable(thing: Any) -> Disposable | None:
    """What a producer returns: a disposable, an action, or nothing."""
    if thing is None or isinstance(thing, Disposable):
        return thing
    if callable(getattr(thing, "dispose", None)):
        return Disposable(thing.dispose)
    return Disposable(thing)
