"""Expressions over the value that comes: ``signal.map(it * 3 + 1).filter(it % 2 == 0)``.

An expression is a callable like a lambda, with Python's rules. As a stage of a signal it is run by
C, without the GIL, on integers of 64 bits, floats and bools; everything else, and whatever these
cannot hold, goes to Python.
"""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable
from typing import Any, ClassVar

# Numbered as in native/expressions.c.
_CODES = {
    name: number
    for number, name in enumerate(
        "it const add sub mul truediv floordiv mod and_ or_ xor lshift rshift "
        "lt le eq ne gt ge neg pos abs invert".split()
    )
}
_DEPTH = 16  # of the machine's stack
_WITH_CONSTANT = 64  # added to an operation whose right side is a constant
_INT, _FLOAT, _BOOL = range(3)
#: Instructions and the depth that they need; None: only Python can do it.
_Code = tuple[bytes, int] | None


def _constant(value: Any) -> _Code:
    if type(value) is float:
        return struct.pack("=iid", _CODES["const"], _FLOAT, value), 1
    if type(value) is bool or type(value) is int and -(2**63) <= value < 2**63:
        kind = _BOOL if type(value) is bool else _INT
        return struct.pack("=iiq", _CODES["const"], kind, value), 1
    return None


class Expression:
    """An expression of ``it``. Compare and combine with operators; ``and``, ``or``, ``not`` and
    chained comparisons cannot be, and raise: write ``&`` and ``|``."""

    __slots__ = ("_call", "_code", "_text")
    __hash__: ClassVar[None] = None  # type: ignore[assignment]
    __iter__: ClassVar[None] = None  # __getitem__ alone would make it an endless iterator

    def __init__(self, call: Callable[[Any], Any], code: _Code, text: str) -> None:
        self._call = call
        self._code = code if code is None or code[1] <= _DEPTH else None
        self._text = text

    def __call__(self, value: Any) -> Any:
        """The value of the expression for ``value``."""
        return self._call(value)

    def __repr__(self) -> str:
        return self._text

    def __bool__(self) -> bool:
        raise TypeError(f"{self._text} has no truth before there is a value: combine with & and |")

    def __getitem__(self, key: Any) -> Expression:
        return Expression(lambda v: self._call(v)[key], None, f"{self._text}[{key!r}]")


def _expression(thing: Any) -> Expression:
    if isinstance(thing, Expression):
        return thing
    return Expression(lambda _: thing, _constant(thing), repr(thing))


def _joined(name: str, *parts: _Code) -> _Code:
    if name not in _CODES or any(part is None for part in parts):
        return None
    first, *others = (part for part in parts if part is not None)
    if others and _is_constant(others[0][0]):
        kind, operand = others[0][0][4:8], others[0][0][8:]
        return first[0] + struct.pack("=i", _CODES[name] + _WITH_CONSTANT) + kind + operand, first[
            1
        ]
    code = first[0] + b"".join(part[0] for part in others)
    depth = max([first[1], *(part[1] + 1 for part in others)])
    return code + struct.pack("=iiq", _CODES[name], 0, 0), depth


def _is_constant(code: bytes) -> bool:
    return len(code) == 16 and code[:4] == struct.pack("=i", _CODES["const"])


def _define(name: str, symbol: str, is_swapped: bool) -> None:
    function: Callable[[Any, Any], Any] = getattr(operator, name)

    def binary(a: Any, b: Any) -> Expression:
        left, right = (_expression(b), a) if is_swapped else (a, _expression(b))
        one, other = left._call, right._call
        return Expression(
            lambda v: function(one(v), other(v)),
            _joined(name, left._code, right._code),
            f"({left} {symbol} {right})",
        )

    plain = name.rstrip("_")
    setattr(Expression, f"__r{plain}__" if is_swapped else f"__{plain}__", binary)


def _define_unary(name: str, symbol: str) -> None:
    function: Callable[[Any], Any] = getattr(operator, name)

    def unary(a: Expression) -> Expression:
        inner = a._call
        return Expression(lambda v: function(inner(v)), _joined(name, a._code), f"{symbol}({a})")

    setattr(Expression, f"__{name}__", unary)


for _name, _symbol in {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
}.items():  # fmt: skip
    _define(_name, _symbol, False)
    _define(_name, _symbol, True)
for _name, _symbol in {
    "lt": "<", "le": "<=", "eq": "==", "ne": "!=", "gt": ">", "ge": ">=",
}.items():  # fmt: skip
    _define(_name, _symbol, False)
for _name, _symbol in {"neg": "-", "pos": "+", "abs": "abs", "invert": "~"}.items():
    _define_unary(_name, _symbol)


#: The current value.
it: Any = Expression(lambda value: value, (struct.pack("=iiq", _CODES["it"], 0, 0), 1), "it")


def code_of(thing: Any) -> bytes | None:
    """The code that C runs, if there is any."""
    return thing._code[0] if isinstance(thing, Expression) and thing._code else None
