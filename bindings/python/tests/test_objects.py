"""Observed properties of objects; calls through C's tables of functions."""

import ctypes
import gc
import unittest
from typing import Any

from libbelay import BelayError, Owner, Property, Subject, owner_of
from libbelay.interception import (
    Interface, Invocation, Proxy, Slot, adopted, did_end, responds, set_responder, table_gone,
    will_end,
)  # fmt: skip
from libbelay.objects import (
    Change, bind_property, changing, follow, get_property, observe, observe_changes, set_property,
)  # fmt: skip
from support import Case, Trace


class Thing:
    """Something that can be referred to weakly."""


class Observing(Case):
    def test_a_property_through_other_objects(self) -> None:
        session, user, other = Thing(), Thing(), Thing()
        set_property(user, "name", "Ada")
        set_property(other, "name", "Alan")
        set_property(session, "user", user)
        trace = Trace()
        observe(session, "user.name").subscribe(trace)
        set_property(user, "name", "Ada L.")
        set_property(session, "user", other)
        set_property(session, "user.name", "Alan T.")
        self.assertEqual(get_property(session, "user.name"), "Alan T.")
        self.assertIsInstance(get_property(session, "user"), Owner)
        del session
        self.assertEqual(trace, ["Ada", "Ada L.", "Alan", "Alan T.", "|"])

    def test_records(self) -> None:
        with Owner() as owner:
            set_property(owner, "n", 1)
            records: list[Change] = []
            observe_changes(owner, "n", initial=True, prior=True).subscribe(records.append)
            set_property(owner, "n", 2)
            with changing(owner):
                set_property(owner, "n", 3)
                set_property(owner, "n", 4)
            told = [(r.value, r.old) for r in records if not r.is_prior]
            self.assertEqual(told, [(1, None), (2, 1), (4, 2)])
            self.assertTrue(records[0].is_initial)
            self.assertEqual([r.value for r in records if r.is_prior], [1, 2])
            self.assertFalse(any(r.is_death for r in records))
            records.clear()

    def test_the_death_of_the_object_is_none_if_asked(self) -> None:
        thing, trace = Thing(), Trace()
        records: list[Change] = []
        set_property(thing, "level", 3)
        observe(thing, "level", death=True).subscribe(trace)
        observe_changes(thing, "level", death=True).subscribe(records.append)
        del thing
        self.assertEqual(trace, [3, None, "|"])
        self.assertEqual([(r.value, r.is_death) for r in records], [(None, True)])

    def test_observers_and_bindings(self) -> None:
        thing, observer = Thing(), Thing()
        source: Subject[int] = Subject()
        bind_property(source, thing, "level")
        trace = Trace()
        observe(thing, "level", observer=observer, initial=False).subscribe(trace)
        source.on_next(3)
        self.assertEqual(get_property(thing, "level"), 3)
        del observer
        source.on_next(4)
        self.assertEqual(trace, [3, "|"])
        self.assertIsNone(get_property(thing, "nothing"))
        with changing(thing, "level"):
            pass


    def test_two_sides_follow_each_other(self) -> None:
        thing, box = Thing(), Property(0)
        set_property(thing, "celsius", 20)
        with follow(
            (thing, "celsius"), box, both_ways=True,
            convert=lambda c: c * 9 // 5 + 32, back=lambda f: (f - 32) * 5 // 9,
        ):  # fmt: skip
            self.assertEqual(box.value, 68)
            box.value = 212
            self.assertEqual(get_property(thing, "celsius"), 100)
        set_property(thing, "celsius", 0)
        self.assertEqual(box.value, 212)


Function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


class Table(ctypes.Structure):
    _fields_ = [("twice", Function), ("thrice", Function)]
    twice: Any
    thrice: Any


class Device(ctypes.Structure):
    _fields_ = [("table", ctypes.c_void_p)]


def address(thing: Any) -> int:
    return ctypes.addressof(thing)


def twice_of(context: Any, n: int) -> int:
    return n * 2


def thrice_of(context: Any, n: int) -> int:
    return n * 3


TWICE, THRICE = Function(twice_of), Function(thrice_of)
METHODS = {"twice": (Table.twice.offset, "i@i"), "thrice": (Table.thrice.offset, "i@i")}
SIZE = ctypes.sizeof(Table)
INTERFACE = Interface("device", SIZE, METHODS, table_offset=0)


