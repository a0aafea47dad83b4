"""What every function of the library answers that is given NULL for its handles. (BELAY_LIBRARY: it.)"""

import ctypes
import os
import unittest
from pathlib import Path
from typing import Any

from description.reader import Reader

ROOT = Path(__file__).resolve().parent.parent.parent
EINVAL, ERANGE = -22, -34
# They pass NULL on, which is no failure: there is nothing to retain, or the object has gone.
PASSES_ON = ("_retain", "_upgrade")
# Records in the place of whatever waits, as what a callback fails with.
DELIBERATE = "belay_fail_with"
# Needs no handle, and finds that "name" is no shape.
NEEDS_NOTHING = "belay_function_create"
# Answers a value that is the failure, of which nothing need be recorded.
FAILURES = "belay_pointer_at"
NUMBERS = {
    "int": ctypes.c_int, "unsigned int": ctypes.c_uint, "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32, "int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t, "uintptr_t": ctypes.c_size_t, "double": ctypes.c_double,
    "float": ctypes.c_float, "char": ctypes.c_char, "uint8_t": ctypes.c_uint8,
    "uint16_t": ctypes.c_uint16,
}  # fmt: skip


class Value(ctypes.Structure):
    _fields_ = (("payload", ctypes.c_uint64), ("tag", ctypes.c_uint64))


class Library:
    def __init__(self) -> None:
        self.api = Reader(ROOT / "include").read()
        self.c = ctypes.CDLL(os.environ["BELAY_LIBRARY"])
        self.kinds = {item["name"]: item["kind"] for item in self.api["items"]}
        self.freed = 0
        self.no_action = ctypes.CFUNCTYPE(None)(lambda: None)
        self.free = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.count)
        self.c.belay_last_error.restype = ctypes.c_void_p
        self.c.belay_error_code.argtypes = [ctypes.c_void_p]
        self.c.belay_signal_range.restype = ctypes.c_void_p
        self.c.belay_signal_range.argtypes = [ctypes.c_int64, ctypes.c_uint64]

    def count(self, ctx: Any) -> None:
        self.freed += 1

    def is_handle(self, given: dict[str, Any]) -> bool:
        name = given["to"].get("name", "") if given["kind"] == "pointer" else ""
        return name.startswith("belay_") and self.kinds.get(name) == "opaque"

    def functions(self) -> list[dict[str, Any]]:
        def takes_handle(item: dict[str, Any]) -> bool:
            return any(self.is_handle(each["type"]) for each in item["parameters"])

        items = [item for item in self.api["items"] if item["kind"] == "function"]
        return [item for item in items if takes_handle(item)]

    def type(self, given: dict[str, Any]) -> Any:
        name = given.get("name", "")
        if given["kind"] == "pointer" or self.kinds.get(name) == "callback":
            return ctypes.c_void_p
        if name in ("belay_value", "void"):
            return Value if name == "belay_value" else None
        return ctypes.c_uint if self.kinds.get(name) == "enum" else NUMBERS[name]

    def argument(self, parameter: dict[str, Any]) -> Any:
        """NULL for a handle, and what makes sense for anything else."""
        given, name = parameter["type"], parameter["type"].get("name", "")
        if self.kinds.get(name) == "callback":
            made = self.free if name == "belay_free_fn" else self.no_action
            return ctypes.cast(made, ctypes.c_void_p)
        if given["kind"] != "pointer":
            return Value() if name == "belay_value" else b"a" if name == "char" else 1
        to = given["to"]
        is_option = self.kinds.get(to.get("name")) == "struct" and to["name"] != "belay_value"
        if self.is_handle(given) or parameter["name"] == "ctx" or is_option:
            return None
        return ctypes.create_string_buffer(b"name" if to.get("name") == "char" else b"", 4096)

    def call(self, item: dict[str, Any]) -> Any:
        function = getattr(self.c, item["name"])
        function.argtypes = [self.type(each["type"]) for each in item["parameters"]]
        function.restype = self.type(item["result"]["type"])
        self.freed = 0
        given = [self.argument(each) for each in item["parameters"]]
        made = [ctypes.cast(each, ctypes.c_void_p) if isinstance(each, ctypes.Array) else each
                for each in given]  # fmt: skip
        return function(*made)

    def recorded(self) -> int:
        error = self.c.belay_last_error()
        return self.c.belay_error_code(error) if error else 0

    def release(self, item: dict[str, Any], made: Any) -> None:
        name = item["result"]["type"]["to"]["name"]
        release = getattr(self.c, name + "_release", None)
        if release and item["result"].get("ownership") == "given":
            release.argtypes = [ctypes.c_void_p]
            release(made)


class Nulls(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.library = Library()

    def has_failed(self, item: dict[str, Any], answer: Any) -> bool:
        if item["result"]["type"].get("name") == "int":
            return answer < 0
        if not self.library.is_handle(item["result"]["type"]):
            return False
        if answer:
            self.library.release(item, answer)
        is_owned = item["result"].get("ownership") != "borrowed" or "_get_" in item["name"]
        return not answer and is_owned and not item["name"].endswith(PASSES_ON)

    def test_there_are_many(self) -> None:
        self.assertGreater(len(self.library.functions()), 250)

    def test_a_failure_is_recorded_with_its_code(self) -> None:
        for item in self.library.functions():
            with self.subTest(item["name"]):
                self.library.recorded()
                answer = self.library.call(item)
                freed = self.library.freed
                code = self.library.recorded()
                if not self.has_failed(item, answer):
                    continue
                self.assertEqual(code, EINVAL)
                if item["result"]["type"].get("name") == "int":
                    self.assertEqual(answer, EINVAL)
                types = [each["type"].get("name") for each in item["parameters"]]
                self.assertEqual(freed, types.count("belay_free_fn"))

    def test_the_failure_that_waits_is_kept(self) -> None:
        """Most likely it is why there is NULL."""
        for item in self.library.functions():
            if item["name"] in (DELIBERATE, FAILURES, NEEDS_NOTHING):
                continue
            with self.subTest(item["name"]):
                self.library.recorded()
                self.assertIsNone(self.library.c.belay_signal_range(2**63 - 1, 2))
                self.has_failed(item, self.library.call(item))
                self.assertEqual(self.library.recorded(), ERANGE)
