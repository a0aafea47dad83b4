"""What is no Exception, such as KeyboardInterrupt, is raised from the call that was under way."""

import contextlib
import functools
import io
import itertools
import sys
import threading
from collections.abc import Callable
from typing import Any

import libbelay
from libbelay import (
    Bag, BelayError, Command, CompositeDisposable, Disposable, Owner, Property, Reentrancy,
    SerialDisposable, Signal, Subject, VirtualScheduler, Worker, create, immediate, of, owner_of,
)  # fmt: skip
from support import Case, Trace


class Leave(BaseException):
    """No Exception."""


def leave(*given: object) -> Any:
    raise Leave


class Thing:
    """Something that can be referred to weakly."""


def in_a_block() -> None:
    with Disposable(leave):
        pass


def by_an_owner() -> None:
    owner = Owner()
    owner.add(leave)
    owner.end()


def by_a_block_of_an_owner() -> None:
    with Owner() as owner:
        owner.add(leave)


def by_a_serial() -> None:
    serial = SerialDisposable()
    serial.set(Disposable(leave))
    serial.set(None)


def by_what_was_disposed() -> None:
    composite = CompositeDisposable()
    composite.dispose()
    composite.add(leave)


def by_a_subscription() -> None:
    subject: Subject[int] = Subject()
    subject.finally_(leave).subscribe().dispose()


def by_an_error() -> None:
    subject: Subject[int] = Subject()
    subject.subscribe(None, leave)
    subject.on_error(ValueError())


def by_a_producer() -> None:
    create(lambda subscriber: subscriber.on_error(ValueError())).subscribe(None, leave)


class Raised(Case):
    def _hook_got_it(self) -> None:
        self.assertEqual({type(error) for error in self.unhandled}, {Leave})
        self.unhandled.clear()

    def test_from_the_call_and_from_no_later_one(self) -> None:
        calls: list[Callable[[], Any]] = [
            lambda: Disposable(leave).dispose(), in_a_block, by_an_owner, by_a_block_of_an_owner,
            by_a_serial, by_what_was_disposed, by_a_subscription, by_an_error, by_a_producer,
            lambda: CompositeDisposable(Disposable(leave)).dispose(),
            lambda: immediate().schedule(leave),
            lambda: Property(1).modify(leave),
            lambda: Command[int, int](leave).execute(1),
            lambda: of(1).subscribe(leave),
        ]  # fmt: skip
        for index, call in enumerate(calls):
            with self.subTest(index):
                with self.assertRaises(Leave):
                    call()
                Subject[int]().on_next(1)
                with self.assertRaises(ValueError):
                    of(1).buffer(0)
        self._hook_got_it()

    def test_the_death_of_an_object_reports_it(self) -> None:
        reported: list[Any] = []

        def report(told: Any) -> None:
            reported.append(told.exc_type)

        self.addCleanup(setattr, sys, "unraisablehook", sys.unraisablehook)
        sys.unraisablehook = report
        thing = Thing()
        owner_of(thing).add(leave)
        del thing
        bag = Bag()
        bag.add(Disposable(leave))
        del bag
        Subject[int]().on_next(1)
        self.assertEqual(reported, [Leave, Leave])
        self._hook_got_it()

    def test_later_work_of_a_worker_does_not_get_it(self) -> None:
        told: list[str] = []
        done = threading.Event()

        def later() -> None:
            try:
                Subject[int]().on_next(1)
                told.append("sent")
            except BaseException as error:
                told.append(repr(error))
            done.set()

        with Worker() as worker:
            worker.scheduler.schedule(leave)
            worker.scheduler.schedule(later)
            self.assertTrue(done.wait(10))
        self.assertEqual(told, ["sent"])
        self._hook_got_it()

    def test_another_callable_of_the_same_call_does_not_get_it(self) -> None:
        subject, other, trace = Subject[int](), Subject[int](), Trace()
        subject.subscribe(leave)
        subject.do(other.on_next).subscribe(trace)
        with self.assertRaises(Leave):
            subject.on_next(1)
        self.assertEqual(trace, [1])
        self._hook_got_it()

    def test_two_callables_of_one_call_leave(self) -> None:
        """What the second exception keeps calls back when it goes."""
        subject, ended = Subject[int](), Trace()

        def leave_with_a_handle(value: int) -> None:
            kept = [Subject[int]()]
            kept[0].finally_(lambda: ended.append("ended")).subscribe()
            raise Leave

        subject.subscribe(leave_with_a_handle)
        subject.subscribe(leave_with_a_handle)
        before = libbelay.on_unhandled_error(lambda error, signal: None)
        with self.assertRaises(Leave):
            subject.on_next(1)
        libbelay.on_unhandled_error(before)
        subject.on_next(2)
        self.assertEqual(ended, ["ended"] * 2)

    def test_handles_that_end_before_it_is_raised_do_not_take_it(self) -> None:
        def make_one(error: BaseException) -> None:
            Disposable(print)

        def send() -> None:
            Subject[int]().on_next(1)
            told.append("sent")

        subject, told = Subject[int](), Trace()
        subject.subscribe(leave, make_one, on_disposed=send)
        with self.assertRaises(Leave):
            subject.on_next(1)
        self.assertEqual(told, ["sent"])

    def test_a_call_that_sends_many_ends_with_it(self) -> None:
        subject, trace = Subject[int](), Trace()
        subject.subscribe(leave)
        subject.subscribe(trace)
        with self.assertRaises(Leave):
            subject.on_next_batch(itertools.count())
        self.assertLess(len(trace), 1000)
        with self.assertRaises(Leave):
            subject.subscribe(leave)
            subject.on_next_batch(range(10**12))
        self._hook_got_it()

    def test_virtual_time_stands_still_behind_it(self) -> None:
        def run() -> None:
            if kind == "step":
                clock.step(9)
            elif kind == "flush":
                clock.flush()
            else:
                clock.advance(9)

        for kind in ("advance", "step", "flush"):
            clock, trace = VirtualScheduler(), Trace()
            clock.after(1, leave)
            clock.after(2, lambda: trace.append(clock.now))
            with self.assertRaises(Leave):
                run()
            self.assertEqual((clock.now, trace), (1, []))
            run()
            self.assertEqual(trace, [2])
        self._hook_got_it()

    def test_virtual_time_at_its_end(self) -> None:
        """Work that is scheduled for the end of the time runs as well."""
        clock, trace = VirtualScheduler(), Trace()
        with clock.every(1, lambda: trace.append(clock.now)):
            end = functools.partial(trace.append, "|")
            clock.after(2, lambda: clock.schedule(lambda: clock.schedule(end)))
            clock.advance(2)
            self.assertEqual((trace, clock.now), ([1, 2, "|"], 2))
            with self.assertRaisesRegex(BelayError, "EAGAIN"):
                clock.flush()
        with self.assertRaisesRegex(BelayError, "EINVAL"):
            clock.advance(-1)

    def test_a_producer_that_leaves_ends_its_subscription_with_it(self) -> None:
        trace = Trace()
        with self.assertRaises(Leave):
            create(leave).subscribe(trace)
        self.assertEqual(trace, ["Leave: "])


