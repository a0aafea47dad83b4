"""Context variables in the callables of subscriptions on asyncio's own loop."""

import asyncio
import contextvars
import gc
import unittest

import libbelay
from libbelay import Loop, Subject, of, timer
from support import Case
from test_asyncio import run

request: contextvars.ContextVar[str] = contextvars.ContextVar("request", default="none")


class Contexts(Case):
    def test_callables_run_in_a_copy_of_the_context_of_who_subscribes(self) -> None:
        trace: list[str] = []

        def note(event: object) -> None:
            trace.append(f"{event} {request.get()}")
            request.set("changed")

        def stamped(value: int) -> str:
            return request.get()

        async def serve(name: str, subject: Subject[int]) -> None:
            request.set(name)
            over = asyncio.Event()

            def completed() -> None:
                note("completed")
                over.set()

            numbers = timer(0.001).merge(subject.take(1)).map(lambda v: f"{v} of {request.get()}")
            numbers.subscribe(note, None, completed)
            failing = timer(0.001).map(lambda v: 1 // v)
            failing.subscribe(None, lambda e: note(f"failed in {stamped(0)}"))
            subject.subscribe(None, on_disposed=lambda: note("disposed")).dispose()
            self.assertEqual(request.get(), name)
            self.assertEqual([v async for v in timer(0.001).map(stamped)], [name])
            request.set("later")
            subject.on_next(5)
            await over.wait()

        async def main() -> None:
            for name in ("a", "b"):
                await asyncio.create_task(serve(name, Subject()))
            self.assertEqual(request.get(), "none")

        run(main())
        for name in ("a", "b"):
            heard = [each for each in trace if name in each.split()]
            self.assertEqual(sorted(heard), sorted((
                f"disposed {name}", f"failed in {name} {name}", f"0 of {name} {name}"
            )))  # fmt: skip
        self.assertEqual(trace.count("5 of changed changed"), 2)
        self.assertEqual(trace.count("completed changed"), 2)
        self.assertEqual(len(trace), 10)

    def test_an_event_inside_another_one_comes_in_the_context_that_is_there(self) -> None:
        async def main() -> None:
            subject: Subject[int] = Subject(reentrancy=libbelay.Reentrancy.DEPTH_FIRST)
            trace: list[object] = []

            def hear(value: int) -> None:
                trace.append((value, request.get()))
                if value < 2:
                    request.set(f"in {value}")
                    subject.on_next(value + 1)

            def fail(value: int) -> None:
                raise KeyboardInterrupt

            subject.subscribe(hear)
            subject.on_next(0)
            self.assertEqual(trace, [(0, "none"), (1, "in 0"), (2, "in 1")])
            self.assertEqual(request.get(), "none")
            subject.filter(lambda v: v == 9).subscribe(fail, trace.append)
            with self.assertRaises(KeyboardInterrupt):
                subject.on_next(9)
            self.assertIsInstance(trace.pop(), KeyboardInterrupt)
            trace.clear()
            ended = subject.subscribe(
                lambda v: ended.dispose(), on_disposed=lambda: trace.append("disposed")
            )
            subject.on_next(7)
            self.assertIn("disposed", trace)
            subject.on_completed()

        run(main())
        gc.collect()

    def test_other_work_of_the_loop_has_no_context(self) -> None:
        def stamped(value: object = None) -> str:
            heard.append(request.get())
            return request.get()

        heard: list[str] = []

        async def main() -> None:
            request.set("a")
            loop = Loop.current()
            assert loop is not None
            loop.post(stamped)
            self.assertEqual(await timer(0.001).map(stamped), "none")
            self.assertEqual(heard, ["none"] * 2)

        run(main())

    def test_without_asyncio_callables_run_in_the_context_of_the_call(self) -> None:
        def main() -> None:
            of("x").subscribe(request.set)
            self.assertEqual(request.get(), "x")

        contextvars.copy_context().run(main)


if __name__ == "__main__":
    unittest.main()
