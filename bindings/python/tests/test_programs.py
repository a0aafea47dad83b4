"""Whole programs that once hung, lost values or left something alive, as a user would write them.
Each stays as it was found but for its output."""

import asyncio
import builtins
import subprocess
import sys
import threading
import unittest
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import libbelay
from libbelay import (
    Loop, ShareRules, Signal, Subject, Subscriber, VirtualScheduler, Worker, create, immediate, it,
    merge, never, of, throw,
)  # fmt: skip
from libbelay.testing import MarbleTest
from support import Case, told

LIMIT = 20  # seconds, which are never reached


def in_asyncio(main: Callable[[], Awaitable[Any]]) -> Any:
    async def limited() -> Any:
        return await asyncio.wait_for(main(), LIMIT)

    return asyncio.run(limited())


class Threads(Case):
    def test_an_await_of_what_a_thread_sends(self) -> None:
        for asks_for_the_loop in (False, True):

            async def main(asks: bool = asks_for_the_loop) -> list[int]:
                if asks:
                    Loop.current()
                subject: Subject[int] = Subject(shared=True)

                def work() -> None:
                    subject.on_next(1)
                    subject.on_completed()

                thread = threading.Timer(0.05, work)
                thread.start()
                heard = await subject.collect()
                thread.join()
                return heard

            with self.subTest(asks_for_the_loop=asks_for_the_loop):
                self.assertEqual(in_asyncio(main), [1])

    def test_an_async_for_of_what_a_plain_thread_sends(self) -> None:
        async def main() -> list[Any]:
            subject: Subject[int] = Subject(shared=True)
            here, heard = threading.get_ident(), list[Any]()
            is_heard = threading.Semaphore(0)

            def work() -> None:
                for i in builtins.range(5):
                    # One value while the loop waits for it, and several while it is busy.
                    subject.on_next(10 * i)
                    subject.on_next(10 * i + 1)
                    is_heard.acquire(timeout=LIMIT)
                subject.on_completed()

            thread: threading.Thread | None = None
            values = aiter(subject)
            # The first __anext__ subscribes, and nothing has been sent by then.
            first = asyncio.ensure_future(anext(values))
            await asyncio.sleep(0)
            thread = threading.Thread(target=work)
            thread.start()
            heard.append((await first, threading.get_ident() == here))
            async for value in values:
                heard.append((value, threading.get_ident() == here))
                if value % 10:
                    is_heard.release()
            thread.join()
            return heard

        heard = [(10 * i + j, True) for i in builtins.range(5) for j in (0, 1)]
        self.assertEqual(in_asyncio(main), heard)

    def test_an_async_for_of_a_threads_error_and_of_many_values(self) -> None:
        def sent() -> tuple[AsyncIterator[int], threading.Thread]:
            subject: Subject[int] = Subject(shared=True)

            def work() -> None:
                for i in builtins.range(10_000):
                    subject.send_wait(i)
                subject.on_error(KeyError("the thread's"))

            return aiter(subject.values(capacity=None)), threading.Thread(target=work)

        async def main() -> tuple[int, str]:
            values, thread = sent()
            first = asyncio.ensure_future(anext(values))
            await asyncio.sleep(0)
            thread.start()
            total = await first
            try:
                async for value in values:
                    total += value
            except KeyError as error:
                return total, str(error)
            finally:
                thread.join()
            return total, "no error"

        self.assertEqual(in_asyncio(main), (sum(builtins.range(10_000)), "\"the thread's\""))

    def test_a_worker_s_values(self) -> None:
        async def main() -> list[tuple[int, bool]]:
            here = threading.get_ident()
            with Worker() as worker:
                elsewhere = of(1, 2).observe_on(worker.scheduler)
                return await elsewhere.map(lambda v: (v, threading.get_ident() == here)).collect()

        self.assertEqual(in_asyncio(main), [(1, False), (2, False)])

    def test_a_subscription_to_a_producer_with_a_thread(self) -> None:
        async def main() -> list[Any]:
            heard, here, threads = list[Any](), threading.get_ident(), list[threading.Thread]()

            def producer(subscriber: Subscriber[int]) -> None:
                def work() -> None:
                    for i in builtins.range(3):
                        subscriber.on_next(i)
                    subscriber.on_completed()

                threads.append(threading.Thread(target=work))
                threads[0].start()

            done = asyncio.Event()
            create(producer).subscribe(
                lambda v: heard.append((v, threading.get_ident() == here)), heard.append, done.set
            )
            await done.wait()
            threads.pop().join()
            return heard

        self.assertEqual(in_asyncio(main), [(0, True), (1, True), (2, True)])

    def test_an_event_of_asyncios_set_by_a_shared_subjects_end(self) -> None:
        async def main() -> list[int]:
            subject, done, heard = Subject[int](shared=True), asyncio.Event(), list[int]()
            subject.take(1).subscribe(heard.append, None, done.set)
            timer = threading.Timer(0.05, subject.on_next, [1])
            timer.start()
            await done.wait()
            timer.join()
            return heard

        self.assertEqual(in_asyncio(main), [1])

    def merged(self, count: int) -> list[Any]:
        """What is heard of two merged shared subjects of which a thread sends so many values."""
        lost, misuses = libbelay.lost_count(), libbelay.misuse_count()
        a, b = Subject[int](shared=True), Subject[int](shared=True)
        heard, loop = list[Any](), Loop.current()
        merge(a, b).subscribe(heard.append, heard.append, lambda: heard.append("|"))
        a.on_next(-1)

        def work() -> None:
            for i in builtins.range(count):
                a.on_next(i)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        a.on_next(-2)
        a.on_completed()
        b.on_completed()
        # In as many turns as it takes.
        while loop is not None and loop.turn():
            pass
        self.assertEqual((libbelay.lost_count(), libbelay.misuse_count()), (lost, misuses))
        return heard

    def test_merged_shared_subjects_lose_nothing(self) -> None:
        self.assertEqual(self.merged(5000), [-1, *builtins.range(5000), -2, "|"])
        with Loop():
            self.assertEqual(self.merged(1000), [-1, *builtins.range(1000), -2, "|"])
        # The loop did not run meanwhile: it says that its queue is full.
        with Loop():
            *heard, error = self.merged(5000)
        self.assertEqual(heard, [-1, *builtins.range(1024)])
        self.assertIsInstance(error, libbelay.BelayError)
        self.assertIn("EAGAIN", str(error))
        with Loop(capacity=10_000):
            self.assertEqual(self.merged(5000), [-1, *builtins.range(5000), -2, "|"])


