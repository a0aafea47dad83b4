"""Loops, schedulers, files and waiting."""

import functools
import os
import queue
import signal
import tempfile
import threading
import time
import unittest

import libbelay
from libbelay import (
    BelayError, Loop, PoolScheduler, Subject, SubscriptionScheduler, Worker, file_lines, interval,
    POLL_READABLE, EntryKind, directory_list, file_chunks, file_events, file_poll, file_read, file_write,
    host_name, lookup, of, poll, posix_signal, ticks, timer, tree_events, udp, wall_timer, work, it,
)  # fmt: skip
from support import Case, Trace


def written_name(loop: Loop, events: libbelay.Signal[tuple[str, int]], path: str | bytes) -> str:
    """The name in the first of `events` after something has been written to the file."""
    trace: list[str] = []
    with events.subscribe(lambda event: trace.append(event[0])):
        while not trace:
            with open(path, "a") as file:
                file.write("x")
            loop.turn()
    return trace[0]


def run_until(running: threading.Event, go: threading.Event) -> None:
    """Tells that it runs, and does until it is told to go."""
    running.set()
    go.wait(10)


class Loops(Case):
    def test_it_runs_until_nothing_is_left(self) -> None:
        trace = Trace()
        with Loop() as loop:
            self.assertIs(Loop.current(), loop)
            timer(0.02).map_to("timer").subscribe(trace)
            loop.post(lambda: trace.append("post"))
            loop.scheduler.after(0.04, lambda: trace.append("after"))
            self.assertTrue(loop.is_alive)
            self.assertFalse(loop.run())
            self.assertGreater(loop.turns, 0)
        self.assertEqual(trace, ["post", "timer", "|", "after"])
        self.assertIsNone(Loop.current())

    def test_stopping(self) -> None:
        with Loop(persistent=True) as loop:
            thread = threading.Timer(0.01, loop.stop)
            thread.start()
            self.assertTrue(loop.run())
            thread.join()
            loop.stop()
            self.assertTrue(loop.run())

    def test_a_thread_has_one(self) -> None:
        seen: list[str] = []
        with Loop() as one:
            with Loop(quiet=True) as other:
                self.assertIsNot(one, other)
                self.assertIs(Loop.current(), one)
                other.post(lambda: seen.append("other"))
            one.post(lambda: seen.append("one"))
            one.run()
        self.assertEqual(seen, ["one"])

    def test_what_was_open_is_told_at_the_close(self) -> None:
        loop = Loop()
        ends: list[str] = []
        interval(60).subscribe(on_disposed=lambda: ends.append("disposed"))
        found = [each for each in loop.close() if each.kind == "subscription"]
        self.assertEqual(len(found), 1)
        self.assertIs(found[0].is_foreign, False)
        self.assertIn(found[0].label, (None, "interval"))
        self.assertEqual(ends, ["disposed"])
        with self.assertRaises(BelayError):
            loop.close()

    def test_without_a_loop_time_says_so(self) -> None:
        with self.assertRaisesRegex(BelayError, "this thread has no loop"):
            timer(1)
        with self.assertRaisesRegex(BelayError, "this thread has no loop"):
            file_lines("x")
        with self.assertRaises(BelayError) as caught:
            libbelay.current_scheduler()
        self.assertEqual(caught.exception.name, "ENOHOME")

    def test_a_host_can_drive_it(self) -> None:
        import select

        with Loop() as loop:
            trace = Trace()
            timer(0.002).subscribe(trace)
            while loop.turn():
                time = loop.backend_timeout
                assert time is not None
                select.select([loop.backend_fd], [], [], time)
            self.assertIsNone(loop.backend_timeout)
            self.assertNotEqual(loop.uv, 0)
            self.assertGreater(loop.now, 0)
            self.assertEqual(trace, [0, "|"])

    def test_a_loop_of_somebody_elses(self) -> None:
        import ctypes

        uv = ctypes.CDLL("libuv.so.1")
        theirs = ctypes.create_string_buffer(uv.uv_loop_size())
        uv.uv_loop_init(theirs)
        loop = Loop.adopt(ctypes.addressof(theirs), capacity=2, quiet=True)
        self.assertEqual(loop.uv, ctypes.addressof(theirs))
        trace = Trace()
        timer(0.001).subscribe(trace)
        with self.assertRaises(BelayError):
            loop.turn()
        uv.uv_run(theirs, 0)
        self.assertEqual(trace, [0, "|"])
        subject: libbelay.Subject[int] = libbelay.Subject(loop=loop)
        refused: list[str] = []

        def fill() -> None:
            try:
                for i in range(3):
                    subject.on_next(i)
            except queue.Full as error:
                refused.append(str(error))

        thread = threading.Thread(target=fill)
        thread.start()
        thread.join()
        self.assertEqual(len(refused), 1)
        uv.uv_run(theirs, 2)  # one turn, which empties the queue
        self.assertEqual(uv.uv_loop_alive(theirs), 0)
        loop.close()
        uv.uv_run(theirs, 0)
        # A persistent one keeps the host's loop going.
        loop = Loop.adopt(ctypes.addressof(theirs), persistent=True)
        self.assertNotEqual(uv.uv_loop_alive(theirs), 0)
        loop.close()
        uv.uv_run(theirs, 0)
        self.assertEqual(uv.uv_loop_close(theirs), 0)

    def test_moving_to_another_thread(self) -> None:
        loop = Loop()
        heard: list[object] = []
        timer(0).subscribe(heard.append)

        def elsewhere() -> None:
            loop.bind()
            loop.run()
            loop.close()

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        self.assertEqual(heard, [0])
        del loop
        Loop().close()  # a thread remembers its last one

    def test_an_interrupt_leaves_the_run(self) -> None:
        # A shell that runs this in the background may have it ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with Loop(persistent=True) as loop:
            threading.Timer(0.02, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt):
                loop.run()

    def test_an_exit_in_a_callable_leaves_the_run(self) -> None:
        with Loop() as loop:
            libbelay.on_unhandled_error(lambda e, s: None)

            def leave() -> None:
                raise SystemExit(4)

            loop.scheduler.schedule(leave)
            with self.assertRaises(SystemExit):
                loop.run()

    def test_its_own_hook(self) -> None:
        heard: list[object] = []
        with Loop() as loop:
            loop.on_unhandled_error(lambda error, name: heard.append((repr(error), name)))
            source = timer(0)
            source.name = "t"
            source.flat_map(lambda _: libbelay.throw(ValueError())).subscribe()
            loop.run()
            loop.on_unhandled_error(None)
        self.assertEqual(heard, [("ValueError()", "t.flat_map")])

    def test_waiting(self) -> None:
        with Loop() as loop:
            self.assertEqual(interval(0.001).wait_first(loop), 0)
            self.assertEqual(interval(0.001).take(3).wait_last(loop, 5), 2)
            for source, name in ((libbelay.never(), "ETIMEDOUT"), (libbelay.empty(), "EENDED")):
                with self.assertRaises(BelayError) as caught:
                    source.wait_first(loop, 0.001)
                self.assertEqual(caught.exception.name, name)
            with self.assertRaises(ZeroDivisionError):
                timer(0).map(lambda v: 1 // v).wait_last(loop)


class Schedulers(Case):
    def test_work(self) -> None:
        trace: list[object] = []
        with Loop() as loop:
            scheduler = loop.scheduler
            scheduler.schedule(lambda: trace.append("never")).dispose()
            every = scheduler.every(0.001, lambda: trace.append(len(trace)), first=0)

            def recursive(recursion: libbelay.Recursion) -> None:
                trace.append("again")
                if trace.count("again") < 3:
                    recursion.again()

            scheduler.recursive(recursive)
            while trace.count("again") < 3 or len(trace) < 6:
                loop.turn(wait=True)
            every.dispose()
            self.assertGreaterEqual(scheduler.queue_high_water, 0)
            self.assertGreater(scheduler.now, 0)
            self.assertNotEqual(libbelay.current_scheduler(), scheduler)  # which is no user's
            self.assertIsInstance(SubscriptionScheduler(scheduler), libbelay.Scheduler)
        self.assertNotIn("never", trace)

    def test_nested_work_of_the_trampoline_follows(self) -> None:
        trace: list[int] = []
        trampoline = libbelay.trampoline()

        def outer() -> None:
            trampoline.schedule(lambda: trace.append(2))
            trace.append(1)

        trampoline.schedule(outer)
        self.assertEqual(trace, [1, 2])


class Files(Case):
    def test_lines(self) -> None:
        with tempfile.TemporaryDirectory() as directory, Loop() as loop:
            path = os.path.join(directory, "lines")
            with open(path, "wb") as file:
                file.write("one\r\ntwö\n\xff".encode("utf-8")[:-2] + b"\xff")
            trace = Trace()
            file_lines(path).subscribe(trace)
            file_lines(os.path.join(directory, "none")).subscribe(trace)
            loop.run()
            (failure,) = (each for each in trace if str(each).startswith("BelayError"))
            self.assertEqual(failure[:18], "BelayError: ENOENT")
            with self.assertRaises(FileNotFoundError):
                file_lines(os.path.join(directory, "none")).wait_first(loop)
            trace.remove(failure)
            self.assertEqual(trace, ["one", "twö", b"\xff", "|"])

    def test_following(self) -> None:
        with tempfile.NamedTemporaryFile("w") as file, Loop() as loop:
            file.write("old\n")
            file.flush()
            trace: list[str | bytes] = []
            lines = file_lines(file.name, follow=True, from_end=True)
            with lines.subscribe(trace.append):
                loop.scheduler.after(0.02, lambda: print("new", file=file, flush=True))
                while not trace:
                    loop.turn(wait=True)
            self.assertEqual(trace, ["new"])

    def test_posix_signals(self) -> None:
        with Loop() as loop:
            loop.scheduler.after(0.01, lambda: os.kill(os.getpid(), signal.SIGUSR1))
            self.assertEqual(posix_signal(signal.SIGUSR1).wait_first(loop, 5), signal.SIGUSR1)


class Sources(Case):
    def test_ticks_and_descriptors(self) -> None:
        with Loop() as loop:
            trace: list[int] = []
            for place in ("idle", "prepare", "check"):
                ticks(place).take(2).subscribe(trace.append)
            loop.run()
            self.assertEqual(trace.count(0), 3)
            reader, writer = os.pipe()
            os.write(writer, b"x")
            self.assertEqual(poll(reader, POLL_READABLE).wait_first(loop, 5), POLL_READABLE)
            os.close(reader)
            os.close(writer)

    def test_the_wall_clock(self) -> None:
        with Loop() as loop:
            due = time.time() + 0.02
            self.assertIsNone(wall_timer(due).wait_first(loop, 5))
            self.assertGreater(time.time(), due - 1e-6)
            with self.assertRaises(libbelay.BelayError):
                wall_timer(float("nan"))

    def test_work_and_hosts(self) -> None:
        with Loop() as loop:
            thread = threading.get_ident()
            self.assertNotEqual(work(threading.get_ident).wait_first(loop, 5), thread)
            found = lookup("127.0.0.1", "80").wait_first(loop, 5)
            self.assertEqual(list(found), ["127.0.0.1", 80])
            with self.assertRaises(BelayError):
                host_name("nonsense").wait_first(loop, 5)

    def test_whole_files(self) -> None:
        with tempfile.TemporaryDirectory() as directory, Loop() as loop:
            path = os.path.join(directory, "file")
            self.assertIsNone(file_write(path, b"text").wait_first(loop, 5))
            self.assertEqual(file_read(path).wait_first(loop, 5), b"text")
            self.assertEqual(file_chunks(path).wait_first(loop, 5), b"text")
            entries = directory_list(directory).wait_first(loop, 5)
            self.assertEqual(entries, [("file", EntryKind.FILE)])
            os.mkdir(os.path.join(directory, "a"))
            entries = directory_list(directory).wait_first(loop, 5)
            self.assertEqual([repr(kind) for _, kind in entries], [
                "<EntryKind.DIRECTORY: 2>", "<EntryKind.FILE: 1>"
            ])

    def test_names_of_files_that_are_not_utf_8(self) -> None:
        with tempfile.TemporaryDirectory() as directory, Loop() as loop:
            path = os.fsencode(directory) + b"/f\xffle"
            name = os.fsdecode(b"f\xffle")
            for events in (
                file_events(directory), tree_events(directory), file_poll(os.fsdecode(path), 0.005)
            ):  # fmt: skip
                self.assertEqual(written_name(loop, events, path), name)
            self.assertEqual(os.listdir(directory), [name])
            entries = directory_list(directory).wait_first(loop, 5)
            self.assertEqual(entries, [(name, EntryKind.FILE)])

    def test_udp(self) -> None:
        with Loop() as loop:
            outgoing: Subject[list[object]] = Subject()
            got: list[bytes] = []

            def answer(event: tuple[object, str, int]) -> None:
                what, host, port = event
                if what is None:
                    outgoing.on_next([b"text", host, port])
                else:
                    assert isinstance(what, bytes)
                    got.append(what)

            udp(outgoing, host="127.0.0.1").take(2).subscribe(answer)
            loop.run()
            self.assertEqual(got, [b"text"])

    def test_what_happens_to_files(self) -> None:
        with tempfile.TemporaryDirectory() as directory, Loop() as loop:
            path = os.path.join(directory, "file")
            for events in (file_events(path), tree_events(directory), file_poll(path, 0.005)):
                self.assertEqual(written_name(loop, events, path), "file")


class Threads(Case):
    def test_values_that_no_python_sees_in_a_callable_that_a_turn_runs(self) -> None:
        """The call of the turn has the GIL for its callables, and the call inside has it by itself."""
        with Loop() as loop:
            many = libbelay.range(0, 20000).publish()
            trace: list[int] = []
            many.filter(it > 19998).subscribe(trace.append)
            loop.post(lambda: many.connect() and None)
            loop.run()
            self.assertEqual(trace, [19999])

    def test_what_comes_from_elsewhere_is_heard_at_home(self) -> None:
        with Loop() as loop:
            subject: Subject[int] = Subject()
            heard: list[tuple[int, int]] = []
            subject.take(3000).subscribe(
                lambda v: heard.append((v, threading.get_ident())), None, loop.stop
            )

            def send(first: int) -> None:
                for i in range(first, 3000, 3):
                    while True:
                        try:
                            subject.on_next(i)
                            break
                        except BelayError as error:
                            assert error.name == "EAGAIN"

            threads = [threading.Thread(target=send, args=(i,)) for i in range(3)]
            for each in threads:
                each.start()
            loop.scheduler.after(30, loop.stop)
            loop.run()
            for each in threads:
                each.join()
            self.assertEqual({thread for _, thread in heard}, {threading.get_ident()})
            self.assertEqual(sorted(v for v, _ in heard), list(range(3000)))

    def test_workers_and_the_collector_do_not_stand_in_each_others_way(self) -> None:
        import gc

        class Node:
            pass

        def work(value: int) -> int:
            node = Node()
            node.self = node  # type: ignore[attr-defined]
            if value % 50 == 0:
                gc.collect()
            return value

        with Loop() as loop, Worker() as one, Worker() as two:
            pool = PoolScheduler(loop)
            total: list[int] = []
            chains = [
                libbelay.range(0, 300).subscribe_on(scheduler).map(work).observe_on(loop.scheduler)
                .filter(work).sum()
                for scheduler in (one.scheduler, two.scheduler, pool)
            ]  # fmt: skip
            libbelay.merge(*chains).subscribe(total.append, None, loop.stop)
            loop.scheduler.after(60, loop.stop)
            loop.run()
            self.assertEqual(total, [sum(range(300))] * 3)

    def test_senders_that_block(self) -> None:
        with Worker() as worker:
            subject: Subject[int] = Subject()
            heard: list[int] = []
            done = threading.Event()
            subject.observe_on(worker.scheduler, policy=libbelay.QueuePolicy.BLOCK, capacity=2).map(
                lambda v: v * 2
            ).subscribe(heard.append, None, done.set)
            for i in range(200):
                subject.on_next(i)
            subject.on_completed()
            self.assertTrue(done.wait(10))
            self.assertEqual(heard, list(range(0, 400, 2)))

    def test_a_worker_that_ends_while_it_calls(self) -> None:
        worker = Worker()
        running, go = threading.Event(), threading.Event()
        worker.scheduler.schedule(functools.partial(run_until, running, go))
        running.wait(10)
        threading.Timer(0.01, go.set).start()
        worker.end()
        worker.end()
        with self.assertRaises(BelayError):
            worker.scheduler.schedule(print)

    def test_waiting_for_what_runs_elsewhere(self) -> None:
        with Worker() as worker:
            running, go = threading.Event(), threading.Event()
            subscription = (
                of(1).observe_on(worker.scheduler).subscribe(lambda _: run_until(running, go))
            )
            running.wait(10)
            threading.Timer(0.01, go.set).start()
            subscription.dispose_sync(10)
            self.assertTrue(go.is_set())

    def test_objects_are_dropped_on_other_threads(self) -> None:
        import weakref

        class Thing:
            pass

        things = [Thing() for _ in range(100)]
        kept = [weakref.ref(each) for each in things]
        with Worker() as worker:
            done = threading.Event()
            source = libbelay.from_(things)
            things.clear()
            source.observe_on(
                worker.scheduler, policy=libbelay.QueuePolicy.DROP_OLDEST, capacity=1
            ).subscribe(lambda _: None, None, done.set)
            del source
            self.assertTrue(done.wait(10))
        self.assertEqual([ref() for ref in kept], [None] * 100)


if __name__ == "__main__":
    unittest.main()
