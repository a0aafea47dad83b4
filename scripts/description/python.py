"""Python's wrappers of usual operators: methods of Signal, and their functions for pipes."""

from __future__ import annotations

import re
from keyword import iskeyword

from .operators import Operator, prose, wrapped

_RESULTS = {
    "T": "T", "bool": "bool", "count": "int", "number": "float", "[T]": "list[T]",
    "(T, T)": "list[T]", "(count, T)": "list[Any]", "(seconds, T)": "list[Any]",
}  # fmt: skip


def method(operator: Operator) -> str:
    arguments, last = ["self"], ""
    given: dict[str, str] = {}
    result = _RESULTS.get(operator.result, "Any")
    # Only an operator that calls no Python and takes no other signal is native.
    apply = "_native"
    for kind, name in operator.parameters:
        name = name + "_" if iskeyword(name) or name == "next" else name
        if kind in ("predicate", "map", "flat_map"):
            apply = "_apply"
            name = "predicate" if kind == "predicate" else "mapper"
            made = "U" if kind == "map" else "Any"
            arguments.append(f"{name}: Callable[[T], {made}]")
            given[kind] = f'*_core.of_callable("pb_{kind}", {name})'
            result = made if operator.result == "F" else result
        elif kind in ("signals", "signal"):
            apply = "_apply"
            star, function = ("*", "handles") if kind == "signals" else ("", "handle")
            # What it sends may be something else.
            result = "Any" if operator.result == "T" and operator.argument in ("T", "") else result
            arguments.append(f"{star}{name}: Any")
            given[kind] = f"{star}_core.{function}({name})"
        elif kind == "value":
            is_other = operator.result == "U"
            arguments.append(f"{name}: {'U' if is_other else 'Any'}")
            given[kind] = f"_core.value_of({name})"
            result = "U" if is_other else result if operator.result != "T" else "Any"
        elif kind == "scheduler":
            last = "scheduler_: Scheduler | None = None"
            given[kind] = "_core.scheduler(scheduler_)"
        elif kind == "seconds":
            arguments.append("time: _core.Seconds")
            given[kind] = "_core.seconds(time)"
        else:
            arguments.append(f"{name}: int")
            given[kind] = name
    inner = ", ".join(given[kind] for kind, _ in operator.parameters)
    text = re.sub(r"\bBELAY_(E[A-Z]+)", r"\1", prose(operator)).replace("`", "``")
    declared = ", ".join([*arguments, *filter(None, [last])])
    head = f"    def {operator.name}({declared}) -> Signal[{result}]:\n"
    if len(head) > 100:
        head = f"    def {operator.name}(\n        {declared}\n    ) -> Signal[{result}]:\n"
    body = f"        return self.{apply}(lib.{operator.row.c}({inner}))\n"
    if len(body) > 100:
        made = f"            lib.{operator.row.c}({inner})\n"
        body = f"        return self.{apply}(\n{made}        )\n"
    return head + wrapped(f'"""{text}"""', "        ") + body + "\n"


def pipe(operator: Operator) -> str:
    return f"{operator.name} = _curried(Signal.{operator.name})\n"
