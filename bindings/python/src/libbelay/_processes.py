"""Processes as signals."""

from __future__ import annotations

import enum
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from typing import IO, Any, NamedTuple, TypeAlias

from ._core import NULL, Seconds, encoded_path, seconds
from ._creating import defer
from ._loops import Loop
from ._native import ffi, lib
from ._signals import Signal
from ._sources import loop_of
from ._streams import Stream

#: The standard input, output or error of a child: ``subprocess.PIPE``, whose other end is a stream;
#: ``subprocess.DEVNULL``; None for that of this process; a descriptor above 0, or an open file, of
#: which it gets a copy.
Stdio: TypeAlias = int | IO[Any] | None


class ProcessDisposal(enum.IntEnum):
    """The treatment of a child whose subscription ends while the child runs."""

    #: It gets SIGTERM, and SIGKILL after ``grace``.
    TERMINATE = lib.BELAY_PROCESS_TERMINATE
    #: It gets SIGKILL.
    KILL = lib.BELAY_PROCESS_KILL
    #: It goes on.
    LEAVE = lib.BELAY_PROCESS_LEAVE


class ProcessExited(NamedTuple):
    """A process has ended."""

    #: Its exit status.
    status: int
    #: The signal that ended it, or 0.
    signal: int


class ProcessStarted:
    """A process runs."""

    __slots__ = ("pid", "stdin", "stdout", "stderr", "_has_exited")

    #: Its number.
    pid: int
    #: Where its input is written; None if that is no pipe. Its close ends the input: await what is
    #: written before. A stream that nobody holds is closed.
    stdin: Stream | None
    #: Where its output is read; None if that is no pipe.
    stdout: Stream | None
    #: Where its error is read; None if that is no pipe.
    stderr: Stream | None
    _has_exited: bool

    def __init__(
        self, pid: int, stdin: Stream | None, stdout: Stream | None, stderr: Stream | None
    ) -> None:
        self.pid, self.stdin, self.stdout, self.stderr = pid, stdin, stdout, stderr
        self._has_exited = False

    def kill(self, number: int = signal.SIGTERM) -> None:
        """Sends it a POSIX signal. Raises a ProcessLookupError after its `ProcessExited`."""
        if self._has_exited:
            raise ProcessLookupError(f"process {self.pid} has ended")
        os.kill(self.pid, number)

    def __repr__(self) -> str:
        return f"<ProcessStarted {self.pid}>"


def _text(given: str | bytes | os.PathLike[str]) -> Any:
    return ffi.new("char[]", encoded_path(given))


def _array(texts: list[Any]) -> Any:
    return ffi.new("char *[]", [*texts, NULL])


def _stdio(given: Stdio) -> int:
    if given is None:
        return int(lib.BELAY_STDIO_INHERIT)
    if given == subprocess.PIPE:
        return int(lib.BELAY_STDIO_PIPE)
    if given == subprocess.DEVNULL:
        return int(lib.BELAY_STDIO_IGNORE)
    number = given if isinstance(given, int) else given.fileno()
    if number <= 0:
        raise ValueError(f"{given!r} is neither PIPE, DEVNULL, None nor a descriptor above 0")
    return number


def _event(items: list[Any], running: list[ProcessStarted]) -> ProcessStarted | ProcessExited:
    if len(items) == 4:
        running.append(ProcessStarted(*items))
        return running[0]
    running.pop()._has_exited = True
    return ProcessExited(*items)


def process(
    args: Sequence[str | bytes | os.PathLike[str]], *, env: Mapping[str, str] | None = None,
    cwd: str | os.PathLike[str] | None = None, stdin: Stdio = subprocess.DEVNULL,
    stdout: Stdio = None, stderr: Stdio = None, detached: bool = False, user: int | None = None,
    group: int | None = None, disposal: ProcessDisposal = ProcessDisposal.TERMINATE,
    grace: Seconds | None = 5, loop: Loop | None = None,
) -> Signal[ProcessStarted | ProcessExited]:  # fmt: skip
    """Starts a process for each subscription: a `ProcessStarted`, a `ProcessExited`, the completion.
    Streams end for themselves, also later. ``args`` are the program, which is looked for in PATH, and
    its arguments. ``env`` takes the place of this process's environment. A ``detached`` one leads a
    session and a process group.

    A subscription that ends before the process does with it what ``disposal`` says, and so does the
    close of the loop; ``grace`` is the time from SIGTERM to SIGKILL, None for no SIGKILL. It leaves
    no zombie, unless the system gives no thread and the child may live on. The program must not
    wait for children that are not its own (``os.wait()``): a process of which it takes the exit status
    is the error ECHILD. A program that cannot be run is an error
    with libuv's code, such as ENOENT, and with its name."""
    if isinstance(args, (str, bytes)):
        raise TypeError("args is a list of the program and its arguments")
    options = ffi.new("belay_process_options *")
    options.size = ffi.sizeof("belay_process_options")
    kept = [_text(each) for each in args]
    arguments = _array(kept)
    options.args = ffi.cast("const char *const *", arguments)
    if env is not None:
        named = [_text(f"{name}={value}") for name, value in env.items()]
        environment = _array(named)
        options.env = ffi.cast("const char *const *", environment)
    if cwd is not None:
        directory = _text(cwd)
        options.cwd = directory
    options.input, options.output, options.error = map(_stdio, (stdin, stdout, stderr))
    options.flags = (
        lib.BELAY_PROCESS_DETACHED * detached | lib.BELAY_PROCESS_SET_UID * (user is not None)
        | lib.BELAY_PROCESS_SET_GID * (group is not None)
    )  # fmt: skip
    options.uid, options.gid = user or 0, group or 0
    options.disposal = disposal
    if grace is not None and seconds(grace) < 0:
        raise ValueError("a grace is not negative; None is no SIGKILL")
    # C takes 0 for the default.
    options.grace = -1 if grace is None else max(seconds(grace), 1e-3)
    source = Signal._of(lib.belay_process(loop_of(loop), options))

    def with_its_state() -> Signal[ProcessStarted | ProcessExited]:
        running: list[ProcessStarted] = []
        return source.map(lambda items: _event(items, running))

    return defer(with_its_state)
