"""Disposables, owners, and that nothing is left, without the collector's help."""

import ctypes
import functools
import gc
import sys
import unittest
import weakref
from collections.abc import Callable, Generator
from typing import Any

import libbelay
from libbelay import (
    Bag, BelayError, BinaryDisposable, BooleanDisposable, Command, CompositeDisposable, Disposable,
    Owner, Property, RefCountDisposable, ReplaySubject, Request, ScheduledDisposable, ScopedDisposable,
    SerialDisposable, SingleAssignmentDisposable, Subject, VirtualScheduler, WeakOwner, it, of, owner_of,
)  # fmt: skip
from support import Case, Trace, told


class Thing:
    """Something that can be referred to weakly."""

    def __init__(self) -> None:
        self.heard: list[object] = []


class Disposables(Case):
    def test_an_action_runs_once_and_is_dropped(self) -> None:
        trace: list[str] = []
        thing = Thing()
        kept = weakref.ref(thing)
        disposable = Disposable(lambda thing=thing: trace.append("end"))  # type: ignore[misc]
        del thing
        self.assertIsNotNone(kept())
        with disposable:
            self.assertFalse(disposable.is_disposed)
        disposable.dispose()
        self.assertEqual(trace, ["end"])
        self.assertIsNone(kept())
        self.assertTrue(Disposable().is_disposed)
        self.assertIn("disposed", repr(disposable))

    def test_containers(self) -> None:
        trace: list[int] = []
        one, two, three = (Disposable(functools.partial(trace.append, i)) for i in (1, 2, 3))
        group = CompositeDisposable(one)
        key = group.add(two)
        group.add(lambda: trace.append(4))
        self.assertEqual(len(group), 3)
        group.remove(key)
        with self.assertRaises(KeyError):
            group.remove(key)
        group.dispose()
        self.assertEqual(trace, [1, 4])
        BinaryDisposable(two, None).dispose()
        self.assertEqual(trace, [1, 4, 2])
        bag = Bag()
        bag.add(three)
        self.assertEqual(len(bag), 1)
        del bag
        self.assertEqual(trace, [1, 4, 2, 3])

    def test_holders(self) -> None:
        one, two, three = BooleanDisposable(), BooleanDisposable(), BooleanDisposable()
        serial = SerialDisposable()
        serial.set(one)
        self.assertEqual(serial.swap(two), one)
        serial.set(None)
        self.assertTrue(two.is_disposed)
        single = SingleAssignmentDisposable()
        single.set(one)
        with self.assertRaises(BelayError) as caught:
            single.set(three)
        self.assertEqual(caught.exception.name, "EASSIGNED")
        counted = RefCountDisposable(one)
        dependent = counted.dependent()
        counted.dispose()
        self.assertFalse(one.is_disposed)
        dependent.dispose()
        self.assertTrue(one.is_disposed)
        scoped = ScopedDisposable(three)
        del scoped
        self.assertTrue(three.is_disposed)
        clock, four = VirtualScheduler(), BooleanDisposable()
        ScheduledDisposable(clock, four).dispose()
        self.assertFalse(four.is_disposed)
        clock.flush()
        self.assertTrue(four.is_disposed)

    def test_waiting_from_inside(self) -> None:
        subject: Subject[int] = Subject()
        names: list[str] = []

        def wait(value: int) -> None:
            try:
                subscription.dispose_sync()
            except BelayError as error:
                names.append(error.name)

        subscription = subject.subscribe(wait)
        subject.on_next(1)
        subscription.dispose_sync(1)
        self.assertEqual(names, ["EINPROGRESS"])


