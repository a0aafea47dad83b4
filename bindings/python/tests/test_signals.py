"""Subscribing, sending, ends, errors and values."""

# The callables of the tables below have no types.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

import pickle
import queue
import sys
import threading
import traceback
import weakref
from array import array
from typing import Any

import libbelay
from libbelay import (
    AsyncSubject, BehaviorSubject, BelayError, Reentrancy, ReplaySubject, Signal, Subject, create,
    just, of, repeat_value, throw,
)  # fmt: skip
from libbelay._native import ffi, lib
from support import Case, Trace, told


class Thing:
    """Something that can be referred to weakly."""


class Values(Case):
    def test_what_is_plain_comes_back_as_it_was(self) -> None:
        for value in (
            None, True, False, 0, -1, 2**62, -(2**63), 2**63, 2**64 - 1, 2**64, -(2**80), 0.5,
            float("inf"), "", "text\0more", "ünïcode", b"", b"\xff\0", [], [1, "a", [None, 2.5]],
        ):  # fmt: skip
            (back,) = told(just(value))[:1]
            self.assertEqual(back, value)
            self.assertIs(type(back), type(value))

    def test_any_other_object_is_the_same_object(self) -> None:
        for value in (Thing(), (1, 2), {"a": 1}, Ellipsis, int, "\ud800", True.__class__, print):
            self.assertIs(told(just(value))[0], value)

    def test_a_list_that_contains_itself_is_the_same_object(self) -> None:
        twice: list[Any] = []
        twice += [twice, twice]
        many: list[Any] = [[] for _ in range(50)]
        for each in many:
            each += [*many, 1]
        once: list[Any] = [1, "a", [2]]
        once.append([once])
        for value in (twice, many[0], once):
            self.assertIs(told(just(value))[0], value)
        for each in (twice, once, *many):
            each.clear()

    def test_a_list_may_contain_another_one_several_times(self) -> None:
        inner = [1, ["a"]]
        (back,) = told(just([inner, [inner, inner]]))[:1]
        self.assertEqual(back, [inner, [inner, inner]])
        self.assertIsNot(back[0], inner)

    def test_subclasses_of_plain_types_keep_their_class(self) -> None:
        class Number(int):
            pass

        number = Number(3)
        self.assertIs(told(just(number))[0], number)
        self.assertEqual(told(just(number).map(libbelay.it + 1))[0], 4)

    def test_objects_go_with_the_last_value(self) -> None:
        subject: BehaviorSubject[Thing] = BehaviorSubject(Thing())
        kept = weakref.ref(subject.value)
        self.assertIsNotNone(kept())
        subject.on_next(Thing())
        self.assertIsNone(kept())

    def test_signals_are_values(self) -> None:
        inner = of(1, 2)
        self.assertEqual(
            told(of(inner, inner.map(lambda v: v * 10)).concat_all()), [1, 2, 10, 20, "|"]
        )
        self.assertIsInstance(told(just(inner))[0], libbelay.Signal)

    def test_other_handles_are_values(self) -> None:
        with libbelay.Loop() as loop, libbelay.Owner() as owner:
            disposable = libbelay.BooleanDisposable()
            for handle in (loop, owner, disposable, libbelay.Bag(), loop.scheduler):
                back = told(just(handle))[0]
                self.assertEqual(back, handle)
            self.assertIs(told(just(loop))[0], loop)


