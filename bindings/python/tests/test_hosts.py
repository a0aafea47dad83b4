"""Loops of the program's own, without libuv and without asyncio."""

import importlib.util
import queue
import subprocess
import sys
import threading
import time
import unittest
from collections.abc import Callable
from typing import Any

import libbelay
from libbelay import BelayError, HostScheduler, Subject, Worker, current_scheduler, of, timer
from support import Case

MS = 0.001


class OwnLoop:
    """A queue, and one timer."""

    def __init__(self) -> None:
        self.work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.timer: tuple[float, Callable[[], None]] | None = None
        self.cancelled = 0
        self.asked_for_the_time = 0

    def after(self, seconds: float, work: Callable[[], None]) -> object:
        assert self.timer is None
        self.timer = (time.monotonic() + seconds, work)
        return self.timer

    def cancel(self, timer: object) -> None:
        assert timer is self.timer
        self.timer = None
        self.cancelled += 1

    def now(self) -> float:
        self.asked_for_the_time += 1
        return time.monotonic()

    def scheduler(self, **options: Any) -> HostScheduler:
        return HostScheduler(self.work.put, self.after, self.cancel, self.now, **options)

    def turn(self) -> None:
        """Runs what has come by now, and the timer if it is due."""
        for _ in range(self.work.qsize()):
            self.work.get()()
        if self.timer is not None and self.timer[0] <= time.monotonic():
            (_, work), self.timer = self.timer, None
            work()

    def run_until(self, is_over: Callable[[], bool]) -> None:
        end = time.monotonic() + 20
        while not is_over() and time.monotonic() < end:
            self.turn()
            time.sleep(0)


