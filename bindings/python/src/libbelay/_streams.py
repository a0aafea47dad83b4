"""Streams: bytes in both directions. Connections, listeners, pipes and terminals."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from ._core import (
    NULL, BlockHandle, Source, check, count_of, encoded, encoded_path, forget_error,
    function_address, give, handle, last_error, text, value_of, register,
)  # fmt: skip
from ._disposables import Disposable
from ._loops import Loop
from ._native import ffi, lib
from ._read import Kept, Read, left_at
from ._signals import Signal
from ._sites import begin_options, here
from ._sources import loop_of

T = TypeVar("T", covariant=True)

#: What can be written: bytes, or a string, which is written as UTF-8.
Writable = bytes | bytearray | memoryview | str


@dataclass(frozen=True)
class StreamOptions:
    """How a stream, or those of a listener, are made. Each label and each site is kept for good."""

    #: Bytes that are held at most before the stream stops reading; None: no limit.
    read_high: int | None = 65536
    #: Bytes held at which it goes on; 0: half of ``read_high``.
    read_low: int = 0
    #: Bytes that may wait to be written before writes are refused; None: no limit.
    write_high: int | None = 65536
    #: TCP: seconds of silence after which the peer is asked, up to 32767; 0: never.
    keepalive: float = 0
    #: TCP: sends small writes at once.
    nodelay: bool = False
    #: Listeners: connections that may wait to be accepted; 0: 511.
    backlog: int = 0
    #: TCP listeners: several may have the port.
    reuse_port: bool = False
    #: TCP listeners: no IPv4 at an IPv6 address.
    ipv6_only: bool = False
    #: The name in reports, also of a listener's streams, as in what ``Loop.close()`` finds open.
    label: str | None = None
    #: The line of code that made it, in reports; by default the one that makes these options.
    site: str | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.site is None:
            object.__setattr__(self, "site", here())

    def _in_c(self) -> Any:
        made = begin_options("belay_stream_options", self.label, self.site)
        made.read_high, made.read_low = count_of(self.read_high), self.read_low
        made.write_high, made.keepalive = count_of(self.write_high), self.keepalive
        made.nodelay, made.backlog = self.nodelay, self.backlog
        made.reuse_port, made.ipv6_only = self.reuse_port, self.ipv6_only
        return made


def _options(given: StreamOptions | None) -> Any:
    return NULL if given is None else given._in_c()


class WindowSize(NamedTuple):
    """The size of a terminal's window, in characters."""

    columns: int
    rows: int