class Subscribing(Case):
    def test_callables_or_an_observer(self) -> None:
        trace = Trace()
        of(1, 2).subscribe(trace.on_next, trace.on_error, trace.on_completed)
        of(3).subscribe(trace)
        self.assertEqual(trace, [1, 2, "|", 3, "|"])

    def test_what_is_not_callable_is_refused(self) -> None:
        for wrong in (3, "text"):
            with self.assertRaises(TypeError):
                of(1).subscribe(wrong)  # type: ignore[arg-type]
            with self.assertRaises(TypeError):
                of(1).map(wrong)  # type: ignore[arg-type]
            with self.assertRaises(TypeError):
                of(1).take_while(wrong)  # type: ignore[arg-type]

    def test_dropping_the_subscription_ends_nothing_a_with_block_does(self) -> None:
        subject: Subject[int] = Subject()
        trace = Trace()
        subject.subscribe(trace)
        subject.on_next(1)
        with subject.subscribe(trace) as subscription:
            self.assertFalse(subscription.is_disposed)
            subject.on_next(2)
        self.assertTrue(subscription.is_disposed)
        subject.on_next(3)
        self.assertEqual(trace, [1, 2, 2, 3])

    def test_the_order_at_the_ends(self) -> None:
        for end, expected in (
            ("completed", ["|", "disposed", "finally"]),
            ("error", ["ValueError: x", "disposed", "finally"]),
            ("dispose", ["finally", "disposed"]),
            ("drop", ["finally", "disposed"]),
        ):
            subject: Subject[int] = Subject()
            trace = Trace()
            subscription = subject.finally_(lambda: trace.append("finally")).subscribe(
                trace.on_next, trace.on_error, trace.on_completed,
                on_disposed=lambda: trace.append("disposed"),
            )  # fmt: skip
            if end == "completed":
                subject.on_completed()
            elif end == "error":
                subject.on_error(ValueError("x"))
            elif end == "dispose":
                subscription.dispose()
            else:
                del subject
            self.assertEqual(trace, expected, end)

    def test_what_comes_after_the_end_is_dropped(self) -> None:
        subject: Subject[int] = Subject()
        trace = Trace()
        subject.subscribe(trace)
        subject.on_completed()
        subject.on_next(1)
        subject.on_error(ValueError())
        subject.on_next_batch([1, 2])
        self.assertEqual(trace, ["|"])

    def test_disposing_inside_on_next_of_an_endless_source(self) -> None:
        trace = Trace()

        def stop(value: int) -> None:
            trace.append(value)
            raise EOFError("enough")

        repeat_value(1).subscribe(stop, trace.on_error)
        self.assertEqual(trace, [1, "EOFError: enough"])

    def test_names(self) -> None:
        subject: Subject[int] = Subject()
        subject.name = "numbers"
        self.assertEqual(subject.skip(1).name, "numbers.skip")
        self.assertIn("numbers", repr(subject.map(str)))


class Subjects(Case):
    def test_kinds(self) -> None:
        behavior, replay = BehaviorSubject(0), ReplaySubject[int](2)
        last: AsyncSubject[int] = AsyncSubject()
        for subject in (behavior, replay, last):
            for i in (1, 2, 3):
                subject.on_next(i)
        self.assertEqual(behavior.value, 3)
        self.assertEqual(told(behavior), [3])
        self.assertEqual(told(replay), [2, 3])
        last.on_completed()
        self.assertEqual(told(last), [3, "|"])

    def test_reentrancy(self) -> None:
        def game(reentrancy: Reentrancy) -> list[str]:
            subject: Subject[int] = Subject(reentrancy=reentrancy)
            trace: list[str] = []

            def first(value: int) -> None:
                trace.append(f"a{value}")
                if value == 1:
                    subject.on_next(2)

            subscriptions = [
                subject.subscribe(first, lambda e: trace.append(repr(e))),
                subject.subscribe(lambda v: trace.append(f"b{v}")),
            ]
            subject.on_next(1)
            for each in subscriptions:
                each.dispose()
            return trace

        self.assertEqual(game(Reentrancy.QUEUE), ["a1", "b1", "a2", "b2"])
        self.assertEqual(game(Reentrancy.DEPTH_FIRST), ["a1", "a2", "b2", "b1"])
        self.assertIn("EREENTRANT", str(BelayError(-20006)))
        self.assertTrue(game(Reentrancy.REJECT)[1].startswith("BelayError(EREENTRANT"))

    def test_batches(self) -> None:
        subject: Subject[object] = Subject()
        trace = Trace()
        with subject.subscribe(trace):
            subject.on_next_batch([1, "a", None])
            subject.on_next_batch(range(5, 1, -2))
            subject.on_next_batch(array("d", [0.5, 1.5]))
            subject.on_next_batch(array("q", [-1]))
            subject.on_next_batch(memoryview(array("B", [255])))
            subject.on_next_batch(x * x for x in (2, 3))
            subject.on_next_batch(range(2**70, 2**70 + 1))
            subject.on_next_batch({7: 8})
        self.assertEqual(trace, [1, "a", None, 5, 3, 0.5, 1.5, -1, 255, 4, 9, 2**70, 7])
        with subject.count().subscribe(trace):
            subject.on_next_batch(range(1000))
            subject.on_completed()
        self.assertEqual(trace[-2:], [1000, "|"])

    def test_an_iterators_exception_comes_after_what_it_gave(self) -> None:
        def numbers() -> object:
            yield 1
            raise KeyError("two")

        subject: Subject[int] = Subject()
        trace = Trace()
        with subject.subscribe(trace), self.assertRaises(KeyError):
            subject.on_next_batch(numbers())  # type: ignore[arg-type]
        self.assertEqual(trace, [1])

    def test_from_another_thread_it_says_so(self) -> None:
        import threading

        subject: Subject[int] = Subject()
        shared: Subject[int] = Subject(shared=True)
        trace: list[object] = []
        shared.subscribe(trace.append)

        def send() -> None:
            shared.on_next(1)
            try:
                subject.on_next(1)
            except BelayError as error:
                trace.append(error.name)

        thread = threading.Thread(target=send)
        thread.start()
        thread.join()
        self.assertEqual(trace, [1, "ENOHOME"])


