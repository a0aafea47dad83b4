"""Subscribing, sending, ends and values."""

# The callables of the tables below have no types.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

import threading
import weakref
from array import array
from typing import Any

import libbelay
from libbelay import (
    AsyncSubject, BehaviorSubject, BelayError, Reentrancy, ReplaySubject, Subject, create, just, of,
    repeat_value,
)  # fmt: skip
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

    def test_an_object_of_a_subclass_is_the_same_object(self) -> None:
        class Session(libbelay.Owner):
            user = "nobody"

        subject = Subject[int]()
        for value in (
            Session(), subject, BehaviorSubject(1), libbelay.CompositeDisposable(),
            libbelay.VirtualScheduler(), subject.subscribe(),
        ):  # fmt: skip
            self.assertIs(told(just(value))[0], value)
            self.assertIs(told(of([value]))[0][0], value)
        owner, session = libbelay.Owner(), Session()
        self.assertIs(type(told(just(owner))[0]), libbelay.Owner)
        session.user = "somebody"
        self.assertEqual(told(just(session).map(lambda each: each.user)), ["somebody", "|"])
        gone = weakref.ref(session)
        subscription = of(session).concat(libbelay.never()).zip(libbelay.never()).subscribe()
        del session
        self.assertIsNotNone(gone())
        subscription.dispose()
        self.assertIsNone(gone())

    def test_subjects_are_flattened(self) -> None:
        inner = of(BehaviorSubject(3))
        for flat in (
            inner.merge_all(), inner.concat_all(), inner.switch_to_latest(),
            inner.flat_map(lambda each: each),
        ):  # fmt: skip
            self.assertEqual(told(flat.take(1)), [3, "|"])

    def test_signals_are_equal_by_their_handle(self) -> None:
        subject, signal = Subject[int](), of(1)
        staged = signal.map(str)
        for one in (subject, signal, staged):
            again = told(of(one))[0]
            self.assertEqual((again, hash(again)), (one, hash(one)))
            self.assertEqual(told(of(one).contains(one)), [True, "|"])
            self.assertEqual(told(of(one).ignore(one)), ["|"])
            self.assertEqual(told(of(one, one).distinct()), [one, "|"])
        other: Any = libbelay.Signal.from_handle(subject.to_handle(), is_given=True)
        self.assertEqual((other, hash(other)), (subject, hash(subject)))
        self.assertEqual(told(of(subject).contains(other)), [True, "|"])
        self.assertEqual(told(of(subject).distinct_until_changed()), [subject, "|"])
        for different in (Subject[int](), of(1), signal.map(str), 1, None):
            for one in (subject, signal, staged):
                self.assertNotEqual(one, different)
        subject.on_completed()


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
