"""Signals on asyncio's own loop."""

import asyncio
import gc
import socket
import tempfile
import traceback
import unittest

import libbelay
from libbelay import BelayError, Loop, QueuePolicy, Subject, interval, of, timer
from libbelay._native import lib
from support import Case


def run(coroutine: object) -> object:
    """Runs it to its end, and sees that the thread's loop has gone with asyncio's."""
    try:
        return asyncio.run(asyncio.wait_for(coroutine, 20))  # type: ignore[arg-type]
    finally:
        assert not lib.belay_loop_current()


async def cancelled_while_it_iterates(subject: Subject[int]) -> asyncio.Task[None]:
    """A task that has subscribed, and has been told to end."""

    async def iterate() -> None:
        async for _ in subject:
            pass

    task = asyncio.create_task(iterate())
    while subject.subscriber_count == 0:
        await asyncio.sleep(0)
    task.cancel()
    return task


class Awaiting(Case):
    def test_the_first_value(self) -> None:
        async def main() -> None:
            self.assertEqual(await of(1, 2), 1)
            self.assertEqual(await timer(0.001).map_to("later"), "later")
            self.assertEqual(await libbelay.repeat_value(3), 3)

        run(main())

    def test_an_error_is_raised_with_its_traceback(self) -> None:
        def fails(value: int) -> int:
            raise LookupError(value)

        async def main() -> None:
            try:
                await timer(0.001).map(fails)
            except LookupError as error:
                self.assertIn("in fails", "".join(traceback.format_exception(error)))
            else:
                self.fail("nothing was raised")
            for source, name in (
                (libbelay.empty(), "EENDED"),
                (timer(0.001).ignore_elements(), "EENDED"),
            ):
                with self.assertRaises(BelayError) as belays:
                    await source
                self.assertEqual(belays.exception.name, name)
            with self.assertRaises(RuntimeError):
                await libbelay.throw(StopIteration())

        run(main())
        gc.collect()

    def test_a_cancelled_task_disposes(self) -> None:
        async def main() -> None:
            subject: Subject[int] = Subject()

            async def wait() -> int:
                return await subject

            task = asyncio.create_task(wait())
            await asyncio.sleep(0)
            self.assertEqual(subject.subscriber_count, 1)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertEqual(subject.subscriber_count, 0)

        run(main())

    def test_an_interruption_is_told(self) -> None:
        async def main() -> None:
            kept: list[object] = []
            signal: libbelay.Signal[object] = libbelay.create(kept.append)

            async def wait() -> object:
                return await signal

            waiting = asyncio.create_task(wait())
            await asyncio.sleep(0)
            kept.clear()
            with self.assertRaises(BelayError) as caught:
                await waiting
            self.assertEqual(caught.exception.name, "ECANCELED")

        run(main())

    def test_asyncio_goes_on_meanwhile(self) -> None:
        async def main() -> None:
            ticks = 0

            async def tick() -> None:
                nonlocal ticks
                while True:
                    await asyncio.sleep(0.001)
                    ticks += 1

            task = asyncio.create_task(tick())
            self.assertEqual(await interval(0.002).skip(9), 9)
            task.cancel()
            self.assertGreater(ticks, 3)

        run(main())

    def test_one_run_after_another(self) -> None:
        async def main() -> int:
            return await timer(0.001)

        for _ in range(3):
            self.assertEqual(asyncio.run(main()), 0)
        run(main())

    def test_a_subscription_in_a_coroutine_needs_no_await(self) -> None:
        async def main() -> None:
            done = asyncio.Event()
            interval(0.001).take(2).subscribe(None, None, done.set)
            await done.wait()

        run(main())

    def test_another_loop_takes_the_place_of_one_that_is_closed(self) -> None:
        async def main() -> None:
            current = Loop.current()
            assert current is not None
            current.close()
            del current
            self.assertEqual(await timer(0.001).map_to("again"), "again")
            self.assertEqual(await timer(0.001).map_to("and again"), "and again")

        run(main())
        with Loop() as own:

            async def shares() -> None:
                self.assertIs(Loop.current(), own)
                await timer(0.001)

            asyncio.run(shares())
            asyncio.run(shares())
            self.assertEqual(interval(0.001).wait_first(own), 0)

    def test_two_of_asyncios_loops_take_turns(self) -> None:
        one, two = asyncio.new_event_loop(), asyncio.new_event_loop()
        trace: list[str] = []
        count = [0]

        async def hear(name: str) -> None:
            def on_next(_: int) -> None:
                count[0] += 1

            interval(0.001).subscribe(on_next, on_disposed=lambda: trace.append(name))

        async def goes_on() -> None:
            before = count[0]
            while count[0] == before:
                await asyncio.sleep(0.001)

        async def at_home() -> Loop | None:
            return Loop.current()

        def end(host: asyncio.AbstractEventLoop) -> None:
            host.run_until_complete(host.shutdown_asyncgens())
            host.close()

        one.run_until_complete(hear("one"))
        two.run_until_complete(hear("two"))
        for host in (one, two, one):
            host.run_until_complete(asyncio.wait_for(goes_on(), 5))
        self.assertIsNot(one.run_until_complete(at_home()), two.run_until_complete(at_home()))
        end(two)
        self.assertEqual(trace, ["two"])
        one.run_until_complete(asyncio.wait_for(goes_on(), 5))
        end(one)
        self.assertEqual(trace, ["two", "one"])

    def test_a_subject_that_is_dropped_interrupts_its_subscriptions(self) -> None:
        async def iterate(signals: list[libbelay.Signal[int]]) -> None:
            async for _ in signals.pop():
                pass

        async def wait(signals: list[libbelay.Signal[int]]) -> None:
            await signals.pop()

        def listen(trace: list[str]) -> list[Subject[int]]:
            plain, chain = Subject[int](), Subject[int]()
            plain.subscribe(print, on_disposed=lambda: trace.append("plain"))
            chain.map(str).take(5).subscribe(print, on_disposed=lambda: trace.append("chain"))
            return [plain, chain]

        async def main() -> None:
            trace: list[str] = []
            subjects = listen(trace)
            before = libbelay.live_counts()["subscriptions"]
            self.assertEqual(trace, [])
            subjects.clear()
            self.assertEqual(sorted(trace), ["chain", "plain"])
            self.assertLess(libbelay.live_counts()["subscriptions"], before)
            for hear in (iterate, wait):
                with self.assertRaises(BelayError) as caught:
                    await asyncio.wait_for(hear([Subject()]), 10)
                self.assertEqual(caught.exception.name, "ECANCELED")
                subject: Subject[int] = Subject()
                task = asyncio.ensure_future(hear([subject.skip(1)]))
                while subject.subscriber_count == 0:
                    await asyncio.sleep(0)
                del subject
                with self.assertRaises(BelayError) as caught:
                    await asyncio.wait_for(task, 10)
                self.assertEqual(caught.exception.name, "ECANCELED")

        run(main())
        gc.collect()

    def test_an_end_leaves_a_source_that_sends_while_it_is_subscribed_to(self) -> None:
        sent: list[int] = []

        def note(value: int) -> int:
            sent.append(value)
            return value

        def fail(value: int) -> None:
            raise ValueError(value)

        async def main() -> None:
            many = libbelay.range(0, 5000).map(note).skip(0)
            errors: list[BaseException] = []
            many.subscribe(fail, errors.append)
            self.assertEqual((sent.pop(), sent, str(errors.pop())), (1, [0], "0"))
            sent.clear()
            with self.assertRaises(BelayError) as caught:
                async for _ in many:
                    pass
            self.assertEqual(caught.exception.name, "EAGAIN")
            self.assertLess(len(sent), 1100)

        run(main())
        gc.collect()

    def test_a_loop_of_asyncios_that_is_just_closed(self) -> None:
        host = asyncio.new_event_loop()
        host.run_until_complete(libbelay._aio.first(of(1)))
        host.close()
        self.assertIsNone(Loop.current())

    def test_tasks_of_a_loop_that_is_closed_are_told_nothing(self) -> None:
        host = asyncio.new_event_loop()

        subject: Subject[int] = Subject()

        async def hear() -> None:
            async for _ in subject:
                pass

        async def wait() -> None:
            await subject

        tasks = [host.create_task(each()) for each in (hear, wait)]
        host.run_until_complete(asyncio.sleep(0.001))
        host.close()
        self.assertIsNone(Loop.current())
        for index in range(2):
            tasks[index]._log_destroy_pending = False  # type: ignore[attr-defined]
        self.assertEqual([each.done() for each in tasks], [False] * 2)
        del tasks[:]
        gc.collect()


