"""Every operator, once each with what is special to Python; the rules themselves are the library's
tests."""

import unittest

import libbelay
from libbelay import (
    Loop, PoolScheduler, QueuePolicy, ShareRules, Subject, VirtualScheduler, Worker, just, of,
    ops, throw,
)  # fmt: skip
from libbelay.testing import Drawing, MarbleTest
from support import Case, Trace, told


def odd(value: int) -> bool:
    return value % 2 == 1


class Choosing(Case):
    def test_by_count(self) -> None:
        five = of(1, 2, 3, 4, 5)
        for signal, expected in (
            (five.take(2), [1, 2]), (five.skip(3), [4, 5]), (five.take_last(2), [4, 5]),
            (five.skip_last(3), [1, 2]), (five.element_at(1), [2]), (five.element_at(9, "x"),
            ["x"]), (five.first(), [1]), (five.last(), [5]), (five.first(lambda v: v > 2), [3]),
            (five.last(odd), [5]), (five.single(lambda v: v == 4), [4]), (five.find(odd), [1]),
            (five.ignore_elements(), []), (five.take_while(lambda v: v < 3), [1, 2]),
            (five.take_while(lambda v: v < 3, inclusive=True), [1, 2, 3]),
            (five.skip_while(lambda v: v < 4), [4, 5]), (five.filter(odd), [1, 3, 5]),
            (five.ignore(3), [1, 2, 4, 5]), (of("a", "b").ignore("a"), ["b"]),
        ):  # fmt: skip
            self.assertEqual(told(signal), [*expected, "|"])
        self.assertEqual(told(five.single()), ["BelayError: ERANGE: more than one value"])
        yes, no = five.partition(odd)
        self.assertEqual(told(yes) + told(no), [1, 3, 5, "|", 2, 4, "|"])

    def test_by_equality(self) -> None:
        pairs = of((1, 2), (1, 2), (3,), (1, 2))
        self.assertEqual(told(pairs.distinct_until_changed()), [(1, 2), (3,), (1, 2), "|"])
        self.assertEqual(told(pairs.distinct()), [(1, 2), (3,), "|"])
        self.assertEqual(told(of(1, 1.0, 2).distinct_until_changed()), [1, 2, "|"])
        self.assertEqual(told(of(1, 3, 2).distinct(odd)), [1, 2, "|"])
        self.assertEqual(
            told(of(1, 3, 2).distinct_until_changed(lambda a, b: odd(a) == odd(b))), [1, 2, "|"]
        )
        self.assertEqual(told(pairs.contains((3,))), [True, "|"])
        self.assertEqual(told(of("a").contains("b")), [False, "|"])
        self.assertEqual(told(pairs.sequence_equal(pairs)), [True, "|"])
        self.assertEqual(told(pairs.sequence_equal(of(1), lambda a, b: True)), [False, "|"])
        self.assertEqual(told(pairs.ignore((1, 2))), [(3,), "|"])

    def test_by_other_signals(self) -> None:
        source, gate = Subject[int](), Subject[int]()
        trace = Trace()
        for each in (
            source.take_until(gate),
            source.skip_until(gate),
            source.take_until_replacement(gate),
            source.sample(gate),
        ):
            each.subscribe(trace)
        source.on_next(1)
        gate.on_next(7)
        source.on_next(2)
        source.on_completed()
        gate.on_completed()
        self.assertEqual(trace, [1, 1, "|", 7, 1, 2, "|", "|", "|"])

    def test_groups(self) -> None:
        groups: dict[object, list[int]] = {}

        def note(group: libbelay.Signal[int]) -> None:
            values = groups.setdefault(group.key, [])
            group.subscribe(values.append)

        of(1, 2, 3, 4).group_by(lambda v: (v % 2,)).subscribe(note)
        self.assertEqual(groups, {(1,): [1, 3], (0,): [2, 4]})


