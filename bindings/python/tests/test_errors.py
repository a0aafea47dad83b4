"""Errors: of signals, of calls, and those that nobody handles."""

# The callables of the tables below have no types.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

import copy
import math
import pickle
import queue
import sys
import threading
import traceback
from typing import Any

import libbelay
from libbelay import BelayError, Request, Signal, Subject, VirtualScheduler, create, of, throw
from libbelay._native import ffi, lib
from support import Case, Trace, Unspeakable, told


class OwnError(BelayError):
    """An error of the program's own."""

    def __new__(cls, tag: str) -> "OwnError":
        return super().__new__(cls, lib.BELAY_EINVAL, "it failed")

    def __init__(self, tag: str) -> None:
        super().__init__(lib.BELAY_EINVAL, "it failed")
        self.tag = tag


def heard(signal: Signal[Any]) -> BaseException:
    """The error that a signal ends with, without its traceback, which may keep the signal."""
    caught: list[BaseException] = []
    signal.subscribe(None, caught.append)
    return caught[0].with_traceback(None)


def sent(code: int, domain: Any) -> BaseException:
    """What becomes of an error of the library's."""
    error = lib.belay_error_create(code, domain, b"text", lib.belay_null(), ffi.NULL)
    signal: Signal[Any] = Signal._of(lib.belay_signal_error(error))
    lib.belay_error_release(error)
    return heard(signal)


def raised(error: BaseException) -> BaseException:
    """What becomes of an exception of a callable's."""

    def fails(value: int) -> int:
        raise error

    return heard(of(1).map(fails))


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

    def test_every_code_has_its_exception(self) -> None:
        also = {
            "EAGAIN": queue.Full, "EINVAL": ValueError, "EKIND": TypeError, "ENOENT": LookupError,
            "ENOMEM": MemoryError, "EDEAD": ReferenceError, "ERELEASED": ReferenceError,
            "ENOTSUP": NotImplementedError, "EREENTRANT": RecursionError, "EILSEQ": ValueError,
            "EBUSY": RuntimeError, "EDEADLK": RuntimeError, "EBOUND": RuntimeError,
            "ECLOSED": RuntimeError, "ENOHOME": RuntimeError, "EWRONGTHREAD": RuntimeError,
            "ETIMEDOUT": TimeoutError, "EPERM": PermissionError, "EPROTO": OSError,
            "EMSGSIZE": OSError, "EROFS": OSError,
        }  # fmt: skip
        alone = {
            "ECANCELED", "ERANGE", "EINPROGRESS", "EENDED", "EDISPOSED", "EASSIGNED", "EMISMATCH"
        }  # fmt: skip
        found = {name[6:]: getattr(lib, name) for name in dir(lib) if name.startswith("BELAY_E")}
        codes = {name: code for name, code in found.items() if code < 0}
        self.assertEqual(set(codes), set(also) | alone)
        for name, code in codes.items():
            made = BelayError(code, "text")
            base = also.get(name, BelayError)
            for error in (made, sent(code, ffi.NULL), sent(code, b"libuv"), raised(made)):
                self.assertEqual(str(error), f"{name}: text")
            self.assertIs(raised(made), made)
            self.assertIs(type(sent(code, ffi.NULL)), type(made))
            self.assertIsInstance(made, base)
            self.assertIsInstance(sent(code, b"libuv"), OSError)
            if name in alone:
                self.assertIs(type(made), BelayError)
            elif not issubclass(base, OSError):
                self.assertEqual(type(made).__bases__, (BelayError, base))
            again = pickle.loads(pickle.dumps(made))
            self.assertEqual((type(again), again.code), (type(made), code))

    def test_errors_of_a_programs_own_class_are_copied_whole(self) -> None:
        error = OwnError("x")
        error.add_note("seen")
        for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
            self.assertEqual((type(again), again.name, again.tag), (OwnError, "EINVAL", "x"))
            self.assertEqual((again.message, again.__notes__), ("it failed", ["seen"]))

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

    def test_a_failed_call_names_itself_whatever_it_was_given(self) -> None:
        time = VirtualScheduler()
        with self.assertRaisesRegex(ValueError, r"after\(time=nan, action=<Unspeakable "):
            time.after(math.nan, Unspeakable())
        with self.assertRaises(ValueError) as caught:
            time.after(math.nan, Unspeakable("x" * 100_000))
        self.assertLess(len(str(caught.exception)), 400)

    def test_a_programs_own_error_comes_back_as_it_was(self) -> None:
        own = BelayError(lib.BELAY_EAGAIN, "mine")

        def fails(value: int) -> int:
            raise own

        request: Request[int, int] = Request(0, lambda sum, value: sum + value)
        with request.subscribe(fails):
            for _ in range(3):
                with self.assertRaises(BelayError) as caught:
                    request.send(1)
                self.assertIs(caught.exception, own)
        self.assertEqual((own.message, own.args), ("mine", (lib.BELAY_EAGAIN, "mine")))

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