class Stream(BlockHandle):
    """Bytes in both directions: a connection, a pipe, a FIFO or a terminal.

    It is open until `close`, until the end of its ``with`` block, until the last reference to it
    goes, or until its loop closes. Its signals and their subscriptions are references.

    `write`, `shutdown`, `close`, the counters and the functions that make signals may be called on
    any thread, the others on that of its loop. Errors are a BelayError with libuv's code, such as
    ``"ECONNRESET"``, and with the address. Writing to a peer that has gone is the error EPIPE.
    """

    __slots__ = ("_left",)
    _left: deque[bytes]
    _releaser = function_address("belay_stream_release")

    def __init__(self) -> None:
        raise TypeError("streams are made by tcp_connect(), stream_open() and their like")

    def _own(self, pointer: Any) -> None:
        super()._own(pointer)
        self._left = left_at(self._number)

    def read(self) -> Signal[bytes]:
        """The bytes that come, in pieces of any size. Completes when the peer has ended its side.

        Cold: a subscription reads, and its disposal stops that. There is one at a time; another one
        gets the error EBUSY. ``await stream.read()`` is the next piece, an error EENDED at the end.
        A piece that has come for a task that was cancelled, or for an ``async for`` that was left,
        is the next one. An ``async for`` that asks slowly lets the peer wait: what waits counts at
        ``read_high``, also in `lines`, in frames and through ``map`` and ``filter``, whose
        callables then run when a value is asked for."""
        pointer = self._c
        return Read._from("stream_read", self._left, lambda: lib.belay_stream_read(pointer))

    def lines(self, limit: int | None = 65536) -> Signal[str]:
        """The lines of UTF-8 that come, without their ends. A line of more than ``limit`` bytes is
        the error EMSGSIZE, what is no UTF-8 EILSEQ. Lines behind the one at which a subscription ends
        may go with it: read all of them with one. The rest is as in `read`."""
        made: Signal[Any] = self.read().utf8()
        return made.lines(count_of(limit))

    def write(self, data: Writable) -> Signal[None]:
        """Writes at once, and returns `drained`: await it to learn that this has been written, or
        drop it.

        Raises a BelayError: EAGAIN when ``write_high`` bytes wait already, and then nothing of this
        is written; EENDED after `shutdown`; ECANCELED after the close; else the code with which
        writing has failed. From another thread it is written at the loop's next turn, in the order
        of that thread's calls, and a failure there shows in later calls and in what is awaited."""
        if isinstance(data, str):
            data = data.encode()
        elif type(data) is not bytes:
            data = bytes(memoryview(data))
        check(give(lib.belay_stream_write, self._c, value_of(data)))
        return self.drained()

    def write_all(self, source: Source[Any]) -> Signal[None]:
        """Writes each value of ``source``, bytes or a string, for each subscription. One None after
        the completion of ``source``, when its values have been written. A piece of a stream is never
        refused: it goes on counting there, so that stream waits for this one. Other values are the
        error EAGAIN when ``write_high`` bytes wait already."""
        written = give(lib.belay_stream_write_all, self._c, handle(source))
        return Signal._of(written).default_if_empty(None)

    def drained(self, limit: int = 0) -> Signal[None]:
        """One None when at most ``limit`` of the bytes that wait at its beginning still do. The error
        of the stream when that cannot be any more."""
        return Signal._of(lib.belay_stream_drained(self._c, limit)).default_if_empty(None)

    def shutdown(self) -> None:
        """Ends the writing side after what waits. A socket's peer sees the end, and may go on
        writing. A stream that is only written, such as a child's input, is closed by it."""
        check(lib.belay_stream_shutdown(self._c))

    def close(self) -> None:
        """Closes the stream at once, from another thread at the loop's next turn. Bytes that wait
        to be written are dropped: await `drained` before."""
        check(lib.belay_stream_close(self._c))

    def _leave(self) -> None:
        self.close()

    def disposable(self) -> Disposable:
        """A disposable that closes the stream."""
        made: Disposable = Disposable._of(lib.belay_stream_create_disposable(self._c))
        return made

    @property
    def waiting(self) -> int:
        """How many bytes wait to be written."""
        return int(lib.belay_stream_waiting(self._c))

    @property
    def held(self) -> int:
        """How much of what was read is held, as the marks count: its bytes, and some for each piece."""
        return int(lib.belay_stream_held(self._c))

    @property
    def local_address(self) -> str:
        """``"127.0.0.1:80"``, ``"[::1]:80"``, the path of a Unix socket, or nothing. The error
        EWRONGTHREAD on another thread than that of the loop."""
        self._require_home()
        return text(lib.belay_stream_local_address(self._c))

    @property
    def peer_address(self) -> str:
        """The same of the other side."""
        self._require_home()
        return text(lib.belay_stream_peer_address(self._c))

    def _require_home(self) -> None:
        # A call for an address answers "" on another thread, which may be an address, too. This call
        # answers with a code, and looks at the thread before anything else.
        code = lib.belay_stream_window_size(self._c, NULL, NULL)
        if code == lib.BELAY_EWRONGTHREAD:
            raise last_error(code)
        forget_error()

    def set_raw(self, is_raw: bool) -> None:
        """Of a terminal: turns line editing, echo and signal keys off; False, and the close, restore
        what was there. The error ENOTTY for another stream."""
        check(lib.belay_stream_set_raw(self._c, is_raw))

    @property
    def window_size(self) -> WindowSize:
        """Of a terminal. The error ENOTTY for another stream."""
        size = ffi.new("int[2]")
        check(lib.belay_stream_window_size(self._c, size, size + 1))
        return WindowSize(*size)

    def window_sizes(self) -> Signal[WindowSize]:
        """Of a terminal: the size, again each time that it has changed. The system tells of changes
        of the controlling terminal. The signal SIGWINCH is waited for as by `posix_signal`. The error
        ENOTTY for another stream."""
        sizes: Signal[list[int]] = Signal._of(lib.belay_stream_window_sizes(self._c))
        return sizes.map(lambda size: WindowSize(*size))


register(Stream, lib.BELAY_KIND_STREAM, lib.belay_stream_retain, "belay_stream *")


