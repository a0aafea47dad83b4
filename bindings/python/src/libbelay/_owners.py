"""Owners: a subscription ends with its owner.

An owner stands for an object. When the object begins to die, everything bound to the owner is
disposed of, so that no callable runs on a dead object.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Self

from ._core import (
    NULL, BlockHandle, Handle, check, encoded, function_address, give, of_callable, taken_handle,
    text, value_of, register,
)  # fmt: skip
from ._disposables import Disposable
from ._errors import BelayError
from ._loops import Loop, as_loop
from ._native import ffi, lib
from ._schedulers import Scheduler
from ._signals import Signal
from ._sites import begin_options


class Owner(BlockHandle):
    """An owner of its own, which dies when it is dropped by all, or at the end of a ``with`` block;
    or that of an object, by `owner_of`, which dies with the object."""

    __slots__ = ("_death",)
    #: Of the owner of an object: the weak reference that hears of the object's death.
    _death: weakref.ref[Any] | None
    _releaser = function_address("belay_owner_release")

    def __init__(
        self, *, label: str | None = None, site: str | None = None, loop: Loop | None = None,
        scheduler: Scheduler | None = None,
    ) -> None:  # fmt: skip
        """``label`` is its name in reports. ``site`` is the line of code that made it, in reports,
        by default the one that makes it. Both are kept for good.

        It dies on the thread of the ``loop``. In the place of a loop it may have a ``scheduler``,
        that of a loop, a worker, a pool or a `HostScheduler`, at whose home it dies. Without both
        it dies on the thread that drops it. Raises a BelayError of EINVAL for both, and for a
        scheduler without such a home; of ECLOSED for a home that is closed."""
        options = begin_options("belay_owner_options", label, site)
        options.loop = NULL if loop is None else as_loop(loop)._c
        options.scheduler = NULL if scheduler is None else scheduler._c
        self._own(lib.belay_owner_create(NULL, NULL, NULL, options))
        self._death = None

    @classmethod
    def _of(cls, pointer: Any) -> Self:
        made = super()._of(pointer)
        made._death = None
        return made

    def end(self) -> None:
        """Gives this reference up; the last one ends the owner and disposes of everything bound to
        it. A callable that runs on another thread goes on; `Disposable.dispose_sync` waits for one.
        From then on this equals no other owner, and as a value it is an object as any other. It is
        dying, and what is added to it ends at once; whatever else it is used for, as the owner of a
        subscription say, is the error EDEAD."""
        if self._death is not None:
            raise TypeError("the owner of an object dies with the object")
        self._give_back()

    @property
    def _held(self) -> Any:
        """What the reference refers to; a BelayError of EDEAD after `end`."""
        if not self._c:
            raise BelayError(lib.BELAY_EDEAD)
        return self._c

    @property
    def label(self) -> str | None:
        """Its name in reports, if it has one."""
        return (text(lib.belay_owner_label(self._c)) or None) if self._c else None

    @property
    def is_dying(self) -> bool:
        """True from the beginning of its death on."""
        return bool(lib.belay_owner_is_dying(self._c))

    @property
    def deallocating(self) -> Signal[None]:
        """Sends None when the death begins: what it stands for may not be there any more."""
        return Signal._of(lib.belay_owner_deallocating(self._held))

    @property
    def deallocated(self) -> Signal[None]:
        """Sends None when the death is over."""
        return Signal._of(lib.belay_owner_deallocated(self._held))

    def add(self, member: Disposable | Callable[[], Any]) -> None:
        """Binds a disposable, or an action; ends it at once when the owner is dying."""
        if not self._c:
            (member if isinstance(member, Disposable) else Disposable(member)).dispose()
        elif isinstance(member, Disposable):
            check(lib.belay_owner_add(self._c, member._c))
        else:
            check(give(lib.belay_owner_add_action, self._c, *of_callable("pb_action", member)))

    def add_child(self, child: Owner) -> None:
        """Binds another owner, which then dies at this one's turn."""
        check(lib.belay_owner_add_child(self._held, child._held))

    def remove_child(self, child: Owner) -> None:
        """Sets a child free."""
        check(lib.belay_owner_remove_child(self._held, child._held))

    def notify(self, name: str, told: Callable[[str], Any]) -> None:
        """Has ``told(name)`` called when it has died; replaces what was set by that name."""
        check(give(lib.belay_notice_set, self._held, encoded(name), *of_callable("pb_notice", told)))

    def remove_notice(self, name: str) -> None:
        """Takes that back; a BelayError of ENOENT when there is none."""
        check(lib.belay_notice_remove(self._held, encoded(name)))

    @property
    def notices(self) -> list[str]:
        """The names of what is to be told of its death, in the order of telling."""
        names: list[str] = []
        add = names.append
        function = ffi.addressof(lib, "pb_notice_name")
        lib.belay_notice_each(self._c, function, ffi.cast("void *", id(add)))
        return names

    # ---- events by name ----

    def watch(
        self, source: Any, name: str, handler: Callable[[str, Any], Any],
        level: int = lib.BELAY_OWNER_EVENT_LEVEL,
    ) -> None:  # fmt: skip
        """Has ``handler(name, user_info)`` called for each event of that name that ``source``
        posts, as long as both live. The same source, name and level again replace the handler."""
        me, of, named = self._held, as_owner(source)._c, encoded(name)
        called = of_callable("pb_owner_event", handler)
        check(give(lib.belay_owner_event_watch, me, of, named, level, *called))

    def unwatch(
        self, source: Any = None, name: str | None = None, level: int | None = None
    ) -> None:
        """Ends the watch of this source, name and level; of this source and name; of this source;
        or all."""
        if source is None:
            check(lib.belay_owner_event_unwatch_all(self._held))
            return
        of = as_owner(source)._c
        if name is None:
            check(lib.belay_owner_event_unwatch_source(self._held, of))
        elif level is None:
            check(lib.belay_owner_event_unwatch_name(self._held, of, encoded(name)))
        else:
            check(lib.belay_owner_event_unwatch(self._held, of, encoded(name), level))

    def post(self, name: str, user_info: Any = None) -> None:
        """Posts an event of this owner's."""
        check(give(lib.belay_owner_event_post, self._held, encoded(name), value_of(user_info)))

    def _leave(self) -> None:
        self.end()

    def __repr__(self) -> str:
        label = self.label
        state = " dying" if self.is_dying else ""
        return f"<Owner{' ' + label if label else ''}{state}>"


