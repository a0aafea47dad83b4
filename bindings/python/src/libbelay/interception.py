"""Calls through C's tables of functions, observed, changed and answered in Python.

The program describes a table of functions, a struct that C code calls through, with an `Interface`.
A `Slot` is a place in such a table; while it has a listener or an interceptor, calls go through it.
Addresses are numbers, as ctypes and cffi give them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

from ._core import (
    NULL, Handle, check, encoded, function_address, give, kept_context, of_callable, of_optional,
    placed, taken, text, value_of,
)  # fmt: skip
from ._disposables import Disposable
from ._loops import at_home
from ._native import ffi, lib
from ._owners import Owner, as_owner
from ._signals import Signal

#: The memory of descriptions, which the library does not copy: a thread may be about to call.
_descriptions: list[Any] = []


class Interface(Handle):
    """The description of a struct of function pointers."""

    __slots__ = ()
    _releaser = function_address("belay_interface_release")

    def __init__(
        self, name: str, table_size: int, methods: Mapping[str, tuple[int, str]], *,
        base: Interface | None = None, table_offset: int | None = None, install: int = 0,
        installed: int = 0, ends_object: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        """``methods`` has the offset and the shape of each: "i@pT" is ``int (*)(void *context,
        void *, size_t)``; see the header interface.h. ``table_offset`` is where an object keeps the
        pointer to its table. ``install`` and ``installed`` are addresses of C functions, for
        proxies. A method in ``ends_object`` destroys the object."""
        kept: list[Any] = []

        def static(given: str) -> Any:
            kept.append(ffi.new("char[]", encoded(given)))
            return kept[-1]

        described = ffi.new("belay_method[]", len(methods))
        for each, (method, (offset, shape)) in zip(described, methods.items(), strict=True):
            each.size = ffi.sizeof("belay_method")
            each.name, each.offset, each.shape = static(method), offset, static(shape)
            each.flags = lib.BELAY_METHOD_ENDS_OBJECT if method in ends_object else 0
        description = ffi.new("belay_interface_description *")
        description.size = ffi.sizeof("belay_interface_description")
        description.name = static(name)
        description.table_size = table_size
        description.methods, description.method_count = described, len(methods)
        description.base = NULL if base is None else base._c
        no_table = ffi.cast("size_t", -1)
        description.table_offset = no_table if table_offset is None else table_offset
        description.install = ffi.cast("int (*)(void *, const void *)", install)
        description.installed = ffi.cast("const void *(*)(void *)", installed)
        _descriptions.append((kept, described, description))
        self._own(lib.belay_interface_create(description))

    @property
    def name(self) -> str:
        """The name that it was given."""
        return text(lib.belay_interface_name(self._c))

    @property
    def methods(self) -> list[str]:
        """The names of the methods, those of its bases first."""
        count = lib.belay_interface_method_count(self._c)
        return [text(lib.belay_interface_method(self._c, i).name) for i in range(count)]


class Invocation(Handle):
    """A call of a method with its arguments. It belongs to one thread at a time."""

    __slots__ = ()
    _releaser = function_address("belay_invocation_release")

    def __init__(self, interface: Interface, method: str, *arguments: Any) -> None:
        """A call that `call` and `send` make; the arguments without the one that carries the
        context."""
        self._own(lib.belay_invocation_create(interface._c, encoded(method)))
        for index, value in enumerate(arguments):
            self[index] = value

    @property
    def method(self) -> str:
        """The name of the method."""
        return text(lib.belay_invocation_method(self._c))

    @property
    def context(self) -> int:
        """The address that carries the context; 0 without one."""
        return int(ffi.cast("uintptr_t", lib.belay_invocation_context(self._c)))

    @context.setter
    def context(self, address: int) -> None:
        check(lib.belay_invocation_set_context(self._c, ffi.cast("void *", address)))

    def __len__(self) -> int:
        return int(lib.belay_invocation_count(self._c))

    def __getitem__(self, index: int) -> Any:
        value = ffi.new("belay_value *")
        if not 0 <= index < len(self):
            raise IndexError(index)
        check(lib.belay_invocation_get(self._c, index, value))
        return taken(value)

    def __setitem__(self, index: int, value: Any) -> None:
        if not 0 <= index < len(self):
            raise IndexError(index)
        check(give(lib.belay_invocation_set, self._c, index, value_of(value)))

    @property
    def arguments(self) -> list[Any]:
        """The arguments, without the one that carries the context."""
        return [self[i] for i in range(len(self))]

    @property
    def result(self) -> Any:
        """The result of the call, or the one that was set."""
        return taken(ffi.new("belay_value *", lib.belay_invocation_result(self._c)))

    @result.setter
    def result(self, value: Any) -> None:
        check(give(lib.belay_invocation_set_result, self._c, value_of(value)))

    def proceed(self) -> Any:
        """Inside an interceptor: goes on, to the next interceptor or the method. Its result."""
        check(lib.belay_invocation_proceed(self._c))
        return self.result

    def call(self, function: int) -> Any:
        """Calls the function at an address, which has the method's shape. Its result."""
        check(lib.belay_invocation_call(self._c, ffi.cast("belay_function", function)))
        return self.result

    def send(self, thing: Any) -> Any:
        """Sends the call to an object that has a responder (`set_responder`). Its result."""
        check(lib.belay_invocation_send(self._c, as_owner(thing)._c))
        return self.result

    def keep_arguments(self) -> None:
        """Copies the C strings among the arguments, for a call that is kept."""
        check(lib.belay_invocation_retain_arguments(self._c))

    @classmethod
    def _lent(cls, address: int) -> Self:
        pointer = ffi.cast("belay_invocation *", address)
        made: Self = cls._of(lib.belay_invocation_retain(pointer))
        return made


