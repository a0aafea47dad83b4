"""Signals of coroutines, of asynchronous iterators and of what else is awaited."""

import asyncio
import gc
import tempfile
import types
import unittest
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from typing import Any

import libbelay
from libbelay import BelayError, Subject, from_async, of, timer
from support import Case, Trace
from test_asyncio import run


class FromAsync(Case):
    def test_what_is_iterated_over(self) -> None:
        async def numbers() -> AsyncIterator[int]:
            for i in range(3):
                await asyncio.sleep(0.001)
                yield i

        async def main() -> None:
            signal = from_async(numbers)
            self.assertEqual([v async for v in signal], [0, 1, 2])
            self.assertEqual([v async for v in signal.map(lambda v: v * 2)], [0, 2, 4])
            self.assertEqual(await libbelay.from_(numbers()), 0)

        run(main())

    def test_a_file_waits_for_a_slow_task(self) -> None:
        async def main() -> None:
            with tempfile.NamedTemporaryFile() as file:
                file.write(b"line\n" * 20_000)
                file.flush()
                count = 0
                async for line in libbelay.file_lines(file.name):
                    self.assertEqual(line, "line")
                    if count % 1000 == 0:
                        await asyncio.sleep(0.001)
                    count += 1
                self.assertEqual(count, 20_000)
                chunks = [chunk async for chunk in libbelay.file_chunks(file.name)]
                self.assertEqual(b"".join(chunks), b"line\n" * 20_000)

        run(main())

    def test_what_is_awaited(self) -> None:
        async def answer() -> int:
            await asyncio.sleep(0.001)
            return 42

        async def main() -> None:
            once = from_async(answer())
            self.assertEqual([await once, await once], [42, 42])
            self.assertEqual(await of(1, 2).concat_map(lambda _: answer()).collect(), [42, 42])

        run(main())

    def test_whatever_can_be_awaited(self) -> None:
        async def answer() -> int:
            await asyncio.sleep(0.001)
            return 42

        class Wait:
            def __await__(self) -> Generator[Any, None, int]:
                return answer().__await__()

        @types.coroutine
        def generator() -> Generator[Any, None, int]:
            return (yield from answer().__await__())

        def future() -> asyncio.Future[int]:
            made = asyncio.get_running_loop().create_future()
            asyncio.get_running_loop().call_later(0.001, made.set_result, 42)
            return made

        async def gathered() -> int:
            return sum(await asyncio.gather(answer(), of(0)))

        async def main() -> None:
            makers: list[Callable[[], Awaitable[int]]] = [
                answer, lambda: asyncio.create_task(answer()), future, Wait, generator, gathered
            ]  # fmt: skip
            for make in makers:
                self.assertEqual(await libbelay.from_(make()).collect(), [42])
                self.assertEqual(await of(make()).merge_all(), 42)
                self.assertEqual(await of(make).flat_map(lambda each: each()).collect(), [42])
                self.assertEqual(await libbelay.zip(make(), of(1)), (42, 1))
            both = asyncio.gather(answer(), answer())
            self.assertEqual(await of(1).concat_map(lambda _: both).collect(), [[42, 42]])

        run(main())
        gc.collect()

    def test_disposal_cancels_the_task_and_cancellation_interrupts(self) -> None:
        trace = Trace()

        async def waits() -> AsyncIterator[int]:
            try:
                yield 1
                await asyncio.sleep(60)
            finally:
                trace.append("left")

        async def heard(count: int) -> None:
            while len(trace) < count:
                await asyncio.sleep(0)

        async def main() -> None:
            with from_async(waits).subscribe(trace):
                await heard(1)
            await heard(2)
            self.assertEqual(trace, [1, "left"])
            from_async(waits).subscribe(trace, on_disposed=lambda: trace.append("disposed"))
            await heard(3)
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                if "_feed" in repr(task):
                    task.cancel()
            await heard(5)
            self.assertEqual(trace, [1, "left", 1, "left", "disposed"])

        run(main())
        gc.collect()

    def test_the_last_disposal_cancels_what_is_awaited(self) -> None:
        trace = Trace()

        async def waits(name: str = "x") -> None:
            try:
                await asyncio.sleep(60)
            finally:
                trace.append(name)

        async def left() -> list[Any]:
            for _ in range(5):
                await asyncio.sleep(0)
            return list(trace)

        async def main() -> None:
            signal = from_async(waits())
            first, second = signal.subscribe(trace), signal.subscribe(trace)
            await asyncio.sleep(0)
            first.dispose()
            self.assertEqual(await left(), [])
            second.dispose()
            self.assertEqual(await left(), ["x"])
            with of("a", "b").flat_map(waits).subscribe(trace):
                await asyncio.sleep(0)
            self.assertEqual(await left(), ["x", "a", "b"])
            task = asyncio.ensure_future(libbelay._aio.first(of("c").flat_map(waits)))
            await asyncio.sleep(0.001)
            task.cancel()
            self.assertEqual(await left(), ["x", "a", "b", "c"])
            self.assertEqual(asyncio.all_tasks(), {asyncio.current_task(), *outer})

        outer: set[Any] = set()

        async def alone() -> None:
            outer.update(asyncio.all_tasks())
            await main()

        run(alone())

    def test_a_disposal_ends_an_iterator_that_never_waits(self) -> None:
        async def numbers() -> AsyncIterator[int]:
            i = 0
            while True:
                yield (i := i + 1)

        async def main() -> None:
            self.assertEqual(await from_async(numbers).take(2).collect(), [1, 2])

        run(main())
        gc.collect()

    def test_an_iterator_waits_for_a_slow_task(self) -> None:
        sent: list[int] = []

        async def numbers() -> AsyncIterator[int]:
            for i in range(3000):
                sent.append(i)
                yield i

        async def main() -> None:
            signal = from_async(numbers)
            heard: list[int] = []
            async for value in signal:
                if value % 500 == 0:
                    await asyncio.sleep(0)
                self.assertLess(len(sent) - len(heard), 600)
                heard.append(value)
            self.assertEqual(heard, [*range(3000)])
            for capacity in (1, 10, 0):
                sent.clear()
                values = signal.take(700).values(capacity=capacity)
                for i in range(700):
                    self.assertEqual(await anext(values), i)
                    self.assertLessEqual(len(sent), i + 2 + (capacity or 1024) // 2)
            sent.clear()
            values = signal.values(capacity=None)
            self.assertEqual(await anext(values), 0)
            self.assertEqual(len(sent), 3000)
            doubled = signal.flat_map(lambda v: [v, v])
            self.assertEqual([v async for v in doubled], [v for v in range(3000) for _ in "12"])
            both = libbelay.merge(signal.take(50), signal.take(50))
            self.assertEqual(sorted([v async for v in both.values(capacity=1)])[::2], heard[:50])
            calls = libbelay.range(0, 1100).flat_map(lambda v: asyncio.sleep(0, v))
            self.assertEqual(sorted([v async for v in calls]), heard[:1100])
            newest = [v async for v in signal.values(policy=libbelay.QueuePolicy.LATEST)]
            self.assertEqual(newest, [2999])

        run(main())
        gc.collect()

    def test_an_iterator_waits_for_nobody_who_has_left(self) -> None:
        async def numbers() -> AsyncIterator[int]:
            for i in range(3000):
                yield i

        async def main() -> None:
            shared = from_async(numbers).share()
            heard: list[int] = []
            subscription = shared.subscribe(heard.append)
            one, other = shared.values(), aiter(shared)
            self.assertEqual([await anext(one), await anext(other)], [0, 0])
            await asyncio.sleep(0.001)
            self.assertEqual(heard, [*range(513)])
            await one.aclose()  # type: ignore[attr-defined]
            del other
            while len(heard) < 3000:
                await asyncio.sleep(0)
            subscription.dispose()
            waiting = aiter(from_async(numbers))
            self.assertEqual(await anext(waiting), 0)
            await asyncio.sleep(0.001)
            self.assertEqual(len(waiting._queue.senders), 1)  # type: ignore[attr-defined]
            del waiting
            await asyncio.sleep(0.001)
            self.assertEqual(len(asyncio.all_tasks()), 2)

        run(main())
        gc.collect()

    def test_an_iterator_does_not_wait_for_who_has_not_asked_yet(self) -> None:
        async def numbers() -> AsyncIterator[int]:
            for i in range(3000):
                yield i

        async def main() -> None:
            shared = from_async(numbers).share()
            thousands, all_of_them = aiter(shared.filter(lambda v: v % 1000 == 0)), aiter(shared)
            self.assertEqual([await anext(thousands), await anext(thousands)], [0, 1000])
            self.assertEqual(await anext(thousands), 2000)
            with self.assertRaisesRegex(BelayError, "1024 values wait"):
                self.assertEqual([await anext(all_of_them) for _ in range(1025)], [])

        run(main())
        gc.collect()

    def test_what_is_awaited_waits_up_to_twice_the_capacity(self) -> None:
        async def fetch(value: int) -> int:
            return value

        async def main() -> None:
            values = libbelay.interval(0.0002).flat_map(fetch).values(capacity=10)
            heard = [await anext(values)]
            await asyncio.sleep(0.05)
            with self.assertRaisesRegex(BelayError, "10 values wait"):
                async for value in values:
                    heard.append(value)
            self.assertEqual(heard, [*range(21)])

        run(main())
        gc.collect()

    def test_a_closed_task_awaits_nothing(self) -> None:
        async def numbers() -> AsyncIterator[int]:
            try:
                yield 1
            finally:
                await asyncio.sleep(0)

        left: Any = types.SimpleNamespace(on_next=Trace().append, is_disposed=True)
        source = numbers()
        iterating = libbelay._aio._iterate(source, left)
        iterating.send(None)
        iterating.close()
        run(source.aclose())  # type: ignore[attr-defined]

    def test_an_iterator_is_closed_by_a_disposal_before_its_end(self) -> None:
        trace = Trace()

        async def numbers(count: int, last: BaseException | None = None) -> AsyncIterator[int]:
            try:
                for i in range(count):
                    yield i
            finally:
                trace.append("left")
                if last:
                    raise last

        class Numbers:
            """An iterator that has nothing to close."""

            def __aiter__(self) -> AsyncIterator[int]:
                return self

            async def __anext__(self) -> int:
                return 7

        async def settled() -> list[Any]:
            for _ in range(9):
                await asyncio.sleep(0)
            heard = list(trace)
            trace.clear()
            return heard

        async def main() -> None:
            held = numbers(9)
            self.assertEqual(await from_async(held).take(2).collect(), [0, 1])
            self.assertEqual(await settled(), ["left"])
            self.assertEqual([v async for v in held], [])
            async for value in from_async(held := numbers(5000)):
                if value == 3:
                    break
            self.assertEqual(await settled(), ["left"])
            self.assertEqual(await from_async(held := numbers(2)).collect(), [0, 1])
            self.assertEqual(await settled(), ["left"])
            self.assertEqual(await from_async(Numbers()), 7)
            failing = from_async(held := numbers(2)).map(lambda v: 1 // v)
            failing.subscribe(trace)
            told = "ZeroDivisionError: integer division or modulo by zero"
            self.assertEqual(await settled(), [told, "left"])
            self.assertEqual(await from_async(held := numbers(9, ValueError("last"))), 0)
            self.assertEqual(await settled(), ["left"])
            self.assertEqual([str(error) for error in self.unhandled], ["last"])
            self.unhandled.clear()
            del held

        async def shared() -> None:
            gate = asyncio.Event()

            async def waits() -> AsyncIterator[int]:
                yield 1
                await gate.wait()
                yield 2

            signal = from_async(waits())
            subject: Subject[int] = Subject()
            first = signal.subscribe(subject)
            await asyncio.sleep(0)
            second = signal.subscribe(trace)
            (error,) = await settled()
            self.assertRegex(error, "RuntimeError: .*already running")
            gate.set()
            await asyncio.sleep(0)
            first.dispose()
            second.dispose()
            await asyncio.sleep(0)

        run(main())
        run(shared())
        gc.collect()

    def test_what_it_raises_is_the_error(self) -> None:
        async def fails() -> int:
            raise ValueError("x")

        async def main() -> None:
            for source in (fails, fails()):
                with self.assertRaises(ValueError):
                    await from_async(source)

        run(main())

    def test_an_error_keeps_nothing(self) -> None:
        class Thing:
            pass

        async def fails() -> int:
            raise ValueError("x")

        async def heard(source: Callable[[], Any]) -> weakref.ref[Any]:
            thing = Thing()
            try:
                await source()
            except ValueError:
                pass
            return weakref.ref(thing)

        async def main() -> None:
            for source in (
                lambda: of(1).map(lambda v: int("x")), lambda: from_async(fails),
                lambda: from_async(fails()), lambda: of(1).flat_map(lambda v: fails()),
                lambda: timer(0.001).map(lambda v: int("x")),
            ):  # fmt: skip
                self.assertIsNone((await heard(source))())

        run(main())


if __name__ == "__main__":
    unittest.main()
