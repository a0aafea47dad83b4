"""Sources: signals of files and of the system."""

from __future__ import annotations

import enum
import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ._core import Seconds, encoded, encoded_path, give, of_callable, seconds, value_of
from ._errors import BelayError
from ._loops import Loop, as_loop
from ._native import ffi, lib
from ._read import Read
from ._signals import Signal

T = TypeVar("T")


def loop_of(given: Loop | None) -> Any:
    """The loop's handle; without one that of this thread's."""
    loop = Loop.current() if given is None else as_loop(given)
    if loop is None:
        raise BelayError(lib.BELAY_EINVAL, "this thread has no loop: make a Loop, or give one")
    return loop._c


def file_lines(
    path: str | os.PathLike[str], *, follow: bool = False, from_end: bool = False,
    loop: Loop | None = None,
) -> Signal[str | bytes]:  # fmt: skip
    """The lines of a file, without their ends; bytes where one is not UTF-8. With ``follow`` it
    goes on as the file grows; ``from_end`` begins with what is appended. An ``async for`` that asks
    slowly lets the file wait."""
    flags = lib.BELAY_FILE_FOLLOW * follow | lib.BELAY_FILE_FROM_END * from_end
    return Read._of(lib.belay_file_lines(loop_of(loop), encoded_path(path), flags))


def posix_signal(number: int, loop: Loop | None = None) -> Signal[int]:
    """The number, each time that the process gets the POSIX signal. After its last subscription the
    signal has the system's default action, also where Python had a handler for it: Ctrl-C ends the
    process then. Set the handler again with ``signal.signal()``."""
    return Signal._of(lib.belay_posix_signal(loop_of(loop), number))


def ticks(place: str, loop: Loop | None = None) -> Signal[int]:
    """The number of the tick, each time that the loop comes to a place in its turn: ``"idle"``,
    ``"prepare"`` or ``"check"``."""
    places = {
        "idle": lib.BELAY_TICK_IDLE, "prepare": lib.BELAY_TICK_PREPARE,
        "check": lib.BELAY_TICK_CHECK,
    }  # fmt: skip
    return Signal._of(lib.belay_ticks(loop_of(loop), places[place]))


POLL_READABLE = 1
POLL_WRITABLE = 2
POLL_DISCONNECT = 4
POLL_PRIORITIZED = 8


def poll(fd: int, events: int, loop: Loop | None = None) -> Signal[int]:
    """The readiness of the descriptor, of ``POLL_READABLE`` and its like, in each turn in which it
    is ready. The descriptor stays the caller's and becomes non-blocking. Dispose of the
    subscription before you close it: libuv aborts the process when the loop comes to watch a
    descriptor that is closed."""
    return Signal._of(lib.belay_poll(loop_of(loop), fd, events))


def wall_timer(date: float, loop: Loop | None = None) -> Signal[None]:
    """None once the wall clock shows ``date``, as ``time.time()`` counts, even if the clock is set before
    that. For a ``datetime`` give its ``timestamp()``."""
    return Signal._of(lib.belay_wall_timer(loop_of(loop), date))


def work(action: Callable[[], T], loop: Loop | None = None) -> Signal[T]:
    """Calls ``action`` on a thread of libuv's pool for each subscription, and sends its result."""
    return Signal._of(give(lib.belay_work, loop_of(loop), *of_callable("pb_produce", action)))


def file_read(path: str | os.PathLike[str], loop: Loop | None = None) -> Signal[bytes]:
    """All bytes of a file."""
    return Signal._of(lib.belay_file_read(loop_of(loop), encoded_path(path)))


def file_chunks(
    path: str | os.PathLike[str], *, follow: bool = False, from_end: bool = False,
    loop: Loop | None = None,
) -> Signal[bytes]:  # fmt: skip
    """The bytes of a file in pieces of at most 64 KiB; the rest is as in ``file_lines``."""
    flags = lib.BELAY_FILE_FOLLOW * follow | lib.BELAY_FILE_FROM_END * from_end
    return Read._of(lib.belay_file_chunks(loop_of(loop), encoded_path(path), flags))


def file_write(
    path: str | os.PathLike[str], content: bytes, loop: Loop | None = None
) -> Signal[None]:
    """Writes a whole file at once: one None, when it is on the disk."""
    value = value_of(bytes(memoryview(content)))
    return Signal._of(give(lib.belay_file_write, loop_of(loop), encoded_path(path), value))


