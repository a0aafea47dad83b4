"""Time, under virtual time; and where events are delivered, with what is special to Python."""

# The callables of the tables below have no types.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

import unittest
from typing import Any

import libbelay
from libbelay import (
    Loop, PoolScheduler, QueuePolicy, Subject, VirtualScheduler, Worker, just, of, throw,
)  # fmt: skip
from libbelay.testing import MarbleTest
from support import Case, Trace


class Timing(Case):
    def test_by_marbles(self) -> None:
        def check(expected: str, apply: Any, diagram: str = "-1-2---3-|") -> None:
            test = MarbleTest()
            made = apply(test.cold(diagram), test.scheduler)
            test.expect(made, expected)
            test.run()

        ms = 0.001
        check("-----2---(3|)", lambda s, c: s.debounce(2 * ms, scheduler_=c))
        check("-1-2---3-|", lambda s, c: s.debounce(2 * ms, lambda v: False, c))
        check("-1-----3-|", lambda s, c: s.throttle(4 * ms, scheduler_=c))
        check("-----2-----(3|)", lambda s, c: s.audit(4 * ms, c))
        check("----2---3|", lambda s, c: s.sample_time(4 * ms, c))
        check("---1-2---3-|", lambda s, c: s.delay(2 * ms, c))
        check("---1-2---3-|", lambda s, c: s.delay_subscription(2 * ms, c))
        check("-1-2|", lambda s, c: s.take_for(4 * ms, c))
        check("-------3-|", lambda s, c: s.skip_for(4 * ms, c))
        check("-1-2--#", lambda s, c: s.timeout(3 * ms, None, c))
        check("-1-2--(x|)", lambda s, c: s.timeout(3 * ms, just("x"), c))
        check("-1-2---3-|", lambda s, c: s.throttle_while(libbelay.never()))
        check("-1-2---3-|", lambda s, c: s.observe_on(c))
        check("-1-2---3-|", lambda s, c: s.subscribe_on(c))
        with self.assertRaises(AssertionError):
            check("-1-|", lambda s, c: s)

    def test_the_queue_of_an_operator(self) -> None:
        fast, slow = Subject[int](), Subject[int]()
        trace: list[object] = []
        pairs = fast.zip(slow).set_queue(policy=QueuePolicy.DROP_OLDEST, capacity=2)
        pairs.subscribe(trace.append)
        for value in range(5):
            fast.on_next(value)
        slow.on_next(0)
        self.assertEqual(trace, [(3, 0)])
        self.assertEqual(pairs.queue_high_water, 2)
        with self.assertRaises(libbelay.BelayError):
            pairs.set_queue(capacity=None)
        with self.assertRaises(libbelay.BelayError):
            fast.set_queue()

    def test_schedulers_and_backoff(self) -> None:
        clock = VirtualScheduler()
        trace = Trace()
        throw(KeyError(1)).retry_backoff(
            1, factor=2, longest=10, attempts=3, scheduler_=clock
        ).subscribe(trace)
        self.assertEqual(clock.step(1), 1)
        clock.flush()
        self.assertEqual(trace, ["KeyError: 1"])
        self.assertGreaterEqual(clock.now, 3)
        trace.clear()
        just(1).concat(throw(KeyError(1))).retry_backoff(
            1, longest=10, attempts=2, reset_on_value=True, scheduler_=clock
        ).take(4).subscribe(trace)
        begin = clock.now
        clock.flush()
        self.assertEqual(trace, [1, 1, 1, 1, "|"])
        self.assertEqual(clock.now - begin, 3)

    def test_workers_and_pools(self) -> None:
        import threading

        here = threading.get_ident()
        with Worker() as worker, Loop() as loop:
            for scheduler in (worker.scheduler, PoolScheduler(loop)):
                trace: list[object] = []
                done = (
                    of(1, 2, 3)
                    .observe_on(scheduler, policy=QueuePolicy.ERROR, capacity=10)
                    .map(lambda v: (v, threading.get_ident() != here))
                    .observe_on(loop.scheduler)
                )
                done.subscribe(trace.append, trace.append, loop.stop)
                loop.scheduler.after(10, loop.stop)
                loop.run()
                self.assertEqual(trace, [(1, True), (2, True), (3, True)])


if __name__ == "__main__":
    unittest.main()
