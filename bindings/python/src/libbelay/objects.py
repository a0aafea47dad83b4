"""Objects whose properties can be observed and bound. (KVO.)

An object here is an `Owner`, or any object that can be referred to weakly. Its observed properties
are held by the library: `set_property`, `get_property`. A path of names leads through objects that
are values of properties: "session.user.name".
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ._core import (
    NULL, as_signal, check, encoded, forget_error, give, kept_context, placed, taken, value_of,
)  # fmt: skip
from ._disposables import Disposable
from ._loops import at_home
from ._native import ffi, lib
from ._operators.base import Operators
from ._owners import Owner, as_owner
from ._properties import Property
from ._signals import Signal


class Change(NamedTuple):
    """A record of `observe`."""

    #: The new value; of a prior record the old one.
    value: Any
    #: The value before, if it was asked for.
    old: Any
    #: No change: the value at the moment of subscribing.
    is_initial: bool
    #: The change is about to happen.
    is_prior: bool
    #: The object that a name of the path refers to is dying.
    is_death: bool


# One type for all: any property that somebody sets.
_type = lib.belay_type_create(NULL, 0, lib.BELAY_TYPE_DYNAMIC)


def _object(thing: Any) -> Owner:
    """The owner, which has properties from now on."""
    owner = as_owner(thing)
    if lib.belay_object_set_type(owner._c, _type) < 0:
        forget_error()  # it has another type, whose fields are its properties
    return owner


def set_property(thing: Any, path: str, value: Any) -> None:
    """Sets the property that the path leads to, and notifies its observers. Any thread."""
    if not isinstance(value, Owner) and type(value) not in _PLAIN and _is_object(value):
        value = as_owner(value)
    check(give(lib.belay_object_set, _object(thing)._c, encoded(path), value_of(value)))


def get_property(thing: Any, path: str) -> Any:
    """The value that the path leads to: None where there is none on the way, an `Owner` for an
    object that has properties itself."""
    value = ffi.new("belay_value *")
    check(lib.belay_object_get(_object(thing)._c, encoded(path), value))
    return taken(value)


_PLAIN = (int, float, bool, str, bytes, list, tuple, dict, type(None))


def _is_object(value: Any) -> bool:
    """Whether somebody has made an object of it here."""
    from ._owners import _owners

    found = _owners.get(id(value))
    return found is not None and found[0]() is value


def observe(
    thing: Any, path: str, *, observer: Any = None, initial: bool = True, death: bool = False,
) -> Signal[Any]:  # fmt: skip
    """The value that the path leads to: now, if ``initial``, and whenever it changes, whichever
    objects are on the path. Completes when the object or the ``observer`` begins to die. With
    ``death``, the value is None before the completion when the object dies."""
    flags = lib.BELAY_OBSERVE_INITIAL * initial | lib.BELAY_OBSERVE_DEATH * death
    return _observed(thing, path, observer, flags)


def observe_changes(
    thing: Any, path: str, *, observer: Any = None, initial: bool = False, old: bool = True,
    prior: bool = False, death: bool = False,
) -> Signal[Change]:  # fmt: skip
    """The same as records: with the value before, if ``old``; with one more record before each
    change, if ``prior``."""
    flags = (
        lib.BELAY_OBSERVE_CHANGES | lib.BELAY_OBSERVE_INITIAL * initial
        | lib.BELAY_OBSERVE_OLD * old | lib.BELAY_OBSERVE_PRIOR * prior
        | lib.BELAY_OBSERVE_DEATH * death
    )  # fmt: skip
    records: Operators[Any] = _observed(thing, path, observer, flags)
    changes = records._apply(lib.belay_op_map, ffi.addressof(lib, "pb_change"), NULL, NULL)
    return changes.map(_change)


def _observed(thing: Any, path: str, observer: Any, flags: int) -> Signal[Any]:
    at_home()
    options = ffi.new("belay_observe_options *")
    options.size = ffi.sizeof("belay_observe_options")
    options.flags = flags
    observing = None if observer is None else as_owner(observer)
    options.observer = NULL if observing is None else observing._c
    return Signal._of(lib.belay_object_observe(_object(thing)._c, encoded(path), options))


def _change(parts: list[Any]) -> Change:
    value, old, flags = parts
    kinds = (lib.BELAY_CHANGE_INITIAL, lib.BELAY_CHANGE_PRIOR, lib.BELAY_CHANGE_DEATH)
    return Change(value, old, *(bool(flags & kind) for kind in kinds))


def bind_property(source: Signal[Any], thing: Any, path: str) -> Disposable:
    """Sets the property to each value of a signal, until that or the object ends."""
    at_home()
    signal, target = as_signal(source), _object(thing)
    made: Disposable = placed(
        Disposable, lib.belay_signal_bind_object, signal._c, target._c, encoded(path)
    )
    return made


#: One side of `follow`: an object with a path, or a `Property`.
Side = tuple[Any, str] | Property[Any]


def follow(
    source: Side, target: Side, *, both_ways: bool = False,
    convert: Callable[[Any], Any] | None = None, back: Callable[[Any], Any] | None = None,
) -> Disposable:  # fmt: skip
    """Sets ``target`` to what ``convert`` makes of the value of ``source``, now and whenever it
    changes; with ``both_ways`` also ``source`` to what ``back`` makes of the other's. Keeps neither,
    and ends with either."""
    at_home()
    kept: list[Any] = []

    def side(given: Side, call: Callable[[Any], Any] | None, function: str) -> Any:
        made = ffi.new("belay_bindable *")
        made.size = ffi.sizeof("belay_bindable")
        if isinstance(given, Property):
            made.property = given._c
        else:
            owner, path = _object(given[0]), ffi.new("char[]", encoded(given[1]))
            kept.extend((owner, path))
            made.object, made.path = owner._c, path
        if call is not None:
            made.convert = ffi.addressof(lib, function)
        kept.append(made)
        return made

    binding = ffi.new("belay_binding *")
    binding.size = ffi.sizeof("belay_binding")
    # The functions of `generate` call the second and the third of a tuple with a value.
    setattr(binding, "from", side(source, convert, "pb_generate_next"))
    binding.to = side(target, back, "pb_generate_result")
    binding.both_ways = both_ways
    binding.ctx, binding.ctx_free = kept_context((None, convert, back))
    made: Disposable = placed(Disposable, lib.belay_bind, binding)
    return made


@contextmanager
def changing(thing: Any, *names: str) -> Generator[None, None, None]:
    """Groups the changes in a ``with`` block: they are told at its end, once for each property.
    ``names`` are properties that the block changes in another way than by `set_property`."""
    owner = _object(thing)
    check(lib.belay_object_begin_changes(owner._c))
    try:
        for name in names:
            check(lib.belay_object_will_change(owner._c, encoded(name)))
        yield
    finally:
        for name in reversed(names):
            lib.belay_object_did_change(owner._c, encoded(name))
        check(lib.belay_object_end_changes(owner._c))
