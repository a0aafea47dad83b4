"""Calls that are refused: they keep nothing of what they were given."""

# The arguments are wrong on purpose.
# pyright: reportArgumentType=false, reportCallIssue=false, reportUnknownLambdaType=false
# mypy: ignore-errors

import math
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import libbelay
from libbelay import (
    BelayError, Command, Disposable, Loop, Owner, Request, Subject, VirtualScheduler, combine_latest,
    concat, file_read, file_write, merge, never, objects, of, race, repeat_value, start,
    start_eagerly, switch_on, testing,
)  # fmt: skip
from support import Case, Trace


class Thing:
    """A callable, and a value."""

    def __call__(self, *given: object) -> None:
        pass


REFUSALS = (BelayError, TypeError, ValueError, OverflowError, AttributeError)
CALLS: list[Callable[[Any, Any, Any], Any]] = [
    # without a loop
    lambda s, f, v: of(1).timeout(1, s),
    lambda s, f, v: start(f),
    lambda s, f, v: start_eagerly(f),
    lambda s, f, v: of(1).debounce(1, f),
    lambda s, f, v: file_write("/nowhere", v),
    # one argument is wrong
    lambda s, f, v: merge(s, 5),
    lambda s, f, v: concat(s, 5),
    lambda s, f, v: race(s, 5),
    lambda s, f, v: libbelay.zip(s, of(v), combiner=5),
    lambda s, f, v: combine_latest(s, 5, combiner=f),
    lambda s, f, v: s.with_latest_from(of(v), 5, combiner=f),
    lambda s, f, v: switch_on(s, {1: of(v), 2: 5}),
    lambda s, f, v: of(1).timeout_when(f, 5, first=s),
    lambda s, f, v: of(1).timeout_when(5, s, first=s),
    lambda s, f, v: s.sequence_equal(5, f),
    lambda s, f, v: s.window_toggle(5, f),
    lambda s, f, v: s.share_until(error=s, completed=5),
    lambda s, f, v: s.flat_map(f, limit=-1),
    lambda s, f, v: s.element_at(-1, v),
    lambda s, f, v: s.throttle_when(f, leading="x"),
    lambda s, f, v: s.scan(5, v),
    lambda s, f, v: Command(5, s),
    lambda s, f, v: Command(f, 5),
    lambda s, f, v: Request(v, 5),
    lambda s, f, v: repeat_value(v, -1),
    lambda s, f, v: libbelay.throw(5),
    lambda s, f, v: s.on_error(ValueError),
    lambda s, f, v: VirtualScheduler().after("x", f),
    lambda s, f, v: VirtualScheduler().every(1, f, leeway="x"),
    lambda s, f, v: Owner().notify(5, f),
    lambda s, f, v: Owner().watch(5, "name", f),
    lambda s, f, v: Owner().post(5, v),
    lambda s, f, v: Owner().post("a\0b", v),
    lambda s, f, v: objects.set_property(Owner(), 5, v),
    lambda s, f, v: objects.bind_property(s, 5, "x"),
    lambda s, f, v: testing.MarbleTest().cold("a", {"\0": v}),
    lambda s, f, v: testing.Drawing().record(s, 5, VirtualScheduler()),
    lambda s, f, v: libbelay.on_slow_callback("x", f),
    lambda s, f, v: of(1).subscribe(Trace(), f),
    lambda s, f, v: of(1).subscribe(Trace(), on_completed=f),
    lambda s, f, v: libbelay.from_(libbelay.it),
    lambda s, f, v: s.on_next_batch(libbelay.it),
    lambda s, f, v: v in libbelay.it["x"],
]


class Refused(Case):
    def test_nothing_is_kept(self) -> None:
        for index, call in enumerate(CALLS):
            before = libbelay.live_counts()
            signal, function, value = Subject[Any](), Thing(), Thing()
            kept = [weakref.ref(each) for each in (signal, function, value)]
            with self.subTest(index):
                with self.assertRaises(REFUSALS):
                    call(signal, function, value)
                del signal, function, value
                self.assertEqual([each() for each in kept], [None] * 3)
                self.assertEqual(libbelay.live_counts(), before)


class Homes(Case):
    def test_only_a_loop_is_one(self) -> None:
        with Loop() as loop:
            handles = (loop.scheduler, VirtualScheduler(), Owner(), Subject[int]())
            for wrong in (*handles, loop.uv, 0, ""):
                for call in (
                    lambda: of(1).subscribe(print, loop=wrong),
                    lambda: of(1).wait_first(wrong),
                    lambda: of(1).wait_last(wrong),
                    lambda: Subject[int](loop=wrong),
                    lambda: libbelay.posix_signal(1, wrong),
                    lambda: libbelay.tcp_listen(loop=wrong),
                    lambda: libbelay.PoolScheduler(wrong),
                ):
                    with self.assertRaisesRegex(TypeError, "is no Loop"):
                        call()


class Times(Case):
    def test_no_time_to_wait(self) -> None:
        with Loop() as loop:
            for call in (
                lambda: Subject[int]().send_wait(1, math.nan),
                lambda: never().wait_first(loop, math.nan),
                lambda: Disposable(print).dispose_sync(math.nan),
            ):
                with self.assertRaisesRegex(ValueError, "EINVAL"):
                    call()

    def test_a_long_time_to_wait(self) -> None:
        with Loop() as loop:
            for long in (math.inf, 3e6, 1e300):
                self.assertEqual(libbelay.timer(0.001).wait_first(loop, long), 0)


class Texts(Case):
    def test_a_nul_in_a_text_for_c(self) -> None:
        with Loop(), Owner() as owner, tempfile.TemporaryDirectory() as folder:
            for call in (
                lambda: file_write(f"{folder}/a\0b", b""),
                lambda: file_read(f"{folder}/a\0b".encode()),
                lambda: libbelay.unix_connect("a\0b"),
                lambda: libbelay.tcp_connect("a\0b", 1),
                lambda: libbelay.lookup("a\0b"),
                lambda: libbelay.udp(host="a\0b"),
                lambda: owner.remove_notice("a\0b"),
                lambda: setattr(of(1), "name", "a\0b"),
                lambda: objects.get_property(owner, "a\0b"),
                lambda: libbelay.process(["a\0b"]),
            ):
                with self.assertRaisesRegex(ValueError, "embedded null byte"):
                    call()
            self.assertEqual(list(Path(folder).iterdir()), [])

    def test_a_path_that_is_not_utf_8(self) -> None:
        errors: list[BaseException] = []
        with Loop() as loop, tempfile.TemporaryDirectory() as folder:
            path = folder.encode() + b"/\xff"
            file_read(path).subscribe(None, errors.append)
            loop.run()
            with self.assertRaisesRegex(BelayError, "ENOENT"):
                libbelay.stream_open_path(path)
        self.assertEqual([isinstance(error, FileNotFoundError) for error in errors], [True])
        self.assertIn("\ufffd", str(errors[0]))
