"""The end of the interpreter, with things alive: no crash, no wait, and nothing on stderr but what is
ended and lost with a loop."""

import re
import subprocess
import sys
import textwrap
import unittest

PROGRAMS = {
    "live subscriptions": """
        subject = Subject()
        subject.map(lambda v: v).skip(1).subscribe(print, print)
        kept = subject.subscribe(print, owner=(owner := libbelay.Owner()))
    """,
    "a loop with timers": """
        loop = Loop()
        libbelay.interval(0.001).subscribe(lambda v: None)
        loop.scheduler.after(0.01, loop.stop)
        loop.run()
    """,
    "workers at work": """
        workers = [Worker() for _ in range(3)]
        for worker in workers:
            worker.scheduler.recursive(lambda recursion: (sum(range(50)), recursion.again()))
            worker.scheduler.every(0.0001, lambda: sum(range(100)))
            numbers = libbelay.interval(0.0001, worker.scheduler).map(lambda v: v + 1)
            worker.scheduler.schedule(lambda it=numbers: it.subscribe(lambda v: None) and None)
        time.sleep(0.05)
    """,
    "a worker that nobody ended": """
        Worker().scheduler
        keep = Worker()
        keep.scheduler.schedule(lambda: time.sleep(0.05))
    """,
    "a pool at work": """
        loop = Loop()
        pool = libbelay.PoolScheduler(loop)
        for _ in range(8):
            pool.schedule(lambda: time.sleep(0.02))
        loop.turn()
    """,
    "threads that send": """
        subject = Subject(shared=True)
        subject.subscribe(lambda v: None)
        def send():
            while True:
                subject.on_next(1)
        threading.Thread(target=send, daemon=True).start()
        time.sleep(0.02)
    """,
    "objects in values and owners": """
        class Thing: pass
        things = [Thing() for _ in range(3)]
        behavior = libbelay.BehaviorSubject(things)
        for thing in things:
            libbelay.owner_of(thing).add(lambda: print("end"))
        thing.cycle = thing, behavior
        builtins_kept = sys.modules.setdefault("kept", behavior)
    """,
    "asyncio": """
        async def main():
            async for v in libbelay.interval(0.001):
                if v == 3:
                    break
            libbelay.interval(0.001).subscribe(lambda v: None)
        asyncio.run(main())
    """,
    "an error stays in a subject": """
        subject = Subject()
        try:
            1 / 0
        except ZeroDivisionError as error:
            subject.on_error(error)
    """,
    "a child that forks before there is a loop has one of its own": """
        import os
        from libbelay import timer
        child = os.fork()
        seen = []
        with Loop() as loop:
            timer(0.001).subscribe(seen.append)
            loop.run()
        if child == 0:
            os._exit(0 if seen == [0] else 1)
        assert os.waitpid(child, 0)[1] == 0 and seen == [0]
    """,
    "a child that forks from a live loop ends or becomes another program": """
        import os
        from libbelay import timer
        def ended(child):
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with Loop() as loop:
            seen = []
            timer(0.05).subscribe(seen.append)
            if (child := os.fork()) == 0:
                os._exit(7)
            assert ended(child) == 7
            if (child := os.fork()) == 0:
                os.execv(sys.executable, [sys.executable, "-c", "from libbelay import of; of(1).subscribe()"])
            assert ended(child) == 0
            loop.run()
            assert seen == [0]
    """,
}
HEAD = """\
import asyncio, sys, threading, time
import libbelay
from libbelay import Loop, Subject, Worker
"""


class Exit(unittest.TestCase):
    def run_program(self, program: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-X", "dev", "-c", HEAD + textwrap.dedent(program)],
            capture_output=True, text=True, timeout=30,
        )  # fmt: skip


def _add(name: str, program: str) -> None:
    def test(self: Exit) -> None:
        for _ in range(3):
            done = self.run_program(program)
            # A loop names the timers that it ends, and the first of the work that waits still.
            ended = r"closing loop at <string>:\d+: still alive: timer"
            said = re.sub(rf"belay: ({ended}|lost on the way to .*)\n", "", done.stderr)
            self.assertEqual((done.returncode, said), (0, ""))

    setattr(Exit, "test_" + name.replace(" ", "_"), test)


for _name, _program in PROGRAMS.items():
    _add(_name, _program)


if __name__ == "__main__":
    unittest.main()
