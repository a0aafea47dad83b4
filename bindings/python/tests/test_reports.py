"""Names and places in reports; homes at which owners die."""

import contextlib
import functools
import os
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Callable, Generator
from typing import Any

import libbelay
from libbelay import (
    AsyncSubject, BehaviorSubject, BelayError, HostScheduler, Loop, Owner, PoolScheduler, Property,
    ReplaySubject, Signal, Subject, VirtualScheduler, Worker, create, immediate,
)  # fmt: skip
from support import Case


def line(before: int = 0) -> str:
    """The place of the call, or a few lines before it."""
    return f"{__file__}:{sys._getframe(1).f_lineno - before}"


@contextlib.contextmanager
def printed() -> Generator[list[str]]:
    """The lines that the library prints meanwhile; a thread may have to end before it does."""
    lines: list[str] = []
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield lines
            end = time.monotonic() + 10
            while os.fstat(2).st_size == 0 and time.monotonic() < end:
                time.sleep(0.001)
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            lines += file.read().decode().splitlines()


def in_a_thread(work: Callable[[], object]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


@contextlib.contextmanager
def busy(worker: Worker) -> Generator[None]:
    """Keeps a worker from other work meanwhile."""
    running, go = threading.Event(), threading.Event()

    def hold() -> None:
        running.set()
        go.wait(10)

    worker.scheduler.schedule(hold)
    running.wait(10)
    try:
        yield
    finally:
        go.set()


def open_at_close(signal: Signal[Any], loop: Loop) -> tuple[str, str | None, str | None]:
    """What the loop's close says about a subscription to the signal."""
    signal.subscribe(lambda value: None)
    [found] = loop.close()
    return found.kind, found.label, found.site


class Reports(Case):
    def test_they_name_every_source(self) -> None:
        kept: list[Any] = []
        kinds: list[Callable[..., Signal[Any]]] = [
            Subject, AsyncSubject, functools.partial(BehaviorSubject, 1),
            functools.partial(ReplaySubject, 1), functools.partial(create, kept.append),
        ]  # fmt: skip
        for make in kinds:
            with self.subTest(make):
                loop = Loop()
                signal = make(label="desk", site="here.py:1")
                self.assertEqual(signal.map(str).name, "desk.map")
                found = open_at_close(signal, loop)
                self.assertEqual(found, ("subscription", "desk", "here.py:1"))
                del signal
        kinds.clear()
        kept.clear()

    def test_the_place_is_that_of_the_program(self) -> None:
        class Readings(Subject[int]):
            pass

        kept: list[Any] = []
        makes: list[Callable[[], tuple[Signal[Any], str]]] = [
            lambda: (Subject(), line()),
            lambda: (BehaviorSubject(1), line()),
            lambda: (ReplaySubject(1), line()),
            lambda: (AsyncSubject(), line()),
            lambda: (create(kept.append), line()),
            lambda: (Readings(), line()),
        ]
        for make in makes:
            loop = Loop()
            signal, place = make()
            self.assertEqual(open_at_close(signal, loop), ("subscription", None, place))
            del signal
        kept.clear()

    def test_they_name_a_property(self) -> None:
        loop = Loop()
        width = Property(3, label="width", loop=loop, capacity=1)
        place = line(1)
        self.assertEqual(width.signal.name, "width")
        self.assertEqual(open_at_close(width.signal, loop), ("subscription", "width", place))
        given: Any = {"shared": True}
        with self.assertRaisesRegex(TypeError, "a property has no option shared"):
            Property(3, **given)
        given = {"name": "x"}
        with self.assertRaisesRegex(TypeError, "a subject has no option name"):
            Subject(**given)

    def test_a_property_has_a_home_and_a_capacity(self) -> None:
        with Loop(persistent=True) as loop:
            widths: list[int] = []
            width = Property(0, loop=loop, capacity=1)

            def feed(value: int) -> None:
                widths.append(value)
                if value == 1:
                    width.value = 2
                    with self.assertRaises(BelayError) as caught:
                        width.value = 3
                    self.assertEqual(caught.exception.name, "EAGAIN")

            with width.signal.subscribe(feed):
                in_a_thread(lambda: setattr(width, "value", 1))
                loop.turn()
            self.assertEqual(widths, [0, 1, 2])

    def test_they_name_a_loop(self) -> None:
        with printed() as lines:
            loop = Loop(label="desk")
            place = line(1)
            loop.scheduler.after(1000, print)
            del loop
        self.assertEqual(lines, [f"belay: closing desk at {place}: still alive: timer"])
        with Loop() as host, printed() as lines:
            loop = Loop.adopt(host.uv, label="guest", site="here.py:1")
            loop.scheduler.after(1000, print)
            del loop
        self.assertEqual(lines, ["belay: closing guest at here.py:1: still alive: timer"])

    def test_a_worker_names_its_thread(self) -> None:
        names: list[str] = []

        def work() -> None:
            with open("/proc/thread-self/comm") as file:
                names.append(file.read().strip())

        for worker in (Worker(label="hasher", site="here.py:1"), Worker()):
            with worker, Loop() as loop:
                libbelay.start(work, worker.scheduler).wait_first(loop, timeout=10)
        self.assertEqual(names, ["hasher", "belay worker"])

    def test_a_worker_has_a_capacity(self) -> None:
        with Worker(capacity=2) as worker, busy(worker):
            for _ in range(2):
                worker.scheduler.schedule(lambda: None)
            with self.assertRaises(BelayError) as caught:
                worker.scheduler.schedule(lambda: None)
            self.assertEqual(caught.exception.name, "EAGAIN")
            self.assertEqual(worker.scheduler.queue_high_water, 2)

    def test_they_name_a_loop_of_the_programs_own(self) -> None:
        def run(**given: Any) -> None:
            work: list[Callable[[], None]] = []
            scheduler = HostScheduler(work.append, lambda seconds, run: work.append(run), **given)
            places.append(line(1))
            scheduler.after(1000, print)
            # It ends with its thread.

        for given, name in (({"label": "frames"}, "frames"), ({}, "loop")):
            places: list[str] = []
            with printed() as lines:
                in_a_thread(lambda: run(**given))
            self.assertEqual(lines, [f"belay: closing {name} at {places[0]}: still alive: timer"])


class Homes(Case):
    def test_an_owner_has_a_name(self) -> None:
        loop = Loop()
        owner = Owner(label="view", loop=loop)
        place = line(1)
        self.assertEqual((owner.label, repr(owner)), ("view", "<Owner view>"))
        self.assertIsNone(Owner().label)
        [found] = loop.close()
        self.assertEqual((found.kind, found.label, found.site), ("owner", "view", place))
        owner.end()
        self.assertIsNone(owner.label)
        loop = Loop()
        owner = Owner(site="here.py:1", loop=loop)
        [found] = loop.close()
        self.assertEqual((found.label, found.site), (None, "here.py:1"))

    def test_an_owner_dies_at_its_loop(self) -> None:
        with Loop() as loop:
            owner, died = Owner(loop=loop), list[int]()
            owner.add(lambda: died.append(threading.get_ident()))
            in_a_thread(owner.end)
            self.assertEqual(died, [])
            loop.turn()
            self.assertEqual(died, [threading.get_ident()])
            with self.assertRaises(ValueError):
                Owner(loop=loop, scheduler=loop.scheduler)
            for homeless in (immediate(), VirtualScheduler()):
                with self.assertRaises(ValueError):
                    Owner(scheduler=homeless)
            not_a_loop: Any = loop.scheduler
            with self.assertRaises(TypeError):
                Owner(loop=not_a_loop)
        with self.assertRaises(BelayError) as caught:
            Owner(loop=loop)
        self.assertEqual(caught.exception.name, "ECLOSED")

    def test_an_owner_dies_at_the_home_of_its_scheduler(self) -> None:
        with Worker(label="helper") as worker, Loop() as loop:
            for scheduler in (worker.scheduler, PoolScheduler(loop), loop.scheduler):
                died, done = list[int](), threading.Event()
                owner = Owner(scheduler=scheduler)
                owner.add(lambda: died.append(threading.get_ident()))
                owner.add(done.set)
                in_a_thread(owner.end)
                end = time.monotonic() + 10
                while not done.is_set() and time.monotonic() < end:
                    libbelay.timer(0.001).wait_first(loop, timeout=10)
                is_here = died == [threading.get_ident()]
                self.assertEqual((len(died), is_here), (1, scheduler == loop.scheduler))

    def test_a_parent_waits_for_a_child_that_dies_elsewhere(self) -> None:
        with Worker() as worker:
            died, done = list[str](), threading.Event()
            with busy(worker):
                parent, child = Owner(), Owner(scheduler=worker.scheduler)
                parent.add_child(child)
                child.notify("child", died.append)
                parent.notify("parent", died.append)
                parent.notify("done", lambda _: done.set())
                parent.end()
                self.assertEqual(died, [])
            self.assertTrue(done.wait(10))
            self.assertEqual(died, ["child", "parent"])


if __name__ == "__main__":
    unittest.main()