class Errors(Case):
    def test_an_exception_is_the_error_itself_with_its_traceback(self) -> None:
        def fails(value: int) -> int:
            return 1 // value

        caught: list[BaseException] = []
        for signal in (
            of(0).map(fails),
            of(0).map(fails).skip(0),
            of(0).scan(lambda a, v: fails(v), 0),
            of(0).flat_map(fails),  # type: ignore[arg-type]
            of(0).take_while(fails),
            of(0).attempt(fails),
            of(0).do(fails),
            of(0).distinct(fails),
            of(0).map_error(lambda e: e).map(fails),
            libbelay.zip(of(0), of(0), combiner=lambda a, b: fails(a)),
            libbelay.defer(lambda: fails(0)),  # type: ignore[arg-type, return-value]
            create(lambda subscriber: fails(0)),
            libbelay.from_(fails(x) for x in (0,)),
            libbelay.generate(0, None, fails),
            libbelay.using(lambda: fails(0), lambda _: of(1)),
            of(1).reduce(lambda a, v: fails(0), 0),
            of(0).map(fails).catch(lambda e: throw(e)),
        ):
            caught.clear()
            signal.subscribe(None, caught.append)
            (error,) = caught
            self.assertIsInstance(error, ZeroDivisionError)
            self.assertIn("1 // value", "".join(traceback.format_exception(error)))
        # The traceback has this frame: without this they keep each other.
        del signal, error
        caught.clear()

    def test_what_on_next_raises_is_the_error_event_and_ends_it(self) -> None:
        subject: Subject[int] = Subject()
        trace = Trace()

        def fails(value: int) -> None:
            trace.append(value)
            raise ValueError(value)

        subscription = subject.subscribe(
            fails, trace.on_error, trace.on_completed, on_disposed=lambda: trace.append("disposed")
        )
        other = subject.subscribe(trace)
        subject.on_next(1)
        self.assertEqual(trace, [1, "ValueError: 1", "disposed", 1])
        self.assertTrue(subscription.is_disposed)
        other.dispose()

    def test_a_batch_ends_with_it(self) -> None:
        subject: Subject[int] = Subject()
        trace = Trace()

        def fails(value: int) -> None:
            trace.append(value)
            if value == 2:
                raise ValueError(value)

        subject.subscribe(fails, trace.on_error)
        subject.on_next_batch(range(10))
        self.assertEqual(trace, [0, 1, 2, "ValueError: 2"])

    def test_belays_errors(self) -> None:
        trace: list[BaseException] = []
        of(1).element_at(5).subscribe(None, trace.append)
        error = trace.pop()
        assert isinstance(error, BelayError)
        self.assertEqual((error.name, error.domain), ("ERANGE", "belay"))
        with self.assertRaises(BelayError) as caught:
            of(1).buffer(0)
        self.assertEqual(caught.exception.name, "EINVAL")
        self.assertIsNone(caught.exception.__context__)

    def test_pointers_of_others_are_described(self) -> None:
        """None of them is taken for an object."""
        trace: list[Any] = []
        for raw in (lib.belay_pointer(ffi.cast("void *", 16)), lib.belay_pointer(ffi.NULL)):
            Signal._of(lib.belay_signal_just(raw)).subscribe(trace.append)
        self.assertTrue(all(isinstance(each, str) for each in trace), trace)
        self.assertIn("0x10", trace[0])
        pointer = lib.belay_pointer(ffi.cast("void *", 16))
        error = lib.belay_error_create(-5, b"python", b"it failed", pointer, ffi.NULL)
        failing: Signal[Any] = Signal._of(lib.belay_signal_error(error))
        lib.belay_error_release(error)
        errors: list[BaseException] = []
        failing.subscribe(None, errors.append)
        assert isinstance(errors[0], BelayError)
        self.assertEqual((errors[0].domain, errors[0].code), ("python", -5))

    def test_an_error_is_what_python_calls_it(self) -> None:
        for code, expected in (
            (lib.BELAY_ETIMEDOUT, TimeoutError), (lib.BELAY_EINVAL, ValueError),
            (lib.BELAY_EKIND, TypeError), (lib.BELAY_ENOENT, LookupError), (-13, PermissionError),
            (-5, OSError), (lib.BELAY_ENOHOME, RuntimeError), (lib.BELAY_EAGAIN, queue.Full),
            (lib.BELAY_EDEAD, ReferenceError),
        ):  # fmt: skip
            error = BelayError(code, "text")
            self.assertIsInstance(error, expected)
            self.assertEqual((error.code, error.message), (code, "text"))
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(again), again.code, str(again)), (type(error), code, str(error)))
        self.assertNotIsInstance(BelayError(lib.BELAY_EENDED), OSError)

    def test_a_failed_call_names_itself_and_what_helps(self) -> None:
        with self.assertRaisesRegex(ValueError, r"EINVAL: buffer\(count=0, skip=None\): "):
            of(1).buffer(0)
        subject: Subject[int] = Subject()
        raised: list[str] = []

        def send() -> None:
            try:
                subject.on_next(1)
            except RuntimeError as error:
                raised.append(str(error))

        thread = threading.Thread(target=send)
        thread.start()
        thread.join()
        self.assertIn("ENOHOME", raised[0])
        self.assertIn("shared=True", raised[0])

    def test_an_exception_that_was_a_value_becomes_one_again(self) -> None:
        error = KeyError("x")
        for signal in (
            throw(error).materialize().dematerialize(),
            throw(error).materialize().map(lambda v: v).dematerialize(),
            of([0, 1], [1, error]).dematerialize().skip(1),
        ):
            caught: list[BaseException] = []
            signal.subscribe(None, caught.append)
            self.assertIs(caught[0], error)
        self.assertEqual(told(of([0, 1], [2]).dematerialize()), [1, "|"])

    def test_errors_go_through_subjects_and_back(self) -> None:
        subject: Subject[int] = Subject()
        error = OSError(2, "no such thing")
        trace: list[BaseException] = []
        subject.map_error(lambda e: RuntimeError(str(e))).subscribe(None, trace.append)
        subject.subscribe(None, trace.append)
        subject.on_error(error)
        self.assertEqual(repr(trace.pop(0)), "RuntimeError('[Errno 2] no such thing')")
        self.assertIs(trace.pop(), error)

    def test_what_nobody_handles_goes_to_the_hook(self) -> None:
        heard: list[tuple[str, str | None]] = []
        before = libbelay.on_unhandled_error(lambda e, name: heard.append((repr(e), name)))
        named = throw(ValueError(1))
        named.name = "named"
        named.subscribe()
        of(1).subscribe(lambda v: list[int]().pop())
        libbelay.on_unhandled_error(before)
        self.assertEqual(
            heard, [("ValueError(1)", "named"), ("IndexError('pop from empty list')", None)]
        )

    def test_overlaps_are_told_once(self) -> None:
        heard: list[tuple[str, str, str | None]] = []
        subject: Subject[int] = Subject()
        subject.name = "fed"
        fed = subject.take(3).subscribe(lambda n: subject.on_next(n + 1))
        libbelay.on_overlap(lambda *overlap: heard.append(overlap))
        subject.on_next(0)
        libbelay.on_overlap(None)
        self.assertEqual(heard, [("nested", "subject", "fed.take")])
        fed.dispose()

    def test_slow_callbacks(self) -> None:
        heard: list[tuple[float, str]] = []
        subject: Subject[int] = Subject()
        subject.name = "numbers"
        subscription = subject.take(3).subscribe(lambda n: None)
        libbelay.on_slow_callback(0, lambda *slow: heard.append(slow))
        subject.on_next(0)
        libbelay.on_slow_callback(3600, lambda *slow: heard.append(slow))
        subject.on_next(0)
        with self.assertRaises(ValueError):
            libbelay.on_slow_callback(-1, lambda *slow: None)
        libbelay.on_slow_callback(0, None)
        self.assertEqual([name for _, name in heard], ["numbers.take"])
        self.assertGreaterEqual(heard[0][0], 0)
        subscription.dispose()

    def test_what_is_no_exception_leaves_the_call(self) -> None:
        subject: Subject[int] = Subject()
        trace = Trace()

        def leave(value: int) -> None:
            sys.exit(3)

        subject.subscribe(leave, trace.on_error)
        with self.assertRaises(SystemExit):
            subject.on_next(1)
        with self.assertRaises(KeyboardInterrupt):
            of(1).map(lambda v: (_ for _ in ()).throw(KeyboardInterrupt())).subscribe(trace)
        self.assertEqual(trace, ["SystemExit: 3", "KeyboardInterrupt: "])