class Transforming(Case):
    def test_values(self) -> None:
        three = of(1, 2, 3)
        for signal, expected in (
            (three.map(str), ["1", "2", "3"]), (three.map_to("x"), ["x"] * 3),
            (three.compact_map(lambda v: v if odd(v) else None), [1, 3]),
            (of([1, 2], [3, 4]).starmap(lambda a, b: a + b), [3, 7]),
            (three.scan(lambda a, v: a + v, 0), [1, 3, 6]),
            (three.reduce(lambda a, v: (*a, v), ()), [(1, 2, 3)]),
            (three.enumerated(), [[0, 1], [1, 2], [2, 3]]), (three.pairwise(), [[1, 2], [2, 3]]),
            (three.collect(), [[1, 2, 3]]), (three.buffer(2), [[1, 2], [3]]),
            (three.buffer(2, 1), [[1, 2], [2, 3], [3]]),
            (three.window(2).flat_map(lambda w: w.collect()), [[1, 2], [3]]),
            (three.materialize(), [[0, 1], [0, 2], [0, 3], [2]]),
            (three.materialize().dematerialize(), [1, 2, 3]),
            (three.map(lambda v: None), [None] * 3),
            (three.map(lambda v: v if odd(v) else None).filter(lambda v: True).skip(0),
             [1, None, 3]),
            (three.count(), [3]), (three.sum(), [6]), (three.average(), [2.0]), (three.min(), [1]),
            (three.max(), [3]), (three.max(lambda a, b: a > b), [1]), (three.any(odd), [True]),
            (three.all(odd), [False]), (three.is_empty(), [False]), (three.contains(2), [True]),
            (libbelay.empty().default_if_empty(9), [9]),
            (libbelay.empty().switch_if_empty(three), [1, 2, 3]), (of(True).not_(), [False]),
            (three.start_with(8, 9), [8, 9, 1, 2, 3]), (three.end_with(8), [1, 2, 3, 8]),
        ):  # fmt: skip
            self.assertEqual(told(signal), [*expected, "|"])

    def test_flattening(self) -> None:
        two = of(1, 2)
        for signal, expected in (
            (two.flat_map(lambda v: [v, v * 10]), [1, 10, 2, 20]),
            (two.concat_map(lambda v: of(v, v)), [1, 1, 2, 2]),
            (two.switch_map(just), [1, 2]), (two.exhaust_map(just), [1, 2]),
            (just(1).expand(lambda v: just(v + 1) if v < 3 else libbelay.empty()), [1, 2, 3]),
            (of(two, two).merge_all(), [1, 2, 1, 2]), (of(two, two).concat_all(), [1, 2, 1, 2]),
            (of(two, two).switch_to_latest(), [1, 2, 1, 2]), (two.concat([3], (4,)), [1, 2, 3, 4]),
            (two.then(just(3)), [3]), (two.repeat(2), [1, 2, 1, 2]), (two.repeat().take(3), [1, 2,
            1]), (two.repeat_when(lambda ends: ends).take(4), [1, 2, 1, 2]),
            (two.merge(of(3)), [1, 2, 3]), (two.merge_delay_error(of(3)), [1, 2, 3]),
            (throw(KeyError(1)).catch(lambda e: just(type(e))), [KeyError]),
            (throw(KeyError(1)).catch_to(5), [5]),
            (throw(KeyError(1)).retry_when(lambda es: es.flat_map(throw)).catch_to(6), [6]),
        ):  # fmt: skip
            self.assertEqual(told(signal), [*expected, "|"])
        runs: list[int] = []
        told(two.initially(lambda: runs.append(1)).attempt(lambda v: 1 / 0).retry(3))
        self.assertEqual(len(runs), 3)
        self.assertEqual(told(two.flat_map(lambda v: 5))[0][:10], "TypeError:")

    def test_joining(self) -> None:
        a, b = Subject[int](), Subject[int]()
        trace = Trace()
        for each in (
            libbelay.combine_latest(a, b), a.combine_latest(b, combiner=lambda x, y: x * y),
            libbelay.zip(a, b), a.zip(b, combiner=max), a.with_latest_from(b), libbelay.race(a, b),
            libbelay.merge(a, b), a.race(b),
            libbelay.concat(a, b), libbelay.merge_delay_error(a, b),
        ):  # fmt: skip
            each.subscribe(trace)
        a.on_next(3)
        self.assertEqual(trace, [3, 3, 3, 3, 3])
        trace.clear()
        b.on_next(4)
        self.assertEqual(trace, [[3, 4], 12, [3, 4], 4, 4, 4])
        trace.clear()
        a.on_next(5)
        self.assertEqual(trace, [[5, 4], 20, [5, 4], 5, 5, 5, 5, 5])
        a.on_completed(), b.on_completed()

    def test_bools(self) -> None:
        a, b = Subject[bool](), Subject[bool]()
        trace = Trace()
        libbelay.and_(a, b).subscribe(trace)
        libbelay.or_(a, b).subscribe(trace)
        libbelay.if_then_else(a, of("yes"), of("no")).subscribe(trace)
        libbelay.switch_on(a, {True: of("T")}, of("else")).subscribe(trace)
        a.on_next(True)
        b.on_next(False)
        a.on_next(False)
        self.assertEqual(trace, ["yes", "T", False, True, False, False, "no", "else"])
        a.on_completed(), b.on_completed()