class Unhandled(Case):
    def test_what_a_producer_returns_is_checked(self) -> None:
        trace = Trace()
        create(lambda subscriber: 5).subscribe(trace)
        self.assertEqual(trace, ["TypeError: 5 is not callable"])

    def test_what_comes_behind_a_producers_end_goes_to_the_hook(self) -> None:
        def produce(subscriber: Any) -> int:
            subscriber.on_completed()
            return 5

        trace = Trace()
        create(produce).subscribe(trace)
        self.assertEqual(trace, ["|"])
        self.assertEqual([repr(error) for error in self.unhandled], ["TypeError('5 is not callable')"])
        self.unhandled.clear()

    def test_a_hook_that_raises_hides_no_error(self) -> None:
        def hook(error: BaseException, signal: str | None) -> None:
            raise KeyError("hook")

        def divide(value: int) -> float:
            return value / 0

        def printed(*signals: Signal[Any]) -> tuple[int, int]:
            with contextlib.redirect_stderr(io.StringIO()) as text:
                for each in signals:
                    each.subscribe()
            told = text.getvalue()
            return told.count("ZeroDivisionError:"), told.count("KeyError: 'hook'")

        at_the_end = of(1).map(divide)
        within = at_the_end.take(1)
        before = libbelay.on_unhandled_error(hook)
        self.assertEqual(printed(at_the_end, within), (2, 2))
        libbelay.on_unhandled_error(before)
        with libbelay.Loop() as loop:
            loop.on_unhandled_error(hook)
            self.assertEqual(printed(within), (1, 1))

    def test_an_error_is_raised_where_no_callable_can_be_called(self) -> None:
        """At the limit of recursion not even the hook can."""
        subject: Subject[int] = Subject(reentrancy=Reentrancy.DEPTH_FIRST)
        with subject.subscribe(lambda v: subject.on_next(v + 1), print) as subscription:
            with self.assertRaises(RecursionError):
                subject.on_next(0)
            self.assertTrue(subscription.is_disposed)
        subject.on_next(1)

    def test_an_error_event_is_the_last_but_the_disposal(self) -> None:
        def fail(value: int) -> None:
            trace.append(value)
            raise ValueError(value)

        def send(*given: object) -> None:
            trace.append("error" if given else "disposed")
            subject.on_next(2)
            if subscription:
                subscription[0].dispose()
            subject.on_completed()

        for reentrancy in (Reentrancy.QUEUE, Reentrancy.DEPTH_FIRST, Reentrancy.LATEST):
            for which in range(3):
                with self.subTest(reentrancy, which=which):
                    subject, trace = Subject[int](reentrancy=reentrancy), Trace()
                    made: list[Signal[int]] = [subject, subject.map(int), subject.take(9)]
                    subscription: list[Disposable] = []
                    subscription.append(made[which].subscribe(fail, send, on_disposed=send))
                    del made
                    subject.on_next(1)
                    self.assertEqual(trace, [1, "error", "disposed"])
                    del subscription[:]

    def test_what_a_subscriber_raises_behind_its_end_goes_to_the_hook(self) -> None:
        subject, trace = Subject[int](reentrancy=Reentrancy.DEPTH_FIRST), Trace()

        def dive(value: int) -> None:
            if value < 3:
                subject.on_next(value + 1)
            raise ValueError(value)

        subject.subscribe(dive, trace.on_error, on_disposed=lambda: trace.append("disposed"))
        subject.on_next(1)
        ended: Subject[int] = Subject()

        def end_and_raise(value: int) -> None:
            subscription.dispose()
            raise ValueError(value)

        subscription = ended.subscribe(end_and_raise, trace.on_error)
        ended.on_next(9)
        self.assertEqual(trace, ["ValueError: 3", "disposed"])
        self.assertEqual([str(error) for error in self.unhandled], ["2", "1", "9"])
        self.unhandled.clear()

    def test_what_a_hook_raises_that_is_no_exception_is_raised(self) -> None:
        before = libbelay.on_unhandled_error(leave)
        try:
            with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(Leave):
                of(1).map(lambda value: value / 0).subscribe()
        finally:
            libbelay.on_unhandled_error(before)
        Subject[int]().on_next(1)
