#!/usr/bin/env python3
"""emit_path_qemu.py PROGRAM [OUTLINED]: what emit_path_trace does on x86-64, for ARM64 under qemu. qemu tells its
debugger, which this is, each instruction of an emission: no exclusive access, no atomic read-modify-write, no fence, no
system call, no call of a lock or of the allocator, and none of what the machine outliner has cut out.

PROGRAM is emit_path_trace for ARM64. It prints where things are and stops at a mark before and after each emission.
OUTLINED is a file of hexadecimal offsets in the library. EMULATOR: qemu-aarch64-static.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MARK = 0xD4200000  # brk #0
PC = 32
MOST = 20  # failures


def verdict(code: int) -> str | None:
    """What is wrong with an instruction, or None. ("Loads and Stores", "Barriers" of Arm's manual.)"""
    if code & 0x3F800000 == 0x08000000:
        return "an exclusive access, or a casp"
    if code & 0x3FA00000 == 0x08A00000:
        return "a compare-and-swap"
    # Bits 15 to 12 of ldapr, which only loads, are 1100.
    if code & 0x3B200C00 == 0x38200000 and code >> 12 & 15 <= 8:
        return "an atomic read-modify-write"
    if code & 0xFFFFF01F == 0xD503301F and code >> 5 & 7 >= 4:
        return "a fence"
    if code & 0xFFE0001F == 0xD4000001:
        return "a system call"
    return None


# As GNU's assembler writes them. The verdicts are worth something only if they find what they look for.
WRONG = {
    "ldxr x1, [x0]": 0xC85F7C01, "ldaxr w1, [x0]": 0x885FFC01, "stxr w2, x1, [x0]": 0xC8027C01,
    "stlxrb w2, w1, [x0]": 0x0802FC01, "ldxp x1, x2, [x0]": 0xC87F0801, "casp x2, x3, x4, x5, [x0]": 0x48227C04,
    "casal x1, x2, [x0]": 0xC8E1FC02, "ldadd w1, w2, [x0]": 0xB8210002, "swpal x1, x2, [x0]": 0xF8E18002,
    "stset x1, [x0]": 0xF821301F, "dmb ish": 0xD5033BBF, "dmb ishld": 0xD50339BF, "dsb sy": 0xD5033F9F,
    "isb": 0xD5033FDF, "svc #0": 0xD4000001,
}  # fmt: skip
RIGHT = {
    "ldar x1, [x0]": 0xC8DFFC01, "stlr x1, [x0]": 0xC89FFC01, "ldapr x1, [x0]": 0xF8BFC001, "ldr x1, [x0]": 0xF9400001,
    "str x1, [x0, x2]": 0xF8226801, "stp x1, x2, [x0]": 0xA9000801, "ldr x1, [x0, #8]!": 0xF8408C01,
    "nop": 0xD503201F, "yield": 0xD503203F, "clrex": 0xD5033F5F, "bl .": 0x94000000,
    "mrs x1, tpidr_el0": 0xD53BD041,
}  # fmt: skip


class Debugged:
    """A program under qemu, by the remote protocol of gdb."""

    def __init__(self, emulator: str, program: str) -> None:
        self.directory = tempfile.TemporaryDirectory()
        path = str(Path(self.directory.name) / "gdb")
        self.process = subprocess.Popen(
            [emulator, "-g", path, program], stdout=subprocess.PIPE, text=True
        )
        self.connection = socket.socket(socket.AF_UNIX)
        while True:
            try:
                self.connection.connect(path)
                break
            except OSError:
                if self.process.poll() is not None:
                    raise SystemExit(f"FAILED: {emulator} has ended") from None
                time.sleep(0.01)
        self.rest = b""

    def close(self) -> None:
        self.process.kill()
        self.process.wait()

    def ask(self, command: str) -> str:
        body = command.encode()
        self.connection.sendall(b"$%s#%02x" % (body, sum(body) & 0xFF))
        while True:
            self.rest = self.rest.lstrip(b"+")
            body, hash_, after = self.rest.partition(b"#")
            if hash_ and len(after) >= 2:
                self.rest = after[2:]
                self.connection.sendall(b"+")
                return body.lstrip(b"$").decode()
            if not (more := self.connection.recv(65536)):
                raise SystemExit(f"FAILED: the program has ended at {command}")
            self.rest += more

    def number(self, command: str) -> int:
        return int.from_bytes(bytes.fromhex(self.ask(command)), "little")

    def pc(self) -> int:
        return self.number(f"p{PC:x}")

    def code(self, address: int) -> int:
        return self.number(f"m{address:x},4")

    def skip(self) -> None:
        """Goes behind the mark."""
        answer = self.ask(f"P{PC:x}={(self.pc() + 4).to_bytes(8, 'little').hex()}")
        if answer != "OK":
            raise SystemExit(f"FAILED: the program counter cannot be set: {answer}")

    def run_to_mark(self) -> None:
        stop = self.ask("c")
        if not stop.startswith("T05") or self.code(self.pc()) != MARK:
            raise SystemExit(f"FAILED: the program stopped at no mark: {stop}")
        self.skip()


def main() -> int:
    wrong = [each for each, code in WRONG.items() if not verdict(code)]
    wrong += [each for each, code in RIGHT.items() if verdict(code)]
    if wrong:
        raise SystemExit(f"FAILED: wrong verdicts: {', '.join(wrong)}")
    debugged = Debugged(os.environ.get("EMULATOR", "qemu-aarch64-static"), sys.argv[1])
    try:
        return look(debugged)
    finally:
        debugged.close()


def look(debugged: Debugged) -> int:
    if not debugged.ask("?").startswith("T05"):
        raise SystemExit("FAILED: the program does not wait for its debugger")
    # qemu answers nothing about single registers before it was asked which there are.
    debugged.ask("qXfer:features:read:target.xml:0,ff0")
    debugged.run_to_mark()  # It has told where things are.
    forbidden, shapes, base = {}, [], 0
    assert debugged.process.stdout
    for line in debugged.process.stdout:
        kind, _, told = line.rstrip("\n").partition(" ")
        if kind == "end":
            break
        if kind == "skipped:":
            print(line, end="")
            return 0
        if kind == "forbidden":
            address, _, name = told.partition(" ")
            forbidden[int(address, 16)] = name
        elif kind == "library":
            base = int(told, 16)
        elif kind == "shape":
            shapes.append(told)
    outlined = set()
    if len(sys.argv) > 2:
        outlined = {base + int(each, 16) for each in Path(sys.argv[2]).read_text().split()}
    failures = 0

    def fail(shape: str, address: int, what: str) -> None:
        nonlocal failures
        failures += 1
        place = f"libbelay+{address - base:#x}" if base <= address < base + (1 << 20) else f"{address:#x}"
        print(f"FAILED {shape}: {what} at {place}")
        # Between two steps an exclusive access is lost, so what tries it again never ends.
        if failures == MOST:
            raise SystemExit("FAILED: more is not looked for")

    if not base or len(forbidden) < 10 or not shapes:
        raise SystemExit("FAILED: the program has not told where things are")
    for shape in shapes:
        debugged.run_to_mark()
        steps, before = 0, 0
        while (code := debugged.code(address := debugged.pc())) != MARK:
            if what := verdict(code) or forbidden.get(address):
                fail(shape, address, what)
            # Who calls it is to blame.
            if address in outlined:
                fail(shape, before, "a call of an outlined function")
            before = address
            steps += 1
            if not (stop := debugged.ask("s")).startswith("T05"):
                raise SystemExit(f"FAILED {shape}: the program stopped: {stop}")
        debugged.skip()
        print(f"{shape}: {steps} instructions")
        if steps < 10:
            fail(shape, debugged.pc(), "hardly anything ran")
    if (end := debugged.ask("c")) != "W00":
        raise SystemExit(f"FAILED: the program ended so: {end}")
    print("FAILED" if failures else "passed")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