class Hosts(Case):
    def test_it_is_the_home_of_its_thread(self) -> None:
        own, heard, here = OwnLoop(), list[int](), threading.get_ident()
        with own.scheduler() as scheduler:
            self.assertEqual(current_scheduler(), scheduler)
            with self.assertRaises(BelayError) as caught:
                OwnLoop().scheduler()
            self.assertEqual(caught.exception.name, "EBOUND")
            numbers: Subject[int] = Subject()
            subscription = numbers.subscribe(
                lambda n: heard.append(n if threading.get_ident() == here else -1)
            )
            thread = threading.Thread(target=numbers.on_next_batch, args=[range(100)])
            thread.start()
            thread.join()
            self.assertEqual(heard, [])
            own.turn()
            self.assertEqual(heard, [*range(100)])
            subscription.dispose()
        with self.assertRaises(BelayError):
            scheduler.schedule(print)
        del caught, numbers

    def test_times(self) -> None:
        own, heard = OwnLoop(), list[Any]()
        scheduler = own.scheduler(quiet=True)
        begun = scheduler.now
        hour = scheduler.after(3600, lambda: heard.append("never"))
        timer(MS).subscribe(heard.append, None, lambda: heard.append("|"))
        hour.dispose()
        own.run_until(lambda: len(heard) == 2)
        self.assertEqual(heard, [0, "|"])
        self.assertGreaterEqual(scheduler.now, begun + MS)
        self.assertGreater(own.cancelled, 0)
        self.assertGreater(own.asked_for_the_time, 0)
        scheduler.every(3600, print)
        (left,) = scheduler.close()
        self.assertEqual(left.kind, "timer")
        self.assertIsNone(own.timer)
        with self.assertRaises(BelayError):
            scheduler.close()
        own.turn()

    def test_threads_and_workers_send_at_once(self) -> None:
        own, each_sends, heard = OwnLoop(), 2000, list[tuple[int, int]]()
        with own.scheduler() as scheduler:
            numbers: Subject[tuple[int, int]] = Subject()
            numbers.subscribe(heard.append)
            from_workers = list[int]()

            def send(sender: int) -> None:
                for i in range(each_sends):
                    numbers.send_wait((sender, i))

            threads = [threading.Thread(target=send, args=(i,)) for i in range(4)]
            with Worker() as worker:
                # A thread without the GIL schedules there, too.
                onward = libbelay.range(0, 500).subscribe_on(worker.scheduler)
                onward.observe_on(scheduler).subscribe(from_workers.append)
                for thread in threads:
                    thread.start()
                own.run_until(lambda: len(heard) == 4 * each_sends and len(from_workers) == 500)
                for thread in threads:
                    thread.join()
            self.assertEqual(from_workers, [*range(500)])
            for sender in range(4):
                self.assertEqual([i for s, i in heard if s == sender], [*range(each_sends)])

    def test_work_that_is_dropped_ends_it(self) -> None:
        def never(*given: Any) -> None:
            raise AssertionError("no timers")

        scheduler = HostScheduler(lambda work: None, never, quiet=True)
        scheduler.schedule(never)
        with self.assertRaises(BelayError) as caught:
            scheduler.schedule(never)
        self.assertEqual(caught.exception.name, "ECANCELED")
        scheduler.close()

        def fails(work: Callable[[], None]) -> None:
            raise KeyError("full")

        with HostScheduler(fails, never, quiet=True) as scheduler:
            scheduler.schedule(never)
            # The exception's traceback has the work.
            self.assertEqual([type(error) for error in self.unhandled], [KeyError])
            self.unhandled.clear()
            with self.assertRaises(BelayError):
                scheduler.schedule(never)
        with HostScheduler(queue.SimpleQueue[Any]().put, never, quiet=True) as scheduler:
            scheduler.after(MS, print)
        self.assertEqual([type(error) for error in self.unhandled], [AssertionError])
        self.unhandled.clear()
        del caught

    def test_work_runs_once_and_at_home(self) -> None:
        own, ran = OwnLoop(), list[int]()
        with own.scheduler() as scheduler:
            scheduler.schedule(lambda: ran.append(1))
            work = own.work.get()
            work()
            work()
            self.assertEqual(ran, [1])
        with own.scheduler(quiet=True) as scheduler:
            scheduler.schedule(lambda: ran.append(2))
            thread = threading.Thread(target=own.turn)
            thread.start()
            thread.join()
        with own.scheduler(quiet=True) as scheduler:
            scheduler.schedule(lambda: ran.append(3))
        own.turn()  # after the close
        self.assertEqual(ran, [1])
        del work

    def test_an_exit_in_a_callable_leaves_the_loop(self) -> None:
        own = OwnLoop()
        with own.scheduler() as scheduler:
            of(1).observe_on(scheduler).subscribe(sys.exit, lambda error: None)
            with self.assertRaises(SystemExit):
                own.turn()

    def test_it_waits_for_room(self) -> None:
        own, refused = OwnLoop(), list[str]()
        with own.scheduler(capacity=2, quiet=True):
            numbers: Subject[int] = Subject()

            def send() -> None:
                try:
                    for n in range(3):
                        numbers.on_next(n)
                except queue.Full as error:
                    refused.append(type(error).__name__)

            thread = threading.Thread(target=send)
            thread.start()
            thread.join()
            del numbers
        self.assertEqual(len(refused), 1)

    def test_what_is_not_callable_is_refused(self) -> None:
        for functions in ((1, print), (print, 1), (print, print, 1), (print, print, None, 1)):
            with self.assertRaises(TypeError):
                HostScheduler(*functions)  # pyright: ignore[reportArgumentType]

    def test_it_may_be_left_open_at_the_end(self) -> None:
        program = """
import queue, threading, libbelay
work = queue.SimpleQueue()
scheduler = libbelay.HostScheduler(work.put, lambda seconds, work: work, quiet=True)
subject = libbelay.Subject()
subject.subscribe(print)
thread = threading.Thread(target=subject.on_next, args=[1])
thread.start()
thread.join()
scheduler.after(3600, print)
work.get()()
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "1\n", ""))

    @unittest.skipUnless(importlib.util.find_spec("trio"), "there is no trio")
    def test_trios(self) -> None:
        import trio  # type: ignore[import-not-found,unused-ignore]  # pyright: ignore

        heard = list[Any]()

        async def main() -> None:
            async with trio.open_nursery() as nursery:

                def after(seconds: float, work: Callable[[], None]) -> Any:
                    scope = trio.CancelScope()

                    async def later() -> None:
                        with scope:
                            await trio.sleep(seconds)
                            work()

                    nursery.start_soon(later)
                    return scope

                token, done = trio.lowlevel.current_trio_token(), trio.Event()
                with HostScheduler(
                    token.run_sync_soon, after, trio.CancelScope.cancel, trio.current_time
                ):
                    numbers: Subject[int] = Subject()
                    numbers.map(lambda n: n * 2).subscribe(heard.append)
                    timer(5 * MS).subscribe(on_completed=done.set)
                    await trio.to_thread.run_sync(numbers.on_next, 21)
                    with trio.fail_after(20):
                        await done.wait()

        trio.run(main)
        self.assertEqual(heard, [42])


class Stack(Case):
    def test_the_subscriptions_that_are_running(self) -> None:
        stacks = list[list[str]]()
        inner: Subject[int] = Subject()
        inner.name = "inner"
        with inner.subscribe(lambda v: stacks.append(libbelay.delivery_stack())):
            of(1).subscribe(inner.on_next)
        self.assertEqual(libbelay.delivery_stack(), [])
        (stack,) = stacks
        self.assertEqual(len(stack), 2)
        self.assertIn("inner", stack[0])


if __name__ == "__main__":
    unittest.main()
