"""Expressions in C against the same in Python, and what fusing must not change."""

# The callables of the tables below have no types.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

import math
import operator
import random
import unittest
from typing import Any

from libbelay import Subject, it, of
from support import Case, Trace, told

NUMBERS = [
    0, 1, -1, 2, 3, -3, 7, 10, 63, 64, 2**31, -(2**31), 2**53, 2**53 + 1, -(2**53) - 1, 2**62,
    2**63 - 1, -(2**63), 2**63, 2**64, True, False, 0.0, -0.0, 0.5, -1.5, 1e308, -1e308, 1e-320,
    math.inf, -math.inf, math.nan, 3.0, float(2**53), 9007199254740993.0,
]  # fmt: skip
BINARY = [
    "add", "sub", "mul", "truediv", "floordiv", "mod", "and_", "or_", "xor", "lshift", "rshift",
    "lt", "le", "eq", "ne", "gt", "ge",
]  # fmt: skip


def outcome(call: Any, *arguments: object) -> str:
    """What comes of a call, with the type."""
    try:
        value = call(*arguments)
    except (ArithmeticError, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return f"{type(value).__name__}: {value!r}"


def through(expression: object, value: object) -> str:
    """What comes of a stage that is an expression."""
    heard: list[object] = []
    failed: list[BaseException] = []
    of(value).map(expression).subscribe(heard.append, failed.append)  # type: ignore[arg-type]
    if failed:
        error = failed.pop()
        try:
            return f"{type(error).__name__}: {error}"
        finally:
            del error  # its traceback has this frame
    return f"{type(heard[0]).__name__}: {heard[0]!r}"


class Rules(Case):
    def small(self, name: str, a: object, b: object) -> bool:
        return name != "lshift" or not isinstance(b, int) or b < 200

    def test_two_operands(self) -> None:
        for name in BINARY:
            function = getattr(operator, name)
            for a in NUMBERS:
                for b in NUMBERS:
                    if not self.small(name, a, b):
                        continue
                    expected = outcome(function, a, b)
                    self.assertEqual(through(function(it, b), a), expected, (name, a, b))
                    if name not in ("lt", "le", "gt", "ge"):  # Python turns these around
                        self.assertEqual(through(function(a, it), b), expected, (name, a, b))

    def test_one_operand(self) -> None:
        for name in ("neg", "pos", "abs", "invert"):
            function = getattr(operator, name)
            for a in NUMBERS:
                if name == "invert" and isinstance(a, bool):
                    continue
                self.assertEqual(through(function(it), a), outcome(function, a), (name, a))

    def test_random_trees(self) -> None:
        seed = random.randrange(2**32)
        chance = random.Random(seed)

        def tree(depth: int) -> tuple[Any, Any]:
            if depth == 0 or chance.random() < 0.2:
                if chance.random() < 0.5:
                    return it, lambda v: v
                number = chance.choice(NUMBERS[:16] + [0.5, -1.5, True])
                return number, lambda v: number
            function = getattr(operator, chance.choice(["add", "sub", "mul", "mod", "lt", "xor"]))
            (a, left), (b, right) = tree(depth - 1), tree(depth - 1)
            try:
                return function(a, b), lambda v: function(left(v), right(v))
            except (ArithmeticError, TypeError):
                return it, lambda v: v

        for _ in range(1000):
            expression, call = tree(chance.randrange(1, 7))
            if not callable(expression):
                continue
            for value in chance.choices(NUMBERS, k=5):
                self.assertEqual(
                    through(expression, value), outcome(call, value), (seed, expression, value)
                )

    def test_what_is_no_number(self) -> None:
        self.assertEqual(told(of("a", [1]).map(it + it)), ["aa", [1, 1], "|"])
        self.assertEqual(told(of([1, 2], {1: 3}).map(it[1])), [2, 3, "|"])
        self.assertEqual(told(of(2, 3).map(it**it)), [4, 27, "|"])
        self.assertEqual(told(of("x").map(it + 1))[0].split(":")[0], "TypeError")
        self.assertEqual((it * 2 + 1)(4), 9)
        self.assertEqual(repr(it * 2 + 1), "((it * 2) + 1)")

    def test_deep_ones_are_pythons(self) -> None:
        deep = it
        for _ in range(40):
            deep = it + (deep * 1)
        self.assertEqual(told(of(1).map(deep)), [41, "|"])

    def test_what_has_no_truth_says_so(self) -> None:
        for wrong in (lambda: it > 1 and it < 3, lambda: 1 < it < 3, lambda: not it):
            with self.assertRaises(TypeError):
                wrong()
        with self.assertRaises(TypeError):
            hash(it)


class Fusing(Case):
    """Chains whose stages are fused, against the same with something between."""

    STAGES: list[tuple[str, Any]] = [
        ("map", lambda v: v + 1), ("map", it + 1), ("filter", lambda v: v % 3 != 0),
        ("filter", it % 3 != 0), ("map", lambda v: None if v == 5 else v), ("map", it * 2),
        ("map", lambda v: (v,)[0]), ("filter", lambda v: v),
    ]  # fmt: skip

    def test_random_chains(self) -> None:
        seed = random.randrange(2**32)
        chance = random.Random(seed)
        for _ in range(300):
            fused = apart = within = of(*range(20))
            for name, call in chance.choices(self.STAGES, k=chance.randrange(1, 6)):
                guarded = call if name == "filter" else self.guarded(call)
                fused = getattr(fused, name)(guarded)
                within = getattr(within, name)(guarded)
                apart = getattr(apart, name)(guarded).skip(0)
            self.assertEqual(told(fused), told(apart), seed)
            self.assertEqual(told(within.skip(0).map(lambda v: v)), told(apart), seed)

    @staticmethod
    def guarded(call: Any) -> Any:
        return lambda v: call(v) if v is not None else None

    def traced(self, trace: Trace, source: Any, apart: bool) -> Any:
        def stage(name: str, fails: object = None) -> object:
            def call(value: object) -> object:
                trace.append(f"{name}{value}")
                if value == fails:
                    raise ValueError(value)
                return value

            return call

        signal = source.finally_(lambda: trace.append("finally"))
        for name, fails in (("a", None), ("b", 3), ("c", None)):
            signal = signal.map(stage(name, fails)).filter(stage(name * 2) if name == "c" else bool)
            if apart:
                signal = signal.skip(0)
        return signal.subscribe(
            lambda v: trace.append(v),
            trace.on_error,
            trace.on_completed,
            on_disposed=lambda: trace.append("disposed"),
        )

    def test_the_order_of_calls_and_of_an_exception(self) -> None:
        one, other = Trace(), Trace()
        for trace, apart in ((one, False), (other, True)):
            subject: Subject[int] = Subject()
            self.traced(trace, subject, apart)
            for i in (1, 2, 3, 4):
                subject.on_next(i)
        self.assertEqual(one, other)
        self.assertEqual(one[-3:], ["ValueError: 3", "disposed", "finally"])

    def test_a_disposal_within_a_batch(self) -> None:
        subject: Subject[int] = Subject()
        trace = Trace()

        def stop(value: int) -> None:
            trace.append(value)
            if value == 3:
                subscription.dispose()

        for make in (
            lambda: subject,
            lambda: subject.map(it + 0),
            lambda: subject.map(abs),
            lambda: subject.map(abs).skip(0),
        ):
            trace.clear()
            subscription = make().subscribe(
                stop, trace.on_error, trace.on_completed,
                on_disposed=lambda: trace.append("disposed"),
            )  # fmt: skip
            subject.on_next_batch(range(1, 1000))
            self.assertEqual(trace, [1, 2, 3, "disposed"])

    def test_a_disposal_within_a_stage(self) -> None:
        subject: Subject[int] = Subject()
        trace = Trace()

        def stop(value: int) -> int:
            if value == 2:
                subscription.dispose()
            return value

        subscription = subject.map(stop).subscribe(trace)
        subject.on_next_batch(range(5))
        self.assertEqual(trace[:2], [0, 1])
        self.assertNotIn(3, trace)

    def test_effects_come_in_the_order_of_the_values(self) -> None:
        trace = Trace()
        of(1, 2).do(lambda v: trace.append(f"do{v}")).skip(0).subscribe(trace)
        of(1, 2).do(lambda v: trace.append(f"do{v}")).subscribe(trace)
        self.assertEqual(trace, ["do1", 1, "do2", 2, "|"] * 2)


if __name__ == "__main__":
    unittest.main()