class Producers(Case):
    def test_what_it_returns_ends_it(self) -> None:
        trace = Trace()
        for teardown in (
            lambda: trace.append("end"),
            libbelay.Disposable(lambda: trace.append("end")),
        ):

            def produce(subscriber: libbelay.Subscriber[int]) -> object:
                subscriber.on_next_batch([1])
                subscriber.add(lambda: trace.append("added"))
                subscriber.on_completed()
                self.assertTrue(subscriber.is_disposed)
                return teardown

            create(produce).subscribe(trace)
        self.assertEqual(trace, [1, "|", "added", "end"] * 2)

    def test_another_thread_may_end_a_subscriber_that_is_sending(self) -> None:
        for many in False, True:
            kept: list[libbelay.Subscriber[int]] = []
            trace: list[object] = []

            def hear(value: int) -> None:
                def end() -> None:
                    with self.assertRaisesRegex(BelayError, "ENOHOME"):
                        kept[0].on_completed()

                thread = threading.Thread(target=end)
                thread.start()
                thread.join()
                trace.append(libbelay.live_counts()["subscribers"] - before)

            create(kept.append).subscribe(hear, on_disposed=lambda: trace.append("disposed"))
            before = libbelay.live_counts()["subscribers"]
            if many:
                kept[0].on_next_batch(iter([1]))
            else:
                kept[0].on_next(1)
            self.assertEqual(trace, [0, "disposed"])
            kept[0].on_next(2)

    def test_a_subscriber_may_be_kept_and_dropping_it_interrupts(self) -> None:
        kept: list[libbelay.Subscriber[int]] = []
        trace = Trace()
        create(kept.append).subscribe(
            trace, on_disposed=lambda: trace.append("disposed")
        )
        kept[0].on_next(1)
        self.assertEqual(trace, [1])
        kept.clear()
        self.assertEqual(trace, [1, "disposed"])
