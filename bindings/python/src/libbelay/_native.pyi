# The extension module: cffi's, and what the shim adds to it.
from collections.abc import Callable
from contextvars import Context
from typing import Any

ffi: Any
lib: Any

class Holder:
    """An object that stands for a handle."""

    #: None for one that has ended, and for a signal that has yet to be built.
    _reference: Reference | None

class Reference:
    """A reference to a handle, which is given back when nothing has this any more."""

    #: The handle as a number.
    address: int
    #: By a call, which raises what callables have raised then.
    is_given_back: bool

def own(address: int, release: int, /) -> Reference: ...
def set_hooks(hooks: tuple[Any, ...], /) -> None: ...
def use_for(subject: type[Any], subscriber: type[Any], /) -> None: ...
def subscribe(
    signal: int,
    owner: int,
    loop: int,
    stages: tuple[tuple[int, Callable[[Any], Any], bytes | None], ...],
    calls: tuple[Callable[..., Any] | None, ...],
    context: Context | None,
    /,
) -> int: ...
def turn(loop: int, /) -> bool: ...
def wait_for_room(seconds: float, given_up: bytearray, /) -> None: ...
def load(address: int, /) -> Any: ...
def held(capsule: Any, /) -> Any: ...
def exception(address: int, /) -> Any: ...
def raise_exit() -> None: ...
def export_signal(address: int, /) -> Any: ...
def import_signal(capsule: Any, /) -> int: ...
