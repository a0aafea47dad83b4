"""Coroutines that hear what other threads send; senders that wait; Ctrl-C; owners' own methods."""

import asyncio
import importlib.util
import queue
import signal
import threading
import unittest
import weakref
from collections.abc import Callable
from typing import Any

import libbelay
from libbelay import Loop, Property, ShareRules, Subject, Subscriber, Worker, create, it, of
from support import Case, Trace, Unspeakable


def started(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


class Here:
    """Notes what comes, and on which thread."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.thread = threading.get_ident()
        self.done = asyncio.Event()

    def __call__(self, value: Any) -> None:
        self.heard.append(value if threading.get_ident() == self.thread else "elsewhere")

    def end(self) -> None:
        self("|")
        self.done.set()


class Coroutines(Case):
    """Nobody calls Loop.current() in any of them."""

    factory: Any = None

    def run_in(self, main: Callable[[], Any]) -> None:
        with asyncio.Runner(loop_factory=self.factory) as runner:
            runner.run(asyncio.wait_for(main(), 20))
        self.assertIsNone(Loop.current())

    def test_an_await_is_woken_by_another_thread(self) -> None:
        async def main() -> None:
            subject: Subject[int] = Subject(shared=True)
            go = threading.Event()

            def send() -> None:
                go.wait(20)
                subject.on_next(1)
                subject.on_completed()

            thread = started(send)
            asyncio.get_running_loop().call_later(0.001, go.set)
            self.assertEqual(await subject.collect(), [1])
            thread.join()

        self.run_in(main)

    def test_async_for_and_workers(self) -> None:
        async def main() -> None:
            with Worker() as worker:
                numbers = of(1, 2).observe_on(worker.scheduler).map(lambda v: v * 2)
                self.assertEqual([v async for v in numbers], [2, 4])
                self.assertEqual(await numbers.collect(), [2, 4])

        self.run_in(main)

    def test_a_subscription_hears_a_producers_thread_at_home(self) -> None:
        async def main() -> None:
            threads: list[threading.Thread] = []

            def producer(to: Subscriber[int]) -> None:
                def work() -> None:
                    for i in range(3):
                        to.on_next(i)
                    to.on_completed()

                threads.append(started(work))

            here = Here()
            create(producer).subscribe(here, None, here.end)
            await here.done.wait()
            self.assertEqual(here.heard, [0, 1, 2, "|"])
            threads[0].join()

        self.run_in(main)

    def test_a_shared_subject_a_plain_one_and_a_property(self) -> None:
        async def main() -> None:
            shared: Subject[int] = Subject(shared=True)
            plain: Subject[int] = Subject()
            box = Property(0)
            here = Here()
            joined = libbelay.merge(shared, plain, box.signal.skip(1)).take(3)
            joined.map(lambda v: v).subscribe(here, None, here.end)

            def send() -> None:
                shared.on_next(1)
                plain.on_next(2)
                box.value = 3

            thread = started(send)
            await here.done.wait()
            self.assertEqual(sorted(map(str, here.heard)), ["1", "2", "3", "|"])
            thread.join()

        self.run_in(main)

    def test_what_is_here_comes_at_once(self) -> None:
        async def main() -> None:
            here = Here()
            subscription = of(1, 2).subscribe(here)
            self.assertEqual(here.heard, [1, 2])
            self.assertTrue(subscription.is_disposed)

        self.run_in(main)

    def test_a_disposal_drops_what_is_on_its_way(self) -> None:
        async def main() -> None:
            subject: Subject[int] = Subject(shared=True)
            here = Here()
            with subject.subscribe(here):
                started(lambda: subject.on_next(1)).join()
            await asyncio.sleep(0.001)
            self.assertEqual(here.heard, [])

        self.run_in(main)

    def test_asend_waits_for_room(self) -> None:
        async def main() -> None:
            subject: Subject[int] = Subject()
            here = Here()
            subject.take(3000).subscribe(here, None, here.end)

            def send() -> None:
                async def sending() -> None:
                    for i in range(3000):
                        await subject.asend(i)

                asyncio.run(sending())

            thread = started(send)
            await here.done.wait()
            self.assertEqual(here.heard, [*range(3000), "|"])
            while thread.is_alive():
                await asyncio.sleep(0.001)

        self.run_in(main)

    def test_an_asend_that_is_cancelled_does_not_send(self) -> None:
        subject: Subject[int] = Subject(shared=True, capacity=1)
        heard: list[int] = []
        busy, gate = threading.Event(), threading.Event()

        def hear(value: int) -> None:
            heard.append(value)
            busy.set()
            gate.wait(20)

        async def main() -> None:
            subject.on_next(2)  # one may wait while the first is being delivered
            with self.assertRaises(TimeoutError):
                await asyncio.wait_for(subject.asend(3), 0.02)

        subject.subscribe(hear)
        thread = started(lambda: subject.on_next(1))
        self.assertTrue(busy.wait(20))
        asyncio.run(main())
        gate.set()
        thread.join()
        subject.on_next(4)
        self.assertEqual(heard, [1, 2, 4])

    def test_an_asend_that_is_cancelled_waits_for_no_home(self) -> None:
        """What the subject has taken is lost at the home that has no room."""
        subject: Subject[int] = Subject(shared=True)
        ready, gate = threading.Event(), threading.Event()
        errors: list[BaseException] = []

        async def hear() -> None:
            subject.subscribe(None, errors.append)
            ready.set()
            gate.wait(20)
            while not errors:
                await asyncio.sleep(0.001)

        async def main() -> None:
            subject.on_next_batch(range(1024))
            with self.assertRaises(TimeoutError):
                await asyncio.wait_for(subject.asend(2), 0.02)

        thread = started(lambda: asyncio.run(hear()))
        self.assertTrue(ready.wait(20))
        asyncio.run(main())
        gate.set()
        thread.join()
        self.assertEqual([getattr(error, "name", "") for error in errors], ["EAGAIN"])

    def test_senders_wait_at_a_shared_subject_too(self) -> None:
        async def main() -> None:
            subject: Subject[int] = Subject(shared=True)
            here = Here()
            subject.subscribe(here, here, here.end)

            def send() -> None:
                for i in range(2000):
                    subject.send_wait(i)
                asyncio.run(subject.asend(2000))
                subject.on_completed()

            thread = started(send)
            await here.done.wait()
            self.assertEqual(here.heard, [*range(2001), "|"])
            thread.join()

        self.run_in(main)


@unittest.skipUnless(importlib.util.find_spec("uvloop"), "there is no uvloop")
class UvloopsCoroutines(Coroutines):
    """The same on uvloop, which has a libuv of its own: by the descriptor."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        import uvloop

        # That libuv keeps what its first loop has opened, too.
        uvloop.new_event_loop().close()

    def setUp(self) -> None:
        super().setUp()
        import uvloop

        self.factory = uvloop.new_event_loop


class Senders(Case):
    def test_send_wait_waits_where_on_next_fails(self) -> None:
        with Loop(capacity=4, persistent=True) as loop:
            subject: Subject[int] = Subject(loop=loop)
            heard: list[int] = []
            refused: list[BaseException] = []
            full = threading.Event()
            subject.take(100).subscribe(heard.append, None, loop.stop)

            def send() -> None:
                try:
                    for i in range(5):
                        subject.on_next(i)
                except queue.Full as error:
                    refused.append(error)
                try:
                    subject.send_wait(-1, timeout=0.001)
                except TimeoutError as error:
                    refused.append(error)
                full.set()
                for i in range(4, 100):
                    subject.send_wait(i)

            thread = threading.Thread(target=send)
            thread.start()
            full.wait(20)
            loop.run()
            thread.join()
            self.assertEqual(heard, list(range(100)))
            self.assertIn("send_wait", str(refused[0]))
            refused.clear()

    def test_senders_that_wait_do_not_ask_for_the_text_of_a_value(self) -> None:
        value = Unspeakable()
        sent: list[str] = []

        def send(subject: Subject[Unspeakable]) -> None:
            with self.assertRaises(queue.Full):
                while True:
                    subject.on_next(value)
            with self.assertRaisesRegex(TimeoutError, "ETIMEDOUT: the queue stayed full"):
                subject.send_wait(value, timeout=0.001)
            with self.assertRaises(TimeoutError):
                asyncio.run(asyncio.wait_for(subject.asend(value), 0.001))
            sent.append("all")

        with Loop(capacity=1) as loop:
            subject: Subject[Unspeakable] = Subject(loop=loop)
            with subject.subscribe(lambda v: None):
                started(lambda: send(subject)).join()
                loop.turn()
        self.assertEqual((sent, value.asked), (["all"], 0))


class Interrupts(Case):
    def test_ctrl_c_leaves_wait_first(self) -> None:
        with Loop() as loop:
            waiting = threading.Event()
            here = threading.get_ident()
            loop.scheduler.after(0.001, waiting.set)

            def interrupt() -> None:
                waiting.wait(20)
                signal.pthread_kill(here, signal.SIGINT)

            thread = started(interrupt)
            with self.assertRaises(KeyboardInterrupt):
                libbelay.never().wait_first(loop, 20)
            thread.join()
            self.unhandled.clear()  # if it came while the loop still ran what sets the event

    def interrupt_soon(self, kind: type[BaseException]) -> None:
        """Has a handler of a POSIX signal raise such an exception, in a while."""

        def interrupt(number: int, frame: object) -> None:
            raise kind("now")

        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, interrupt))
        signal.setitimer(signal.ITIMER_REAL, 0.02)

    def test_ctrl_c_leaves_a_chain_that_runs_in_c_alone(self) -> None:
        many = libbelay.range(0, 300_000_000)
        subject: Subject[int] = Subject()
        none = it < 0

        def on_the_loop(trace: Trace) -> None:
            with Loop() as loop:
                many.subscribe_on(loop.scheduler).filter(none).subscribe(trace)
                loop.run()

        def in_a_batch(trace: Trace) -> None:
            subject.filter(none).subscribe(trace)
            subject.on_next_batch(range(300_000_000))

        def in_a_coroutine(trace: Trace) -> None:
            async def main() -> None:
                many.filter(none).subscribe(trace)

            asyncio.run(main())

        calls: list[Callable[[Trace], object]] = [
            lambda trace: many.filter(none).subscribe(trace),
            lambda trace: many.filter(none).take(1).subscribe(trace),
            lambda trace: many.map(it + 1).filter(none).take(1).subscribe(trace),
            lambda trace: many.map(it + 1).ignore_elements().subscribe(trace),
            on_the_loop, in_a_batch, in_a_coroutine,
        ]  # fmt: skip
        for call in calls:
            trace = Trace()
            self.interrupt_soon(KeyboardInterrupt)
            with self.assertRaises(KeyboardInterrupt):
                call(trace)
            self.assertEqual(trace, ["KeyboardInterrupt: now"])
        for call in calls[:3]:
            trace = Trace()
            self.interrupt_soon(ValueError)
            call(trace)
            self.assertEqual(trace, ["ValueError: now"])

    def test_waiting_hears_what_comes_elsewhere(self) -> None:
        with Loop() as loop:
            subject: Subject[int] = Subject(shared=True)
            heard = threading.Event()

            def send() -> None:
                while not heard.wait(0.001):
                    subject.on_next(3)

            thread = threading.Thread(target=send)
            thread.start()
            try:
                self.assertEqual(subject.wait_first(loop, 20), 3)
            finally:
                heard.set()
                thread.join()

    def test_a_stop_leaves_it_too(self) -> None:
        with Loop() as loop:
            loop.scheduler.after(0.001, loop.stop)
            with self.assertRaises(libbelay.BelayError) as caught:
                libbelay.never().wait_last(loop)
            self.assertEqual(caught.exception.name, "ECANCELED")