class Values(Case):
    def test_an_exception_that_was_a_value(self) -> None:
        class Boom(Exception):
            pass

        events = throw(Boom("x")).materialize()
        (kind, error), end = told(events)
        self.assertEqual((kind, repr(error), end), (1, "Boom('x')", "|"))
        for each in (events, events.map(lambda v: v)):
            self.assertEqual(told(each.dematerialize()), ["Boom: x"])
        self.assertEqual(told(of([0, 1], [1, Boom("y")]).dematerialize()), [1, "Boom: y"])
        self.assertEqual(told(of([0, 1], [2]).dematerialize()), [1, "|"])

    def test_marbles_that_went_through_python(self) -> None:
        numbers, letters = "-1-2-3-|", "-a-b-|"
        rows: list[tuple[str, Callable[[Signal[Any]], Signal[Any]], str, dict[str, Any]]] = [
            (numbers, lambda s: s, numbers, {}),
            (numbers, lambda s: s.map(lambda v: v), numbers, {}),
            (numbers, lambda s: s.map(lambda v: v * 2), "-2-4-6-|", {}),
            (numbers, lambda s: s.map(it * 2), "-2-4-6-|", {}),
            (numbers, lambda s: s.map(int), numbers, {}),
            (letters, lambda s: s.map(str.upper), "-A-B-|", {}),
            ("-a-|", lambda s: s.map(lambda v: v + 1), "-b-|", {"a": 10, "b": 11}),
            ("-a-|", lambda s: s.map(lambda v: v["x"]), "-b-|", {"a": {"x": 1}, "b": 1}),
            ("-a-|", lambda s: s.map(lambda v: (v, v)), "-b-|", {"a": 1, "b": (1, 1)}),
            (numbers, lambda s: s.scan(lambda a, v: a + v, 0), "-1-3-6-|", {}),
            (numbers, lambda s: s.count(), "-------(3|)", {}),
            (numbers, lambda s: s.count(), "-------(a|)", {"a": 3}),
            (numbers, lambda s: s.collect(), "-------(a|)", {"a": [1, 2, 3]}),
            (numbers, lambda s: s.buffer(2), "---a---(b|)", {"a": [1, 2], "b": [3]}),
            ("-x-y-z-|", lambda s: s.buffer(2), "---a---(b|)",
             {"a": [1, 2], "b": [3], "x": 1, "y": 2, "z": 3}),
            (numbers, lambda s: s.count(), "-------(3|)", {"3": 3}),
        ]  # fmt: skip
        for row, (source, apply, expected, meanings) in enumerate(rows):
            with self.subTest(row=row), MarbleTest() as test:
                test.define(**meanings)
                test.expect(apply(test.hot(source)), expected)