class Listener(BlockHandle):
    """A socket that listens from when it is made, until `close`, the end of its ``with`` block, or
    its last reference. On the thread of its loop; `close` on any."""

    __slots__ = ("_left",)
    _left: deque[Stream]
    _releaser = function_address("belay_listener_release")

    def __init__(self) -> None:
        raise TypeError("listeners are made by tcp_listen() and unix_listen()")

    def _own(self, pointer: Any) -> None:
        super()._own(pointer)
        self._left = left_at(self._number)

    @property
    def connections(self) -> Signal[Stream]:
        """A stream for each connection. There is one subscription at a time; another one gets the
        error EBUSY. A disposal stops accepting, and the listener goes on listening. When there is no
        room for another descriptor, `on_unhandled_error` is told so once, and accepting goes on when
        there is. A connection that has come for a task that was cancelled, or for an ``async for``
        that was left, comes first."""
        pointer, make = self._c, lib.belay_listener_connections
        return Kept._from("connections", self._left, lambda: make(pointer))

    def close(self) -> None:
        """Stops listening; a subscription is interrupted."""
        check(lib.belay_listener_close(self._c))

    def _leave(self) -> None:
        self.close()

    def disposable(self) -> Disposable:
        """A disposable that closes the listener."""
        made: Disposable = Disposable._of(lib.belay_listener_create_disposable(self._c))
        return made

    @property
    def address(self) -> str:
        """``"127.0.0.1:80"``, ``"[::]:80"``, or the path."""
        return text(lib.belay_listener_address(self._c))

    @property
    def port(self) -> int | None:
        """The port; None for a Unix socket."""
        port = int(lib.belay_listener_port(self._c))
        return None if port < 0 else port

    def __repr__(self) -> str:
        return f"<Listener {self.address}>"


def _port(port: int) -> int:
    if not 0 <= port <= 65535:
        raise ValueError(f"{port} is no port")
    return port


def tcp_connect(
    host: str, port: int, *, options: StreamOptions | None = None, loop: Loop | None = None
) -> Signal[Stream]:
    """Connects to a TCP server: a stream, for each subscription. ``host`` is an address or a name,
    whose addresses are tried in turn. The error is that of the last one. A disposal gives up."""
    return Signal._of(
        lib.belay_tcp_connect(loop_of(loop), encoded(host), _port(port), _options(options))
    )


def unix_connect(
    path: str | os.PathLike[str], *, options: StreamOptions | None = None,
    loop: Loop | None = None,
) -> Signal[Stream]:  # fmt: skip
    """Connects to a Unix socket in the same way."""
    return Signal._of(
        lib.belay_unix_connect(loop_of(loop), encoded_path(path), _options(options))
    )


def tcp_listen(
    host: str | None = None, port: int = 0, *, options: StreamOptions | None = None,
    loop: Loop | None = None,
) -> Listener:  # fmt: skip
    """Listens at a TCP address, at once: what connects waits in the system until somebody subscribes
    to `Listener.connections`. ``host`` is an address, and no name; None: every address of this
    machine. With ``port`` 0 the system chooses one, which `Listener.port` tells. Raises a BelayError
    of libuv's code, such as EADDRINUSE."""
    address = NULL if host is None else encoded(host)
    made = lib.belay_tcp_listen(loop_of(loop), address, _port(port), _options(options))
    return Listener._of(made)


def unix_listen(
    path: str | os.PathLike[str], *, options: StreamOptions | None = None,
    loop: Loop | None = None,
) -> Listener:  # fmt: skip
    """Listens at a Unix socket, whose file it makes. A file that nobody listens at is replaced. The
    close removes the file if it is still the same one."""
    return Listener._of(
        lib.belay_unix_listen(loop_of(loop), encoded_path(path), _options(options))
    )


def stream_open(
    fd: int, *, options: StreamOptions | None = None, loop: Loop | None = None
) -> Stream:
    """Makes a stream of a descriptor: a socket, a pipe or a terminal. Takes the descriptor over, also
    when it fails, and closes it with the stream; 0, 1 and 2 are never closed. It stays the caller's
    with EWRONGTHREAD, ECLOSED, EEXIST (the loop has it already) and a TypeError. Raises a
    BelayError: EPERM for what cannot be waited for, such as a file on a disk, also as stdin
    (``prog <file``), which ``file_lines("/dev/stdin")`` reads."""
    return Stream._of(lib.belay_stream_open(loop_of(loop), fd, _options(options)))


def stream_open_path(
    path: str | os.PathLike[str], *, read: bool = True, write: bool = False,
    options: StreamOptions | None = None, loop: Loop | None = None,
) -> Stream:  # fmt: skip
    """Opens a FIFO, a terminal or another device, without waiting. A FIFO that is read sends nothing
    until somebody writes, and completes when the last writer has gone; for writing alone it needs a
    reader (the error ENXIO)."""
    flags = lib.BELAY_STREAM_READ * read | lib.BELAY_STREAM_WRITE * write
    return Stream._of(
        lib.belay_stream_open_path(loop_of(loop), encoded_path(path), flags, _options(options))
    )