class Window:
    def __init__(self, heard: list[Any]) -> None:
        self.heard = heard

    def on_key(self, key: str) -> None:
        self.heard.append(key)


class Methods(Case):
    def test_a_method_of_the_owner_does_not_keep_it(self) -> None:
        heard: list[Any] = []
        keys: Subject[str] = Subject()
        window = Window(heard)
        subscription = keys.subscribe(window.on_key, owner=window)
        keys.on_next("a")
        del window
        self.assertTrue(subscription.is_disposed)
        keys.on_next("b")
        self.assertEqual(heard, ["a"])

    def test_a_weak_method_is_called_while_its_object_lives(self) -> None:
        heard: list[Any] = []
        keys: Subject[str] = Subject()
        window = Window(heard)
        with keys.subscribe(weakref.WeakMethod(window.on_key)):
            keys.on_next("a")
            del window
            keys.on_next("b")
        self.assertEqual(heard, ["a"])

    def test_a_text_is_one_value(self) -> None:
        clock = libbelay.VirtualScheduler()
        trace = Trace()
        libbelay.never().timeout(1, "text", clock).subscribe(trace)
        clock.advance(2)
        of(1).flat_map(lambda v: "text").subscribe(trace)
        self.assertEqual(trace, ["text", "|"] * 2)

    def test_kept_connections_go_with_their_loop(self) -> None:
        rules = ShareRules.KEEP_COMPLETED | ShareRules.KEEP_CONNECTION
        with Loop():
            makes: list[Callable[[libbelay.Signal[int]], libbelay.Signal[Any]]] = [
                lambda s: s.share_replay(1, rules=rules), lambda s: s.share(rules),
                lambda s: s.race(libbelay.never()).share_replay(1, rules=rules),
                lambda s: s.merge(libbelay.never()).share(rules),
                lambda s: libbelay.combine_latest(s, libbelay.never()).share(rules),
                lambda s: s.publish().auto_connect(),
            ]  # fmt: skip
            for make in makes:
                kept: list[Subscriber[int]] = []
                shared = make(create(kept.append))
                for each in [shared.subscribe() for _ in range(3)]:
                    each.dispose()
                kept.clear()
                del shared


if __name__ == "__main__":
    unittest.main()