class Owners(Case):
    def test_a_with_block_ends_what_is_bound(self) -> None:
        subject: Subject[int] = Subject()
        trace = Trace()
        with Owner() as owner:
            subject.subscribe(trace, owner=owner)
            owner.add(lambda: trace.append("action"))
            subject.subscribe(trace.append).disposed_by(owner)
            owner.deallocating.subscribe(lambda _: trace.append("deallocating"))
            owner.deallocated.subscribe(lambda _: trace.append("deallocated"))
            subject.take_during(owner).subscribe(trace)
            subject.on_next(1)
            self.assertFalse(owner.is_dying)
        subject.on_next(2)
        self.assertTrue(owner.is_dying)
        self.assertEqual(
            sorted(map(str, trace)),
            sorted(["1", "1", "1", "deallocating", "action", "|", "deallocated"]),
        )
        self.assertIn("dying", repr(owner))

    def test_dropping_an_owner_is_its_death(self) -> None:
        trace: list[str] = []
        owner = Owner()
        weak = WeakOwner(owner)
        owner.add(lambda: trace.append("end"))
        self.assertEqual(weak(), owner)
        del owner
        self.assertEqual(trace, ["end"])
        self.assertIsNone(weak())

    def test_the_death_of_any_object_disposes(self) -> None:
        subject: Subject[int] = Subject()
        thing = Thing()
        heard = thing.heard
        subscription = subject.subscribe(heard.append, owner=thing)
        self.assertIs(owner_of(thing), owner_of(thing))
        other = Thing()
        self.assertIsNot(owner_of(thing), owner_of(other))
        subject.on_next(1)
        del thing
        self.assertTrue(subscription.is_disposed)
        subject.on_next(2)
        self.assertEqual(heard, [1])
        with self.assertRaises(TypeError):
            owner_of(3)
        with self.assertRaises(TypeError):
            owner_of(heard)

    def test_what_takes_a_dead_ones_place_has_an_owner_of_its_own(self) -> None:
        ends: list[int] = []
        for i in range(1000):
            thing = Thing()
            owner_of(thing).add(functools.partial(ends.append, i))
            del thing
        self.assertEqual(ends, list(range(1000)))

    def test_objects_in_cycles_die_by_the_collector(self) -> None:
        thing = Thing()
        thing.heard.append(thing)
        flag = BooleanDisposable()
        owner_of(thing).add(flag)
        del thing
        self.assertFalse(flag.is_disposed)
        gc.collect()
        self.assertTrue(flag.is_disposed)

    def test_what_has_ended_is_an_object_as_any_other(self) -> None:
        ended = [Owner() for _ in range(10)]
        known = set(ended)
        for each in ended:
            each.end()
        again = [Owner() for _ in range(20)]  # some at the same address
        self.assertFalse([1 for one in ended for other in again if one == other])
        self.assertEqual(ended[0], ended[0])
        self.assertLessEqual(set(ended), known)
        kept: ReplaySubject[object] = ReplaySubject()
        kept.on_next(ended[0])
        kept.on_next([ended[0]])
        kept.on_completed()
        self.assertEqual(told(kept), [ended[0], [ended[0]], "|"])
        with self.assertRaises(BelayError) as caught:
            ended[0].to_handle()
        self.assertEqual(caught.exception.name, "EDEAD")

    def test_what_has_ended_is_dead(self) -> None:
        owner, seen = Owner(), list[str]()
        owner.end()
        owner.end()
        self.assertTrue(owner.is_dying)
        self.assertEqual(owner.notices, [])
        owner.add(lambda: seen.append("action"))
        owner.add(Disposable(lambda: seen.append("disposable")))
        self.assertEqual(seen, ["action", "disposable"])
        for use in (
            lambda: owner.deallocating,
            lambda: owner.deallocated,
            lambda: owner.add_child(Owner()),
            lambda: Owner().add_child(owner),
            lambda: owner.notify("gone", print),
            lambda: owner.remove_notice("gone"),
            lambda: owner.watch(Owner(), "changed", print),
            lambda: Owner().watch(owner, "changed", print),
            lambda: owner.unwatch(),
            lambda: owner.post("changed"),
            lambda: WeakOwner(owner),
            lambda: of(1).subscribe(print, owner=owner),
            lambda: of(1).take_during(owner),
        ):  # fmt: skip
            with self.assertRaises(BelayError) as caught:
                use()
            self.assertEqual(caught.exception.name, "EDEAD")

    def test_the_owner_of_an_object_is_not_ended_by_hand(self) -> None:
        thing = Thing()
        with self.assertRaises(TypeError):
            owner_of(thing).end()

    def test_a_weak_owner_is_a_value(self) -> None:
        owner = Owner()
        subject: Subject[WeakOwner] = Subject()
        seen: list[WeakOwner] = []
        subject.subscribe(seen.append)
        subject.on_next(WeakOwner(owner))
        self.assertIsInstance(seen[0], WeakOwner)
        found = seen[0]()
        assert found is not None
        self.assertFalse(found.is_dying)
        del found
        owner.end()
        self.assertIsNone(seen[0]())

    def test_trees_notices_and_events(self) -> None:
        trace: list[object] = []
        parent, child = Owner(), Owner()
        parent.add_child(child)
        child.notify("gone", lambda name: trace.append(name))
        child.notify("never", trace.append)
        child.notify("last", trace.append)
        self.assertEqual(child.notices, ["gone", "never", "last"])
        child.remove_notice("never")
        self.assertEqual(child.notices, ["gone", "last"])
        child.remove_notice("last")
        self.assertEqual(parent.notices, [])
        child.watch(parent, "moved", lambda name, info: trace.append((name, info)))
        child.watch(parent, "moved", lambda name, info: trace.append("late"), level=1)
        parent.post("moved", (1, 2))
        child.unwatch(parent, "moved", 1)
        parent.post("moved")
        child.unwatch(parent, "moved")
        child.watch(parent, "moved", lambda name, info: trace.append(name))
        child.unwatch(parent)
        child.watch(parent, "moved", lambda name, info: trace.append(name))
        child.unwatch()
        parent.post("moved")
        other = Owner()
        parent.add_child(other)
        parent.remove_child(other)
        parent.end()
        self.assertFalse(other.is_dying)
        self.assertEqual(trace, [("moved", (1, 2)), "late", ("moved", None), "gone"])

    def test_with_owner(self) -> None:
        with Owner() as owner:
            self.assertEqual(told(of(1).with_owner(owner)), [[owner, 1], "|"])