class EntryKind(enum.IntEnum):
    """The kind of an entry of a directory. Some file systems tell none."""

    UNKNOWN = lib.BELAY_ENTRY_UNKNOWN
    FILE = lib.BELAY_ENTRY_FILE
    DIRECTORY = lib.BELAY_ENTRY_DIRECTORY
    LINK = lib.BELAY_ENTRY_LINK
    PIPE = lib.BELAY_ENTRY_PIPE
    SOCKET = lib.BELAY_ENTRY_SOCKET
    CHARACTER_DEVICE = lib.BELAY_ENTRY_CHARACTER_DEVICE
    BLOCK_DEVICE = lib.BELAY_ENTRY_BLOCK_DEVICE


def _named(given: tuple[str | bytes, int]) -> tuple[str, int]:
    """A name, which C sends as bytes where it is not UTF-8, as Python has names of files; and what
    is behind it."""
    name, rest = given
    return os.fsdecode(name.encode() if isinstance(name, str) else name), rest


def directory_list(
    path: str | os.PathLike[str], loop: Loop | None = None
) -> Signal[list[tuple[str, EntryKind]]]:
    """The entries of a directory, in the order of their names: names and kinds. A name that is not
    UTF-8 has surrogates in it, as in ``os.listdir()``, and ``open()`` takes it."""
    listed = Signal._of(lib.belay_directory_list(loop_of(loop), encoded_path(path)))

    def entries(given: list[tuple[str | bytes, int]]) -> list[tuple[str, EntryKind]]:
        return [(name, EntryKind(kind)) for name, kind in map(_named, given)]

    return listed.map(entries)


FILE_CREATED = 1
FILE_REMOVED = 2
FILE_CHANGED = 4
FILE_LOST = 8


def file_events(
    path: str | os.PathLike[str], loop: Loop | None = None
) -> Signal[tuple[str, int]]:
    """The events of a file, or of the entries of a directory: names, and ``FILE_CREATED`` and its
    like. Names are as in `directory_list`."""
    return Signal._of(lib.belay_file_events(loop_of(loop), encoded_path(path))).map(_named)


def file_poll(
    path: str | os.PathLike[str], interval: Seconds, loop: Loop | None = None
) -> Signal[tuple[str, int]]:
    """The same by a look at the file from time to time."""
    made = lib.belay_file_poll(loop_of(loop), encoded_path(path), seconds(interval))
    return Signal._of(made).map(_named)


def tree_events(
    path: str | os.PathLike[str], loop: Loop | None = None
) -> Signal[tuple[str, int]]:
    """The same for a directory and all directories below it."""
    return Signal._of(lib.belay_tree_events(loop_of(loop), encoded_path(path))).map(_named)


def lookup(
    host: str, service: str | None = None, loop: Loop | None = None
) -> Signal[tuple[str, int]]:
    """The addresses of a host: numeric hosts and ports."""
    named = ffi.NULL if service is None else encoded(service)
    return Signal._of(lib.belay_lookup(loop_of(loop), encoded(host), named))


def host_name(address: str, loop: Loop | None = None) -> Signal[str]:
    """The name of the host that has an address."""
    return Signal._of(lib.belay_host_name(loop_of(loop), encoded(address)))


def udp(
    outgoing: Signal[Any] | None = None, *, host: str | None = None, port: int = 0,
    remote: tuple[str, int] | None = None, groups: Sequence[str] = (),
    interface: str | None = None, share: bool = False, broadcast: bool = False,
    loop_back: bool = True, ttl: int = 0, loop: Loop | None = None,
) -> Signal[tuple[Any, str, int]]:  # fmt: skip
    """Opens a UDP socket for each subscription, which sends what ``outgoing`` sends: lists of bytes,
    host and port; with ``remote``, bytes alone. Each value has a host and a port behind None (the
    address of the socket), bytes that were received from there, or an error."""

    def text(given: str | None) -> Any:
        return ffi.NULL if given is None else ffi.new("char[]", encoded(given))

    flags = (
        lib.BELAY_UDP_SHARE * share | lib.BELAY_UDP_BROADCAST * broadcast
        | lib.BELAY_UDP_NO_LOOP * (not loop_back)
    )  # fmt: skip
    kept = [text(host), text(remote and remote[0]), text(interface), *map(text, groups)]
    named = ffi.new("char *[]", [*kept[3:], ffi.NULL])
    options = ffi.new(
        "belay_udp_options *",
        {
            "size": ffi.sizeof("belay_udp_options"), "host": kept[0], "remote_host": kept[1],
            "interface_host": kept[2], "groups": ffi.cast("const char *const *", named),
            "port": port, "remote_port": remote[1] if remote else 0, "flags": flags,
            "multicast_ttl": ttl,
        },
    )  # fmt: skip
    sent = ffi.NULL if outgoing is None else outgoing._c
    return Signal._of(lib.belay_udp(loop_of(loop), sent, options))