def send(subject: Subject[int], in_a_batch: bool) -> None:
    if in_a_batch:
        subject.on_next_batch([1, 2, 3])
    else:
        for value in (1, 2, 3):
            subject.on_next(value)


class Batches(Case):
    def windows(self, made: Signal[Signal[int]], send: Callable[[], object] = bool) -> list[Any]:
        heard: list[Any] = []

        def window(each: Signal[int]) -> None:
            heard.append("w")
            each.subscribe(heard.append, None, lambda: heard.append("|"))

        with made.subscribe(window):
            send()
        return heard

    def test_windows(self) -> None:
        whole = ["w", 1, 2, "|", "w", 3, "|"]
        self.assertEqual(self.windows(of(1, 2, 3).window(2)), whole)
        self.assertEqual(self.windows(of(1, 2, 3).window(2).take_until(never())), whole)
        for in_a_batch in (False, True):
            subject = Subject[int]()
            heard = self.windows(subject.window(2), partial(send, subject, in_a_batch))
            self.assertEqual(heard, whole[:-1])
        clock, subject = VirtualScheduler(), Subject[int]()

        def in_time() -> None:
            subject.on_next_batch([1, 2, 3])
            clock.advance(5)

        heard = self.windows(subject.window_time(2, None, clock), in_time)
        self.assertEqual(heard, ["w", 1, 2, 3, "|", "w", "|", "w"])
        with self.assertRaises(libbelay.BelayError):  # the program gave 0 for no limit
            subject.window_time(2, 0, clock)
        self.assertEqual(self.windows(of(1, 2, 3).window_time(2, 2, clock)), whole)
        subject = Subject[int]()
        toggled = subject.window_toggle(subject, lambda v: never())
        heard = self.windows(toggled, partial(send, subject, True))
        singly = Subject[int]()
        toggled = singly.window_toggle(singly, lambda v: never())
        self.assertEqual(heard, self.windows(toggled, partial(send, singly, False)))
        groups = of(1, 2, 3).group_by(lambda v: v % 2)
        self.assertEqual(self.windows(groups), ["w", 1, "w", 2, 3, "|", "|"])
        order: list[Any] = []

        def note(window: Signal[int]) -> Signal[int]:
            order.append("map")
            return window

        of(1, 2, 3).window(2).map(note).subscribe(lambda w: w.subscribe(order.append))
        self.assertEqual(order, ["map", 1, 2, "map", 3])
        self.assertEqual(told(of(1, 2, 3).window(2).flat_map(lambda w: w.collect())), [[1, 2], [3], "|"])

    def test_observing_at_once(self) -> None:
        at_once = [("in", 1), ("out", 1), ("in", 2), ("out", 2), ("in", 3), ("out", 3)]
        onwards: list[Callable[[Signal[int]], Signal[int]]] = [
            lambda s: s, lambda s: s.observe_on(immediate()),
            lambda s: s.observe_on(immediate()).take_until(never()),
        ]  # fmt: skip
        for onward in onwards:
            heard: list[Any] = []

            def just_of(value: int, heard: list[Any] = heard) -> Signal[int]:
                heard.append(("in", value))
                return libbelay.just(value)

            onward(of(1, 2, 3).flat_map(just_of)).map(lambda v: ("out", v)).subscribe(heard.append)
            self.assertEqual(heard, at_once)

    def test_groups_observed_at_once(self) -> None:
        def odd(value: int) -> int:
            return value % 2

        on = immediate()
        onwards: list[Callable[[Signal[int]], Signal[Signal[int]]]] = [
            lambda s: s.observe_on(on).group_by(odd).observe_on(on),
            lambda s: s.observe_on(on).group_by(odd).observe_on(on).take_until(never()),
            lambda s: s.group_by(odd).observe_on(on), lambda s: s.group_by(odd),
        ]  # fmt: skip
        for onward in onwards:
            for in_a_batch in (False, True):
                subject = Subject[int]()

                def send_all(subject: Subject[int] = subject, batch: bool = in_a_batch) -> None:
                    send(subject, batch)
                    subject.on_completed()

                heard = self.windows(onward(subject), send_all)
                self.assertEqual(heard, ["w", 1, "w", 2, 3, "|", "|"])