class Iterating(Case):
    def test_values_and_the_end(self) -> None:
        async def main() -> None:
            self.assertEqual([v async for v in of(1, 2)], [1, 2])
            self.assertEqual([v async for v in interval(0.001).take(3)], [0, 1, 2])

        run(main())

    def test_values_that_wait_are_bounded(self) -> None:
        async def main() -> None:
            many = [v async for v in libbelay.range(0, 1024)]
            self.assertEqual(len(many), 1024)
            seen: list[int] = []
            with self.assertRaises(BelayError) as caught:
                async for value in libbelay.range(0, 1025):
                    seen.append(value)
            self.assertEqual(caught.exception.code, lib.BELAY_EAGAIN)
            self.assertIn("1024 values wait", str(caught.exception))
            self.assertEqual(len(seen), 1024)

            async def bounded(policy: QueuePolicy | None, capacity: int | None) -> list[int]:
                numbers = libbelay.range(0, 2000)
                return [v async for v in numbers.values(policy=policy, capacity=capacity)]

            self.assertEqual(len(await bounded(None, None)), 2000)
            self.assertEqual(await bounded(QueuePolicy.DROP_OLDEST, 2), [1998, 1999])
            self.assertEqual(await bounded(QueuePolicy.DROP_NEWEST, 2), [0, 1])
            self.assertEqual(await bounded(QueuePolicy.LATEST, 9), [1999])
            for policy, capacity in ((QueuePolicy.BLOCK, 1), (None, -1)):
                with self.assertRaises(ValueError):
                    libbelay.of(1).values(policy=policy, capacity=capacity)

        run(main())

    def test_leaving_disposes(self) -> None:
        async def main() -> None:
            subject: Subject[int] = Subject()

            async def send() -> None:
                await asyncio.sleep(0)
                for i in range(5):
                    subject.on_next(i)

            task = asyncio.create_task(send())
            async for value in subject:
                if value == 2:
                    break
            self.assertEqual(subject.subscriber_count, 0)
            await task
            values = aiter(subject)
            await values.aclose()  # type: ignore[attr-defined]
            self.assertEqual([v async for v in values], [])

        run(main())

    def test_an_error_comes_after_the_values(self) -> None:
        async def main() -> list[object]:
            heard: list[object] = []
            try:
                async for value in of(1).concat(libbelay.throw(KeyError("k"))):
                    heard.append(value)
            except KeyError as error:
                heard.append(str(error))
            return heard

        self.assertEqual(run(main()), [1, "'k'"])

    def test_cancellation_inside(self) -> None:
        async def main() -> None:
            subject: Subject[int] = Subject()
            task = await cancelled_while_it_iterates(subject)
            with self.assertRaises(asyncio.CancelledError):
                await task
            del task
            self.assertEqual(subject.subscriber_count, 0)

        run(main())

    def test_a_cancelled_task_disposes_while_its_exception_lives(self) -> None:
        async def main() -> None:
            subject: Subject[int] = Subject()
            task = await cancelled_while_it_iterates(subject)
            (ended,) = await asyncio.gather(task, return_exceptions=True)
            self.assertIsInstance(ended, asyncio.CancelledError)
            self.assertEqual(subject.subscriber_count, 0)
            ours, theirs = socket.socketpair()
            with libbelay.stream_open(ours.detach()) as stream, theirs:
                try:
                    async with asyncio.timeout(0.01):
                        async for _ in stream.read():
                            pass
                except TimeoutError:
                    theirs.send(b"late")
                    self.assertEqual(await anext(aiter(stream.read())), b"late")

        run(main())
        gc.collect()

    def test_a_wait_that_is_given_up_may_be_followed_by_another(self) -> None:
        async def main() -> None:
            subject: Subject[int] = Subject()
            values = aiter(subject)
            with self.assertRaises(TimeoutError):
                await asyncio.wait_for(anext(values), 0.001)
            subject.on_next(1)
            self.assertEqual(await anext(values), 1)

        run(main())
        gc.collect()

    def test_what_looks_like_the_end_of_an_iterator_is_no_end(self) -> None:
        def stop(value: object) -> int:
            raise StopAsyncIteration

        async def main() -> None:
            with tempfile.NamedTemporaryFile() as file:
                file.write(b"line\n")
                file.flush()
                for source in (of(1).map(stop), libbelay.file_lines(file.name).map(stop)):
                    with self.assertRaisesRegex(RuntimeError, "StopAsyncIteration"):
                        async for _ in source:
                            pass

        run(main())
        gc.collect()


if __name__ == "__main__":
    unittest.main()