register(Owner, lib.BELAY_KIND_OWNER, lib.belay_owner_retain, "belay_owner *")


class WeakOwner(Handle):
    """A reference to an owner that does not keep it."""

    __slots__ = ()
    _releaser = function_address("belay_weak_release")

    def __init__(self, owner: Owner) -> None:
        self._own(lib.belay_weak_create(owner._held))

    def __call__(self) -> Owner | None:
        """The owner; None once it is dying."""
        found: Owner | None = taken_handle(Owner, lib.belay_weak_upgrade(self._c))
        return found


register(WeakOwner, lib.BELAY_KIND_WEAK, lib.belay_weak_retain, "belay_weak *")


# The owners of objects, by the objects' addresses, which are theirs until the weak reference goes.
_owners: dict[int, tuple[weakref.ref[Any], Owner]] = {}


class _Death(weakref.ref[Any]):
    __slots__ = ("address",)
    address: int


def _ends(death: _Death) -> None:
    found = _owners.pop(death.address, None)
    if found is not None:
        lib.belay_owner_end(ffi.cast("void *", death.address), NULL, NULL)


def owner_of(thing: Any) -> Owner:
    """The owner that stands for any object that can be referred to weakly, the same one at each
    ask.

    When the object dies, what is bound to its owner is disposed of, before its memory goes. The
    owner does not keep the object; a callable that does, such as a method of it, has to be given as
    one that does not (`weakref.WeakMethod`), or the object never dies.
    """
    if isinstance(thing, Owner):
        if not thing._c:
            raise BelayError(lib.BELAY_EDEAD)
        return thing
    address = id(thing)
    found = _owners.get(address)
    if found is not None and found[0]() is thing:
        return found[1]
    death = _Death(thing, _ends)
    death.address = address
    owner: Owner = Owner._of(lib.belay_owner_adopt(ffi.cast("void *", address), NULL))
    owner._death = death
    _owners[address] = death, owner
    return owner


as_owner = owner_of