class Properties(Case):
    def test_a_property(self) -> None:
        a, b = Property(1), Property(0)
        trace = Trace()
        a.signal.subscribe(trace)
        with a.channel(b):
            b.value = 5
            a.modify(lambda v: v * 2)
        self.assertEqual((a.value, b.value, trace), (10, 10, [1, 5, 10]))
        with self.assertRaises(ZeroDivisionError):
            a.modify(lambda v: 1 // 0)
        with Owner() as owner:
            b.bind(of(7))
            b.bind(of(8), owner)
        self.assertEqual(b.value, 8)
        self.assertIn("8", repr(b))
        del a
        self.assertEqual(trace[-1], "|")

    def test_a_command(self) -> None:
        inner: Subject[int] = Subject()
        trace = Trace()
        command: Command[int, int] = Command(lambda v: inner.map(lambda x: x * v))
        for signal in (command.values, command.executing, command.enabled, command.errors):
            signal.subscribe(trace)
        run = command.execute(10)
        with self.assertRaises(BelayError) as caught:
            command.execute(1)
        self.assertEqual(caught.exception.name, "EBUSY")
        inner.on_next(2)
        inner.on_completed()
        self.assertEqual(told(run), [20, "|"])
        self.assertIn(20, trace)


    def test_a_request(self) -> None:
        trace = Trace()
        can_close: Request[str, bool] = Request(True, lambda all, one: all and one)
        self.assertIs(can_close.send("empty"), True)

        def is_saved(file: str) -> bool:
            trace.append(file)
            return file != "changed"

        def is_unlocked(file: str) -> bool:
            if file == "locked":
                raise LookupError(file)
            return True

        saved = can_close.subscribe(is_saved)
        can_close.subscribe(is_unlocked)
        self.assertIs(can_close.send("same"), True)
        self.assertIs(can_close.send("changed"), False)
        with self.assertRaises(LookupError):
            can_close.send("locked")
        saved.dispose()
        self.assertIs(can_close.send("changed"), True)
        self.assertEqual(trace, ["same", "changed", "locked"])


class Leaks(Case):
    def test_dropping_everything_frees_everything(self) -> None:
        thing = Thing()
        gone = weakref.ref(thing)

        def hear(value: object, thing: Thing = thing) -> Any:
            thing.heard.append(repr(value))

        def chains() -> list[object]:
            subject: Subject[object] = Subject()
            kept: list[object] = [subject]
            for signal in (
                subject.map(hear), subject.map(hear).skip(1), subject.filter(hear).map(it + 1),
                subject.flat_map(lambda v: hear(v) or [v]), subject.scan(lambda a, v: hear(v),
                thing), subject.group_by(hear), subject.do(hear).share(), subject.debounce(1, hear,
                clock), subject.catch(lambda e: [thing]), subject.start_with(thing),
                subject.distinct(hear), subject.with_latest_from([thing], combiner=lambda a, b:
                hear(a)),
            ):  # fmt: skip
                signal.subscribe(hear, hear, lambda: hear(None))
                kept.append(signal)
            subject.on_next(thing)
            return kept

        clock = VirtualScheduler()
        made = chains()
        del thing
        hear.__defaults__ = None
        self.assertIsNotNone(gone())
        made.clear()
        del clock
        self.assertIsNone(gone())

    def test_references_to_what_is_shared_come_back(self) -> None:
        def hear(value: object) -> None: ...

        before = sys.getrefcount(hear), sys.getrefcount(None)
        for _ in range(1000):
            with Subject[int]().map(hear).skip(1).map(hear).subscribe(hear, hear):
                of(None, True, False).map(lambda v: v).subscribe(hear, hear)
        after = sys.getrefcount(hear), sys.getrefcount(None)
        self.assertEqual(before[0], after[0])
        self.assertLess(abs(before[1] - after[1]), 50)

    def test_values_in_queues_are_given_back(self) -> None:
        thing = Thing()
        gone = weakref.ref(thing)
        with libbelay.Loop() as loop:
            loop.scheduler.schedule(lambda: None)
            of(thing).concat(libbelay.never()).delay(60).subscribe(print)
            of(thing).observe_on(loop.scheduler).subscribe(print)
            libbelay.zip(of(thing).concat(libbelay.never()), libbelay.never()).subscribe(print)
            del thing
            self.assertIsNotNone(gone())
        self.assertIsNone(gone())


class Window:
    """Something that uses its handles when it goes."""

    def __init__(self, held: list[Any], use: Callable[[], object]) -> None:
        self.held = held
        self.use = use

    def __del__(self) -> None:
        self.use()


def opened(held: list[Any], use: Callable[[], object]) -> Generator[None, None, None]:
    """The same as a generator, in whose block they are."""
    try:
        yield
    finally:
        use()
        held.clear()


class Cycles(Case):
    """What the collector finds has its handles until all its finalizers have run."""

    def uses(self, make: Callable[[list[Any], Callable[[], object]], object]) -> list[object]:
        """What is alive when the use of handles in a cycle, which are older than that, runs."""
        owner, subject = Owner(), Subject[int]()
        weak = WeakOwner(owner)
        seen: list[tuple[bool, object]] = []
        held: list[Any] = [owner, subject, subject.map(it + 1), subject.skip(1)]
        before = libbelay.live_counts()
        held.append(make(held, lambda: seen.append((weak() is not None, libbelay.live_counts()))))
        del owner, subject, held
        gc.collect()
        self.assertIsNone(weak())
        return [(is_alive, counts == before) for is_alive, counts in seen]

    def test_a_finalizer(self) -> None:
        self.assertEqual(self.uses(Window), [(True, True)])

    def test_a_block_of_a_generator(self) -> None:
        def begun(held: list[Any], use: Callable[[], object]) -> object:
            made = opened(held, use)
            next(made)
            return made

        self.assertEqual(self.uses(begun), [(True, True)])


class RawHandles(Case):
    def test_a_reference_is_given_and_taken(self) -> None:
        signal = libbelay.of(1, 2)
        for is_given in (True, False):
            address = signal.to_handle()
            again: libbelay.Signal[int] = libbelay.Signal[int].from_handle(
                address, is_given=is_given
            )
            trace = Trace()
            again.map(lambda v: v + 1).subscribe(trace)
            self.assertEqual(trace, [2, 3, "|"])
            if not is_given:
                release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(
                    libbelay.function_address("belay_signal_release")
                )
                release(address)
        disposable = libbelay.BooleanDisposable()
        same = libbelay.Disposable.from_handle(disposable.to_handle(), is_given=True)
        same.dispose()
        self.assertTrue(disposable.is_disposed)
        with self.assertRaises(ValueError):
            libbelay.function_address("printf")


if __name__ == "__main__":
    unittest.main()