RULES = ShareRules.KEEP_COMPLETED | ShareRules.KEEP_CONNECTION


def connected(signal: Signal[int]) -> Signal[int]:
    hub = signal.publish()
    hub.connect()
    return hub


#: What is made of a signal whose producer is gone, and whether it then has a source that never ends,
#: to which a thread without a loop stays connected for ever.
CONNECTIONS: dict[str, tuple[Callable[[Signal[int]], Signal[Any]], bool]] = {
    "share_replay": (lambda s: s.share_replay(1, None, None, RULES), False),
    "race, share_replay": (lambda s: s.race(never()).share_replay(1, None, None, RULES), True),
    "race, share_replay, race": (
        lambda s: s.race(never()).share_replay(1, None, None, RULES).race(never()), True),
    "never, share_replay": (lambda s: never().share_replay(1, None, None, RULES), True),
    "never, share": (lambda s: never().share(RULES), True),
    "merge, share": (lambda s: s.merge(never()).share(RULES), True),
    "race, share": (lambda s: s.race(never()).share(RULES), True),
    "combine_latest, share": (lambda s: libbelay.combine_latest(s, never()).share(RULES), False),
    "map, share": (lambda s: s.map(lambda v: v).share(RULES), False),
    "publish": (connected, False),
    "race, publish": (lambda s: connected(s.race(never())), True),
    "merge, publish": (lambda s: connected(s.merge(never())), True),
}  # fmt: skip


class KeptConnections(Case):
    def hear_and_leave(self, make: Callable[[Signal[int]], Signal[Any]]) -> None:
        kept: list[Subscriber[int]] = []
        shared = make(create(kept.append))
        for each in [shared.subscribe() for _ in builtins.range(3)]:
            each.dispose()
        kept.clear()

    def test_with_a_loop(self) -> None:
        for name, (make, _) in CONNECTIONS.items():
            with self.subTest(name):
                with Loop():
                    self.hear_and_leave(make)
                self.assertEqual(libbelay.live_counts(), self.before)

    def test_on_a_thread_without_a_loop(self) -> None:
        # In a process of its own, for these connections stay.
        done = subprocess.run(
            [sys.executable, "-c", "import test_programs; test_programs.connect_without_a_loop()"],
            cwd=Path(__file__).parent, capture_output=True, text=True,
        )  # fmt: skip
        self.assertEqual((done.stdout, done.stderr), ("", ""))


def connect_without_a_loop() -> None:
    for name, (make, is_endless) in CONNECTIONS.items():
        before = libbelay.live_counts()
        KeptConnections().hear_and_leave(make)
        after = libbelay.live_counts()
        left = {key: count - before[key] for key, count in after.items() if count != before[key]}
        if left != ({"subscriptions": 1, "signals": 1} if is_endless else {}):
            print(name, left)


if __name__ == "__main__":
    unittest.main()