class Intercepting(Case):
    def test_a_table_is_observed_changed_and_put_back(self) -> None:
        table = Table(TWICE, THRICE)
        slot = Slot.of_table(INTERFACE, address(table), "twice")
        trace = Trace()
        with slot.sent.subscribe(trace), slot.invoked.subscribe(trace):

            def add_one(call: Invocation) -> None:
                self.assertEqual((call.method, call.arguments), ("twice", [5]))
                call[0] = 6
                call.result = call.proceed() + 1

            with slot.around(add_one):
                self.assertEqual(table.twice(None, 5), 13)
            slot.check()
            self.assertNotEqual(slot.original, 0)
            self.assertEqual(table.twice(None, 5), 10)
        self.assertEqual(trace, [[5], [5, 13], [5], [5, 10]])
        self.assertEqual(table.twice(None, 5), 10)
        table_gone(address(table))
        with self.assertRaises(ReferenceError):
            slot.check()

    def test_responders_defaults_and_combiners(self) -> None:
        table = Table(TWICE, Function())
        slot = Slot.of_table(INTERFACE, address(table), "thrice")
        slot.set_default(7)
        with slot.sent.subscribe():
            self.assertEqual(table.thrice(None, 1), 7)
        slot.set_combiner(lambda *answers: sum(answers))
        with slot.respond(lambda call: call[0]), slot.respond(lambda call: 10):
            self.assertEqual(table.thrice(None, 5), 15)
        table_gone(address(table))

    def test_one_object_and_its_death(self) -> None:
        table = Table(TWICE, THRICE)
        one, two = Device(address(table)), Device(address(table))
        owner = adopted(address(one))
        trace = Trace()
        slot = Slot.of_object(INTERFACE, owner, "twice")
        slot.invoked.subscribe(trace)

        def twice(device: Device) -> int:
            answer: int = Table.from_address(device.table or 0).twice(address(device), 4)
            return answer

        self.assertEqual((twice(one), twice(two)), (8, 8))
        self.assertNotEqual(one.table, two.table)
        will_end(address(one))
        did_end(address(one))
        self.assertEqual(one.table, two.table)
        self.assertEqual(trace, [[4, 8], "|"])

    def test_a_proxy_stands_before_the_delegate(self) -> None:
        installed: list[int] = []

        def install(device: int, table: int) -> int:
            installed.append(table or 0)
            return 0

        function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(install)
        at = ctypes.cast(function, ctypes.c_void_p).value or 0
        interface = Interface("delegate", SIZE, METHODS, install=at)
        delegate, device = Table(TWICE, THRICE), Device(None)
        proxy = Proxy(adopted(address(device)), interface)
        proxy.forward_to(address(delegate))
        trace = Trace()
        with proxy.slot("thrice").invoked.subscribe(trace):
            self.assertEqual(Table.from_address(proxy.table).thrice(None, 2), 6)
        calls: list[Any] = []

        def note(call: Invocation) -> None:
            calls.append((call.method, call[0]))
            call.proceed()

        with proxy.around(note):
            self.assertEqual(Table.from_address(proxy.table).thrice(None, 5), 15)
        self.assertEqual(calls, [("thrice", 5)])
        self.assertEqual(installed[0], proxy.table)
        proxy.forward_to(0)
        will_end(address(device))
        did_end(address(device))
        self.assertEqual(trace, [[2, 6]])
        del proxy, interface
        gc.collect()

    def test_invocations_of_ones_own(self) -> None:
        call = Invocation(INTERFACE, "twice", 21)
        function = ctypes.cast(TWICE, ctypes.c_void_p).value or 0
        self.assertEqual(call.call(function), 42)
        call.context = 16
        self.assertEqual((call.context, len(call), call.result), (16, 1, 42))
        call.keep_arguments()
        self.assertEqual((INTERFACE.name, INTERFACE.methods), ("device", ["twice", "thrice"]))
        with self.assertRaises(IndexError):
            call[1]
        with self.assertRaises(BelayError) as caught:
            Interface("wrong", SIZE, {"twice": (0, "nonsense")})
        self.assertIn("twice", str(caught.exception))

    def test_calls_are_sent_to_what_responds(self) -> None:
        table = Table(TWICE, Function())
        device = Device(address(table))
        owner = adopted(address(device))

        def forward(call: Invocation) -> bool:
            if call.method == "thrice":
                call.result = call[0] * 3
            return call.method == "thrice"

        set_responder(owner, INTERFACE, address(table), forward)
        self.assertTrue(responds(owner, "twice"))
        self.assertFalse(responds(owner, "thrice"))
        self.assertEqual(Invocation(INTERFACE, "twice", 2).send(owner), 4)
        self.assertEqual(Invocation(INTERFACE, "thrice", 2).send(owner), 6)
        set_responder(owner)
        with self.assertRaises(LookupError):
            Invocation(INTERFACE, "thrice", 2).send(owner)
        will_end(address(device))
        did_end(address(device))

    def test_a_connected_function(self) -> None:
        table = Table(TWICE, THRICE)
        heard: list[int] = []

        def hear(context: Any, n: int) -> None:
            heard.append(n)

        listener = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)(hear)
        slot = Slot.of_table(INTERFACE, address(table), "twice")
        at = ctypes.cast(listener, ctypes.c_void_p).value or 0
        with slot.connect("v@i", at):
            table.twice(None, 9)
        table_gone(address(table))
        self.assertEqual(heard, [9])


class Events(Case):
    def test_an_owners_events_reach_those_who_watch(self) -> None:
        """As the C API has them: by name, until either dies."""
        source, watcher = Thing(), Thing()
        trace: list[Any] = []
        owner_of(watcher).watch(source, "moved", lambda name, info: trace.append((name, info)))
        owner_of(source).post("moved", {"x": 1})
        del watcher
        owner_of(source).post("moved")
        self.assertEqual(trace, [("moved", {"x": 1})])


if __name__ == "__main__":
    unittest.main()
