"""Properties, boxes with a current value and a signal of it; commands, actions that run once at a
time; requests, questions that listeners answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, Unpack

from ._core import (
    NULL, Handle, Source, check, forget_error, function_address, give, handle, of_callable, placed,
    taken, value_of,
)  # fmt: skip
from ._disposables import Disposable, Subscription
from ._loops import at_home
from ._native import ffi, lib
from ._signals import Signal
from ._subjects import PropertyOptions, property_options

T = TypeVar("T")
U = TypeVar("U")


class Property(Handle, Generic[T]):
    """A box with a current value. Its signal completes when it is dropped."""

    __slots__ = ()
    _releaser = function_address("belay_property_release")

    def __init__(self, value: T, **options: Unpack[PropertyOptions]) -> None:
        made = property_options(options)
        self._own(give(lib.belay_property_create, value_of(value), made))

    @property
    def value(self) -> T:
        """The value set last. Setting sends it, also when it is the same."""
        value = ffi.new("belay_value *")
        check(lib.belay_property_get(self._c, value))
        found: T = taken(value)
        return found

    @value.setter
    def value(self, value: T) -> None:
        check(give(lib.belay_property_set, self._c, value_of(value)))

    def modify(self, change: Callable[[T], T]) -> None:
        """Sets what ``change`` makes of the value, and nothing if it raises. At home only."""
        raised: list[BaseException] = []

        def changed(value: T) -> T:
            try:
                return change(value)
            except Exception as error:
                raised.append(error)
                raise

        function = ffi.addressof(lib, "pb_map")
        code = lib.belay_property_modify(self._c, function, ffi.cast("void *", id(changed)))
        if raised:
            forget_error()
            raise raised.pop()
        check(code)

    @property
    def signal(self) -> Signal[T]:
        """Sends the present value to each new subscription, then every value that is set."""
        return Signal._of(lib.belay_property_signal(self._c))

    def bind(self, source: Signal[T], owner: Any = None) -> Disposable:
        """Sets the property to each value of a signal, until that, this, or the ``owner`` ends."""
        from ._owners import as_owner

        owned = NULL if owner is None else as_owner(owner)._c
        made: Disposable = placed(
            Subscription, lib.belay_signal_bind_property, source._c, self._c, owned
        )
        return made

    def channel(self, other: Property[T]) -> Disposable:
        """Has two properties follow each other, beginning with this one's value."""
        made: Disposable = placed(Disposable, lib.belay_property_channel, self._c, other._c)
        return made

    def __repr__(self) -> str:
        return f"<Property {self.value!r}>"


class Command(Handle, Generic[T, U]):
    """An action that runs once at a time, and while it is enabled."""

    __slots__ = ()
    _releaser = function_address("belay_command_release")

    def __init__(self, execute: Callable[[T], Source[U]], enabled: Signal[bool] | None = None) -> None:
        """``execute(input)`` makes the signal of an execution; ``enabled`` sends bools."""
        at_home()
        gate = NULL if enabled is None else handle(enabled)
        self._own(give(lib.belay_command_create, gate, *of_callable("pb_flat_map", execute)))

    def execute(self, value: T) -> Signal[U]:
        """Begins an execution. Returns a signal of all that the execution sends; a later
        subscription gets all of it, too. Raises a BelayError of EBUSY while the command executes or
        is not enabled, and what the callable ``execute`` raises."""
        return Signal._of(give(lib.belay_command_execute, self._c, value_of(value)))

    @property
    def executing(self) -> Signal[bool]:
        """Whether it is executing: now, and whenever that changes."""
        return Signal._of(lib.belay_command_executing(self._c))

    @property
    def enabled(self) -> Signal[bool]:
        """Whether it may be executed: now, and whenever that changes."""
        return Signal._of(lib.belay_command_enabled(self._c))

    @property
    def values(self) -> Signal[U]:
        """The values of all executions."""
        return Signal._of(lib.belay_command_values(self._c))

    @property
    def errors(self) -> Signal[BaseException]:
        """Their errors, as values."""
        return Signal._of(lib.belay_command_errors(self._c))


class Request(Handle, Generic[T, U]):
    """A source of questions that its listeners answer. Their answers are accumulated. The listeners
    end when it is dropped."""

    __slots__ = ()
    _releaser = function_address("belay_request_release")

    def __init__(self, initial: U, accumulate: Callable[[U, U], U]) -> None:
        """``accumulate(result, answer)`` makes the next result; the first one is ``initial``."""
        at_home()
        called = of_callable("pb_scan", accumulate)
        self._own(give(lib.belay_request_create, value_of(initial), *called))

    def subscribe(self, answer: Callable[[T], U]) -> Disposable:
        """Has ``answer(question)`` answer each question, until the result is disposed of."""
        called = of_callable("pb_map", answer)
        made: Disposable = placed(Disposable, lib.belay_request_subscribe, self._c, *called)
        return made

    def send(self, question: T) -> U:
        """Asks every listener, and returns what was made of the answers. Raises the first exception
        of a listener; no other listener is asked then."""
        answer = ffi.new("belay_value *")
        check(give(lib.belay_request_send, self._c, value_of(question), answer))
        found: U = taken(answer)
        return found