class Slot(Handle):
    """A place of a function pointer. Its signals send lists of the arguments."""

    __slots__ = ()
    _releaser = function_address("belay_slot_release")

    def __init__(self) -> None:
        raise TypeError("slots are Slot.of_table(), Slot.of_object() and Proxy.slot()")

    @classmethod
    def of_table(
        cls, interface: Interface, table: int, method: str, *, unprotect: bool = False
    ) -> Slot:
        """The slot of a table at an address, for all objects that have that table. With
        ``unprotect`` the table may be in read-only memory. Call `table_gone` before it is freed."""
        flags = lib.BELAY_SLOT_UNPROTECT * unprotect
        pointer = ffi.cast("void *", table)
        made: Slot = cls._of(
            lib.belay_slot_create_in_table(interface._c, pointer, encoded(method), flags)
        )
        return made

    @classmethod
    def of_object(cls, interface: Interface, owner: Owner, method: str) -> Slot:
        """The slot of one object, by its owner (see `adopted`)."""
        made: Slot = cls._of(
            lib.belay_slot_create_in_object(interface._c, owner._c, encoded(method))
        )
        return made

    @property
    def sent(self) -> Signal[list[Any]]:
        """The arguments of each call, before it."""
        at_home()
        return Signal._of(lib.belay_slot_sent(self._c))

    @property
    def invoked(self) -> Signal[list[Any]]:
        """The arguments and the result of each call, after it."""
        at_home()
        return Signal._of(lib.belay_slot_invoked(self._c))

    def around(self, interceptor: Callable[[Invocation], object]) -> Disposable:
        """Calls ``interceptor(call)`` in place of the method, on the thread that calls. It may
        change arguments, `Invocation.proceed` or not, and set the result."""
        called = of_callable("pb_around", _with_call(interceptor))
        made: Disposable = placed(Disposable, lib.belay_slot_around, self._c, *called)
        return made

    def respond(self, responder: Callable[[Invocation], Any]) -> Disposable:
        """Answers calls, where there is no original or beside it."""
        called = of_callable("pb_respond", _with_call(responder))
        made: Disposable = placed(Disposable, lib.belay_slot_respond, self._c, *called)
        return made

    def set_default(self, value: Any) -> None:
        """Sets the answer of calls that nothing answers."""
        check(give(lib.belay_slot_set_default, self._c, value_of(value)))

    def set_combiner(self, combiner: Callable[..., Any] | None) -> None:
        """Sets what makes one answer of several; None: the first counts."""
        check(give(lib.belay_slot_set_combiner, self._c, *of_optional("pb_combine", combiner)))

    def connect(self, shape: str, function: int, context: int = 0) -> Disposable:
        """Calls a C function at each call, with the arguments as they are; see slot.h."""
        called = ffi.cast("belay_function", function), ffi.cast("void *", context), NULL
        made: Disposable = placed(
            Disposable, lib.belay_slot_connect, self._c, encoded(shape), *called
        )
        return made

    @property
    def original(self) -> int:
        """The address of the function that would be there without the slot; 0 for none."""
        return int(ffi.cast("uintptr_t", lib.belay_slot_original(self._c)))

    def check(self) -> None:
        """Raises a BelayError when somebody else has written over it (EMISMATCH), or it has ended
        (EDEAD)."""
        check(lib.belay_slot_status(self._c))


