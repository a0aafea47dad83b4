"""asyncio, with its own loop or uvloop's: add_reader() of the descriptor. A callback cannot run the loop.

usage: asyncio_host.py GUEST asyncio|uvloop    (GUEST: the guest as a library)
"""

from __future__ import annotations

import ctypes
import importlib
import sys


class HostLoop(ctypes.Structure):
    """host_loop of guest.h."""

    _fields_ = [
        ("ctx", ctypes.c_void_p),
        ("enter", ctypes.c_void_p),
        ("leave", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    ]


def main(library: str, policy: str) -> int:
    guest = ctypes.CDLL(library)
    guest.guest_begin.restype = ctypes.c_void_p
    for each in (guest.guest_fd, guest.guest_turn, guest.guest_end):
        each.argtypes = [ctypes.c_void_p]
    loop = importlib.import_module(policy).new_event_loop()
    host = HostLoop(None, None, type(HostLoop().leave)(lambda ctx: loop.stop()))
    visitor = guest.guest_begin(ctypes.byref(host))
    fd = guest.guest_fd(visitor)
    loop.add_reader(fd, guest.guest_turn, visitor)
    loop.run_forever()
    loop.remove_reader(fd)
    loop.close()
    return guest.guest_end(visitor)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
