"""Sources: signals of files and of the system."""

from __future__ import annotations

import os
from typing import Any

from ._errors import BelayError
from ._loops import Loop
from ._native import lib
from ._signals import Signal


def _loop(given: Loop | None) -> Any:
    loop = given or Loop.current()
    if loop is None:
        raise BelayError(lib.BELAY_EINVAL, "this thread has no loop: make a Loop, or give one")
    return loop._c


def file_lines(
    path: str | os.PathLike[str], *, follow: bool = False, from_end: bool = False,
    loop: Loop | None = None,
) -> Signal[str]:  # fmt: skip
    """The lines of a file, without their ends; bytes where one is not UTF-8. With ``follow`` it
    goes on as the file grows; ``from_end`` begins with what is appended."""
    flags = lib.BELAY_FILE_FOLLOW * follow | lib.BELAY_FILE_FROM_END * from_end
    return Signal._of(lib.belay_file_lines(_loop(loop), os.fsencode(path), flags))


def posix_signal(number: int, loop: Loop | None = None) -> Signal[int]:
    """The number, each time that the process gets the POSIX signal."""
    return Signal._of(lib.belay_posix_signal(_loop(loop), number))