class Making(Case):
    def test_sources(self) -> None:
        for signal, expected in (
            (libbelay.range(3, 2), [3, 4]), (libbelay.from_(range(3)), [0, 1, 2]),
            (libbelay.from_(range(4, 0, -2)), [4, 2]), (libbelay.from_("ab"), ["a", "b"]),
            (libbelay.from_({1: 2}), [1]), (libbelay.from_(x * x for x in (2, 3)), [4, 9]),
            (libbelay.from_iterator(iter([1, 2])), [1, 2]), (libbelay.from_optional(None), []),
            (libbelay.from_optional(0), [0]), (libbelay.from_result("x"), ["x"]),
            (libbelay.generate(1, lambda v: v < 9, lambda v: v * 2), [1, 2, 4, 8]),
            (libbelay.generate(1, None, lambda v: v + 1, str).take(2), ["1", "2"]),
            (libbelay.repeat_value("x", 2), ["x", "x"]), (libbelay.empty(), []),
            (libbelay.defer(lambda: [1, 2]), [1, 2]),
            (libbelay.start(lambda: 5, libbelay.immediate()), [5]),
            (libbelay.start_eagerly(lambda: 5, libbelay.trampoline()), [5]),
        ):  # fmt: skip
            self.assertEqual(told(signal), [*expected, "|"])
        self.assertEqual(told(libbelay.from_result(ValueError("x"))), ["ValueError: x"])
        self.assertEqual(told(libbelay.never()), [])
        again = libbelay.from_([1, 2])
        self.assertIs(libbelay.from_(again), again)
        with self.assertRaises(TypeError):
            libbelay.from_(3)  # type: ignore[arg-type]

    def test_resources_end_with_the_subscription(self) -> None:
        trace = Trace()

        class Managed:
            def __enter__(self) -> str:
                trace.append("enter")
                return "resource"

            def __exit__(self, *_: object) -> None:
                trace.append("exit")

        class Closed:
            def close(self) -> None:
                trace.append("close")

        libbelay.using(Managed, lambda name: just(name)).subscribe(trace)
        libbelay.using(Closed, lambda _: libbelay.never()).subscribe(trace).dispose()
        self.assertEqual(trace, ["enter", "resource", "|", "exit", "close"])


class Effects(Case):
    def test_beside_the_flow(self) -> None:
        trace: list[object] = []
        signal = of(1, 2).do(
            trace.append,
            on_completed=lambda: trace.append("|"),
            on_disposed=lambda: trace.append("disposed"),
        )
        for _ in range(2):
            signal.finally_(lambda: trace.append("finally")).subscribe(lambda v: trace.append(-v))
        self.assertEqual(trace, [1, -1, 2, -2, "|", "finally", "disposed"] * 2)
        trace.clear()
        throw(ValueError(1)).do(on_error=trace.append).subscribe(None, trace.append)
        self.assertIs(trace[0], trace[1])
        of(1).do().subscribe(trace.append)
        self.assertEqual(trace.pop(), 1)
        trace.clear()

    def test_log_says_where(self) -> None:
        lines: list[str] = []
        of(1).log("numbers", lines.append).subscribe()
        self.assertEqual(
            [line.split(": ", 1)[1] for line in lines],
            ["numbers: next 1", "numbers: completed", "numbers: disposed"],
        )
        self.assertTrue(lines[0].startswith("test_operators.py:"))

    def test_breakpoints_that_do_not_stop(self) -> None:
        asked: list[object] = []
        signal = of(1).breakpoint(asked.append, None, lambda: asked.append("|"))
        self.assertEqual(told(signal.breakpoint_on_error()), [1, "|"])
        self.assertEqual(asked, [1, "|"])