def _with_call(handler: Callable[[Invocation], Any]) -> Callable[[int], Any]:
    if not callable(handler):
        raise TypeError(f"{handler!r} is not callable")

    def called(address: int) -> Any:
        return handler(Invocation._lent(address))

    return called


class Proxy(Handle):
    """Stands between an object and its delegate: each method of the delegate's table is a slot."""

    __slots__ = ()
    _releaser = function_address("belay_proxy_release")

    def __init__(self, owner: Owner, interface: Interface) -> None:
        """The proxy of the object of an owner (see `adopted`). ``interface`` has ``install``."""
        self._own(lib.belay_proxy_create(owner._c, interface._c))

    @property
    def table(self) -> int:
        """The address of the table that the object was given."""
        return int(ffi.cast("uintptr_t", lib.belay_proxy_table(self._c)))

    def forward_to(self, table: int, delegate: Any = None) -> None:
        """Forwards calls to a table at an address, until it is taken away (0) or ``delegate``
        dies."""
        owned = None if delegate is None else as_owner(delegate)
        given = NULL if owned is None else owned._c
        check(lib.belay_proxy_forward_to(self._c, ffi.cast("void *", table), given))

    def around(self, interceptor: Callable[[Invocation], object]) -> Disposable:
        """Calls ``interceptor(call)`` in place of every method that may be intercepted; see
        `Slot.around`."""
        called = of_callable("pb_around", _with_call(interceptor))
        made: Disposable = placed(Disposable, lib.belay_proxy_around, self._c, *called)
        return made

    def slot(self, method: str) -> Slot:
        """The slot of a method."""
        made: Slot = Slot._of(lib.belay_slot_create_in_proxy(self._c, encoded(method)))
        return made


def set_responder(
    thing: Any, interface: Interface | None = None, table: int = 0,
    forward: Callable[[Invocation], bool] | None = None,
) -> None:  # fmt: skip
    """Sets how an object finds the methods of calls that are sent to it (`Invocation.send`): in the
    table of C functions at an address, else by ``forward(call)``, which tells whether it has
    handled the call. Replaces what was set."""
    responder = ffi.new("belay_responder *")
    responder.size = ffi.sizeof("belay_responder")
    responder.interface = NULL if interface is None else interface._c
    responder.table = ffi.cast("void *", table)
    called, owner = None if forward is None else _with_call(forward), as_owner(thing)
    if called is not None:
        responder.forward = ffi.addressof(lib, "pb_forward")
        responder.ctx, responder.ctx_free = kept_context(called)
    check(lib.belay_object_set_responder(owner._c, responder))


def responds(thing: Any, method: str) -> bool:
    """Whether the object finds a method in its table."""
    return bool(lib.belay_object_responds(as_owner(thing)._c, encoded(method)))


def table_gone(table: int) -> None:
    """Ends the slots of a table, before its memory goes."""
    check(lib.belay_table_gone(ffi.cast("void *", table)))


def adopted(address: int) -> Owner:
    """The owner that stands for a C object at an address. Its program calls `will_end` and
    `did_end` around the end of the object's memory."""
    made: Owner = Owner._of(lib.belay_owner_adopt(ffi.cast("void *", address), NULL))
    return made


def will_end(address: int) -> None:
    """The C object begins to die: what is bound to it is disposed of, its slots end."""
    check(lib.belay_owner_will_end(ffi.cast("void *", address)))


def did_end(address: int) -> None:
    """The C object has died."""
    check(lib.belay_owner_did_end(ffi.cast("void *", address)))
