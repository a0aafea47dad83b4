"""Processes as signals."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from typing import Any

from libbelay import (
    BelayError, Loop, ProcessDisposal, ProcessExited, ProcessStarted, Stream, process,
)  # fmt: skip
from support import Case, Trace
from test_streams import run

PIPE = subprocess.PIPE


def shell(script: str) -> list[str]:
    return ["/bin/sh", "-c", script]


async def output(child: ProcessStarted) -> list[str]:
    assert child.stdout is not None
    return [line async for line in child.stdout.lines()]


class Processes(Case):
    def test_a_child_whose_output_is_read(self) -> None:
        async def main() -> None:
            lines: list[str] = []
            ends: list[ProcessExited] = []
            async for event in process(shell("echo one; echo two; exit 3"), stdout=PIPE):
                if isinstance(event, ProcessStarted):
                    self.assertIsNone(event.stdin)
                    self.assertIsNone(event.stderr)
                    lines += await output(event)
                else:
                    ends.append(event)
            self.assertEqual((lines, ends), (["one", "two"], [ProcessExited(3, 0)]))

        run(main())

    def test_a_filter(self) -> None:
        async def main() -> None:
            async for event in process(["sort"], stdin=PIPE, stdout=PIPE, stderr=PIPE):
                if isinstance(event, ProcessStarted):
                    assert event.stdin is not None and event.stderr is not None
                    with event.stdin:
                        await event.stdin.write("pear\n")
                        await event.stdin.write(b"apple\n")
                    self.assertEqual(await output(event), ["apple", "pear"])
                    self.assertEqual([each async for each in event.stderr.read()], [])
                else:
                    self.assertEqual(event, ProcessExited(0, 0))

        run(main())

    def test_more_output_than_a_pipe_has_room_for(self) -> None:
        async def main() -> None:
            program = "for i in range(200000): print(i)"
            async for event in process([sys.executable, "-c", program], stdout=PIPE):
                if isinstance(event, ProcessStarted):
                    self.assertEqual(await output(event), [str(i) for i in range(200_000)])
                else:
                    self.assertEqual(event.status, 0)

        run(main())

    def test_its_environment_and_directory(self) -> None:
        async def main() -> None:
            with tempfile.TemporaryDirectory() as directory:
                child = process(
                    shell('echo "$A $HOME"; pwd'), env={"A": "ä"}, cwd=directory, stdout=PIPE
                )
                async for event in child:
                    if isinstance(event, ProcessStarted):
                        lines = await output(event)
                        self.assertEqual(lines, ["ä ", os.path.realpath(directory)])

        run(main())

    def test_killing(self) -> None:
        async def main() -> None:
            started: list[ProcessStarted] = []
            async for event in process(["sleep", "600"]):
                if isinstance(event, ProcessStarted):
                    started.append(event)
                    event.kill(signal.SIGINT)
                else:
                    self.assertEqual(event, ProcessExited(0, signal.SIGINT))
            with self.assertRaisesRegex(ProcessLookupError, "has ended"):
                started[0].kill()

        run(main())

    def test_leaving_ends_it(self) -> None:
        async def main() -> None:
            for disposal, script in (
                (
                    ProcessDisposal.TERMINATE,
                    "trap 'echo bye; exit' TERM; echo on; while :; do sleep 0.01; done",
                ),
                (ProcessDisposal.KILL, "trap '' TERM; echo on; exec sleep 600"),
            ):
                kept: list[Stream] = []
                async for event in process(shell(script), stdout=PIPE, disposal=disposal):
                    assert isinstance(event, ProcessStarted) and event.stdout is not None
                    kept.append(event.stdout)
                    self.assertEqual(await event.stdout.read(), b"on\n")
                    break
                if disposal == ProcessDisposal.TERMINATE:
                    self.assertEqual(await kept[0].read(), b"bye\n")
                else:
                    self.assertEqual([each async for each in kept[0].read()], [])

        run(main())

    def test_one_that_is_left_goes_on(self) -> None:
        async def main() -> None:
            kept: list[Stream] = []
            script = shell("read line; echo $line")
            async for event in process(
                script, stdin=PIPE, stdout=PIPE, disposal=ProcessDisposal.LEAVE
            ):
                assert isinstance(event, ProcessStarted)
                assert event.stdin is not None and event.stdout is not None
                kept += [event.stdin, event.stdout]
                break
            await kept[0].write("still\n")
            self.assertEqual(await kept[1].read(), b"still\n")

        run(main())

    def test_it_ignores_the_first_signal(self) -> None:
        async def main() -> None:
            kept: list[Stream] = []
            async for event in process(
                shell("trap '' TERM; echo on; exec sleep 600"), stdout=PIPE, grace=0
            ):
                assert isinstance(event, ProcessStarted) and event.stdout is not None
                kept.append(event.stdout)
                self.assertEqual(await event.stdout.read(), b"on\n")
                break
            self.assertEqual([each async for each in kept[0].read()], [])

        run(main())

    def test_files_as_its_output(self) -> None:
        with Loop() as loop, tempfile.TemporaryFile() as file:
            trace = Trace()
            child = process(shell("echo out; echo err >&2"), stdout=file, stderr=file.fileno())
            child.subscribe(trace)
            loop.run()
            self.assertEqual(trace[1:], [ProcessExited(0, 0), "|"])
            file.seek(0)
            self.assertEqual(file.read(), b"out\nerr\n")

    def test_each_subscription_starts_one(self) -> None:
        with Loop() as loop:
            child = process(["true"])
            numbers: list[Any] = []
            for _ in range(2):
                child.take(1).subscribe(lambda event: numbers.append(event))
                child.subscribe(lambda event: None)
            loop.run()
            self.assertNotEqual(numbers[0].pid, numbers[1].pid)

    def test_what_cannot_be_run(self) -> None:
        with Loop() as loop:
            with self.assertRaises(BelayError) as caught:
                process(["/no/such/program"]).wait_first(loop, 30)
            self.assertEqual(caught.exception.name, "ENOENT")
            self.assertIn("/no/such/program", str(caught.exception))
            with self.assertRaises(BelayError) as caught:
                process([])
            self.assertEqual(caught.exception.name, "EINVAL")
            cases: list[tuple[Callable[[], object], type[Exception]]] = [
                (lambda: process("ls"), TypeError), (lambda: process(["a\0b"]), ValueError),
                (lambda: process(["ls"], stdout=subprocess.STDOUT), ValueError),
                (lambda: process(["ls"], stdin=0), ValueError),
                (lambda: process(["ls"], grace=-1), ValueError),
            ]  # fmt: skip
            for wrong, kind in cases:
                with self.assertRaises(kind):
                    wrong()


if __name__ == "__main__":
    unittest.main()
