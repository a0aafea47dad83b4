"""Python's wrappers of usual operators: methods of Signal, and their functions for pipes."""

from __future__ import annotations

import ast
import copy
import re
import textwrap
from keyword import iskeyword
from pathlib import Path

from .operators import Operator, prose, wrapped

_RESULTS = {
    "T": "T", "bool": "bool", "count": "int", "number": "float", "[T]": "list[T]",
    "(T, T)": "list[T]", "(count, T)": "list[Any]", "(seconds, T)": "list[Any]",
}  # fmt: skip


# Like `member` in cpp.py it goes through the parameters, but what a kind becomes differs by language.
def method(operator: Operator) -> str:
    arguments, last = ["self"], ""
    given: dict[str, str] = {}
    result = _RESULTS.get(operator.result, "Any")
    for kind, name in operator.parameters:
        name = name + "_" if iskeyword(name) or name == "next" else name
        if kind in ("predicate", "map", "flat_map"):
            name = "predicate" if kind == "predicate" else "mapper"
            item = "U" if operator.result == "F" else "Any"
            made = {"map": item, "flat_map": f"Source[{item}]"}.get(kind, "Any")
            arguments.append(f"{name}: Callable[[T], {made}]")
            given[kind] = f'*_core.of_callable("pb_{kind}", {name})'
            result = "U" if operator.result == "F" else result
        elif kind in ("signals", "signal"):
            star, function = ("*", "handles") if kind == "signals" else ("", "handle")
            item = {"bool": "bool", "U": "Any"}.get(operator.argument, "U")
            if operator.result != "T":
                item, result = "U", "U" if operator.result == "U" else result
            elif item == "U":
                result = "T | U"
            arguments.append(f"{star}{name}: Source[{item}]")
            given[kind] = f"{star}_core.{function}({name})"
        elif kind == "value":
            arguments.append(f"{name}: U")
            given[kind] = f"_core.value_of({name})"
            # T is covariant, so no argument can be one; and a list is not, so it cannot be of both.
            mixed = {"U": "U", "T": "T | U", "[T]": "list[Any]", "(T, T)": "list[Any]"}
            result = mixed.get(operator.result, result)
        elif kind == "scheduler":
            last = "scheduler_: Scheduler | None = None"
            given[kind] = "_core.scheduler(scheduler_)"
        elif kind == "seconds":
            arguments.append("time: _core.Seconds")
            given[kind] = "_core.seconds(time)"
        else:
            arguments.append(f"{name}: int")
            given[kind] = name
    text = re.sub(r"\bBELAY_(E[A-Z]+)", r"\1", prose(operator)).replace("`", "``")
    declared = ", ".join([*arguments, *filter(None, [last])])
    head = f"    def {operator.name}({declared}) -> Signal[{result}]:\n"
    if len(head) > 100:
        head = f"    def {operator.name}(\n        {declared}\n    ) -> Signal[{result}]:\n"
    inner = ", ".join([f"lib.{operator.row.c}", *(given[kind] for kind, _ in operator.parameters)])
    body = f"        return self._apply({inner})\n"
    if len(body) > 100:
        made = f"            {inner}\n"
        body = f"        return self._apply(\n{made}        )\n"
    return head + wrapped(f'"""{text}"""', "        ") + body + "\n"


# ---- functions for pipes ----

_OPS = "bindings/python/src/libbelay/ops.py"
_FAMILIES = "bindings/python/src/libbelay/_operators"
_HEADING = '''"""The operators as functions, for `Signal.pipe`: ``signal.pipe(ops.map(f), ops.filter(p))``.

Each is the method of `Signal` of the same name, with the signal left out. Written by
`scripts/api write` from the methods.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from ._core import Seconds, Source
from ._operators.base import A, B, U, V as T
from ._operators.filtering import _NONE, Predicate
from ._operators.sharing import ShareRules
from ._signals import Signal

if TYPE_CHECKING:
    from . import _core
    from ._schedulers import QueuePolicy, Scheduler

'''
#: Methods that make no signal that another operator could follow.
_ENDS = {"bind", "connect", "wait_first", "wait_last"}


def pipes(root: Path, made: dict[str, str]) -> dict[str, str]:
    """The functions for pipes, from the families as they are in `made`, else in the tree."""
    functions: dict[str, str] = {}
    for path in sorted((root / _FAMILIES).glob("*.py")):
        text = made.get(str(path.relative_to(root))) or path.read_text()
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and node.name != "Operators":
                for method in node.body:
                    if isinstance(method, ast.FunctionDef) and not _is_left_out(method.name):
                        functions[method.name] = functions.get(method.name, "") + _pipe(method)
    return {_OPS: _HEADING + "\n" + "\n\n".join(functions[name] for name in sorted(functions))}


def _is_left_out(name: str) -> bool:
    return name.startswith("_") or name in _ENDS


def _pipe(method: ast.FunctionDef) -> str:
    # A method for signals of a certain kind says so by the type of `self`.
    given = copy.deepcopy(method.args)
    own = (given.posonlyargs or given.args).pop(0).annotation
    taken = ast.unparse(own).replace("Operators", "Signal") if own else "Signal[T]"
    is_overload = any(ast.unparse(each) == "overload" for each in method.decorator_list)
    result = ast.unparse(method.returns) if method.returns else "Any"
    declared = re.sub(r"=(?=[^ ,]+(, |$))", " = ", ast.unparse(given))
    tail = f") -> Callable[[{taken}], {result}]:"
    head = f"def {method.name}({declared}{tail}"
    if len(head) > 100:
        inner = textwrap.wrap(declared.replace(" = ", "\0=\0"), 96)
        head = "\n    ".join([f"def {method.name}(", *inner]) + f"\n{tail}"
        head = head.replace("\0", " ")
    if is_overload:
        return f"@overload\n{head} ...\n"
    passed = [each.arg for each in given.posonlyargs + given.args]
    if given.vararg:
        passed.append(f"*{given.vararg.arg}")
    passed += [f"{each.arg}={each.arg}" for each in given.kwonlyargs]
    body = f"    return lambda signal: signal.{method.name}({', '.join(passed)})\n"
    return f'{head}\n    """See `Signal.{method.name}`."""\n{body}'