class Sharing(Case):
    def test_connectables(self) -> None:
        runs: list[int] = []
        source = of(1, 2).initially(lambda: runs.append(1))
        for shared, expected in (
            (source.publish(), []), (source.replay(1), [2, "|"]),
            (source.multicast(libbelay.ReplaySubject()), [1, 2, "|"]),
        ):  # fmt: skip
            runs.clear()
            trace = Trace()
            with shared.subscribe(trace):
                shared.connect()
            self.assertEqual(trace, [1, 2, "|"])
            self.assertEqual(runs, [1])
            self.assertEqual(told(shared)[: len(expected)], expected)
        self.assertEqual(told(source.publish().ref_count()), [1, 2, "|"])
        self.assertEqual(told(source.publish().auto_connect()), [1, 2, "|"])
        self.assertEqual(told(source.share()), [1, 2, "|"])
        kept = source.share_replay(1, rules=ShareRules.KEEP_COMPLETED)
        runs.clear()
        self.assertEqual(told(kept) + told(kept), [1, 2, "|", 2, "|"])
        self.assertEqual(runs, [1])

    def test_binding(self) -> None:
        subject: Subject[int] = Subject()
        trace = Trace()
        subject.subscribe(trace)
        of(1).bind(subject)
        self.assertEqual(trace, [1, "|"])


class Timing(Case):
    def test_by_marbles(self) -> None:
        def check(expected: str, apply: object, diagram: str = "-1-2---3-|") -> None:
            test = MarbleTest()
            made = apply(test.cold(diagram), test.scheduler)  # type: ignore[operator]
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

    def test_values_of_time(self) -> None:
        clock = VirtualScheduler()
        subject: Subject[int] = Subject()
        trace = Trace()
        subscriptions = [
            each.subscribe(trace)
            for each in (
                subject.timestamp(clock),
                subject.time_interval(clock),
                subject.buffer_time(2, None, clock),
                libbelay.interval(2, clock),
                libbelay.timer(3, clock),
                subject.window_time(5, None, clock).map(lambda w: "window"),
                subject.window_toggle(libbelay.timer(1, clock), lambda _: [1]).map(
                    lambda w: "toggled"
                ),
            )
        ]
        clock.advance(1)
        subject.on_next(7)
        clock.advance(1)
        clock.advance(1)
        for each in subscriptions:
            each.dispose()
        self.assertEqual(trace, ["window", "toggled", [1.0, 7], [1.0, 7], [7], 0, 0, "|"])

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


class Composing(Case):
    def test_pipe_is_the_methods(self) -> None:
        made = of(1, 2, 3).pipe(
            ops.map(lambda v: v + 1),
            ops.filter(lambda v: v != 3),
            ops.scan(lambda a, v: a + v, 0),
            lambda s: s.skip(1),
        )
        self.assertEqual(told(made), [6, "|"])
        self.assertIs(of(1).pipe().__class__, libbelay.Signal)

    def test_every_operator_is_in_ops(self) -> None:
        others = {"subscribe", "bind", "wait_first", "wait_last", "pipe", "connect", "name", "key"}
        methods = {name for name in dir(libbelay.Signal) if not name.startswith("_")} - others
        self.assertEqual(
            {name for name in dir(ops) if hasattr(getattr(ops, name), "__wrapped__")}, methods
        )

    def test_drawings(self) -> None:
        clock = VirtualScheduler()
        drawing = Drawing()
        drawing.define(a="first")
        drawing.diagram("told", "a-b|")
        drawing.box("timer")
        drawing.row("by hand")
        drawing.mark(0.001, "x")
        drawing.mark(0.002, None)
        drawing.record(libbelay.timer(0.002, clock), "timer", clock).subscribe()
        clock.advance(1)
        self.assertIn("timer", str(drawing))
        self.assertTrue(drawing.svg.startswith("<svg"))

    def test_marbles_of_hot_sources(self) -> None:
        test = MarbleTest()
        test.define(x=[1, 2])
        source = test.hot("-a-^-x-b-|")
        test.expect(source.take(1), "--(x|)")
        test.expect_subscriptions(source, "^-!")
        test.run()


if __name__ == "__main__":
    unittest.main()
