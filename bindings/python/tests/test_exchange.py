"""Signals that pass to another copy of the library and back. The other copy is the shared library."""

import ctypes
import os
import unittest
from pathlib import Path
from typing import Any

from libbelay import BelayError, Signal, Subject, function_address, import_signal, throw
from support import Case

pointer, text = ctypes.c_void_p, ctypes.c_char_p


class Value(ctypes.Structure):
    """A belay_value."""

    _fields_ = [("payload", ctypes.c_uint64), ("tag", ctypes.c_uint64)]


def other_copy() -> ctypes.CDLL | None:
    """The shared library, where the tests were told of one."""
    prefix = Path(os.environ.get("BELAY_PREFIX") or "/nowhere")
    for path in (prefix / "libbelay.so", prefix / "lib" / "libbelay.so"):
        if path.exists():
            return ctypes.CDLL(str(path))
    return None


other: Any = other_copy()
if other:
    for name, result, arguments in (
        ("belay_subject_create", pointer, [pointer]),
        ("belay_subject_next", ctypes.c_int, [pointer, Value]),
        ("belay_subject_completed", ctypes.c_int, [pointer]),
        ("belay_subject_count", ctypes.c_size_t, [pointer]),
        ("belay_signal_release", None, [pointer]),
        ("belay_signal_export", ctypes.c_int, [pointer, pointer]),
        ("belay_signal_import", pointer, [pointer]),
        ("belay_exchange_release", None, [pointer]),
        ("belay_string", Value, [text]),
    ):
        function = getattr(other, name)
        function.restype, function.argtypes = result, arguments
capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype, capsule_pointer.argtypes = pointer, [ctypes.py_object, text]
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [pointer, text, pointer]


class Abroad:
    """A signal of the other copy, whose reference this takes over."""

    def __init__(self, signal: Any) -> None:
        self.signal = signal
        # A belay_exchange has six words.
        self.exchange = (ctypes.c_uint64 * 6)()
        assert other.belay_signal_export(signal, self.exchange) == 0

    def __del__(self) -> None:
        other.belay_exchange_release(self.exchange)
        other.belay_signal_release(self.signal)

    def __belay_signal__(self) -> object:
        return new_capsule(ctypes.addressof(self.exchange), b"belay_exchange", None)


def abroad(signal: Signal[Any]) -> Abroad:
    """What the other copy makes of a signal."""
    capsule = signal.__belay_signal__()
    return Abroad(other.belay_signal_import(capsule_pointer(capsule, b"belay_exchange")))


@unittest.skipUnless(other, "BELAY_PREFIX names no shared library")
class Exchange(Case):
    def test_values_pass_there_and_back(self) -> None:
        subject = Subject[Any]()
        heard: list[Any] = []
        thing = object()
        there = abroad(subject)
        import_signal(there).subscribe(heard.append)
        sent: list[Any] = [None, True, -1, 2.5, "Grüße", b"\0\xff", [1, ["two"]], thing]
        for value in sent:
            subject.on_next(value)
        self.assertEqual(heard, sent)
        self.assertIs(heard[-1], thing)
        subject.on_completed()

    def test_a_subject_of_the_other_copy_sends_and_completes(self) -> None:
        there = Abroad(other.belay_subject_create(None))
        heard: list[Any] = []
        import_signal(there).subscribe(heard.append, on_completed=lambda: heard.append("end"))
        other.belay_subject_next(there.signal, other.belay_string(b"one"))
        other.belay_subject_completed(there.signal)
        self.assertEqual(heard, ["one", "end"])

    def test_disposing_here_ends_the_subscription_there(self) -> None:
        there = Abroad(other.belay_subject_create(None))
        subscription = import_signal(there).subscribe(print)
        self.assertEqual(other.belay_subject_count(there.signal), 1)
        subscription.dispose()
        self.assertEqual(other.belay_subject_count(there.signal), 0)

    def test_an_error_passes_with_its_code_and_message(self) -> None:
        errors: list[BaseException] = []
        failing = throw(BelayError(-2, "no such door", domain="house"))
        there = abroad(failing)
        import_signal(there).subscribe(print, on_error=errors.append)
        [error] = errors
        assert isinstance(error, BelayError)
        self.assertEqual((error.code, error.domain, error.message), (-2, "house", "no such door"))

    def test_a_capsule_of_this_copy_gives_the_same_signal(self) -> None:
        subject = Subject[int]()
        again = import_signal(subject)
        handles = again.to_handle(), subject.to_handle()
        self.assertEqual(*handles)
        for handle in handles:
            Signal[int].from_handle(handle, is_given=True)

    def test_what_is_no_capsule_is_refused(self) -> None:
        for wrong in (1, "text", None):
            with self.assertRaises((TypeError, ValueError)):
                import_signal(wrong)

    def test_the_package_is_not_the_other_copy(self) -> None:
        address = ctypes.cast(other.belay_version, pointer).value
        self.assertNotEqual(function_address("belay_version"), address)
