"""Rust's wrappers of usual operators: methods of Signal<T>."""

from __future__ import annotations

import re

from .operators import Operator, prose, wrapped
from .rust import identifier

_RESULTS = {
    "T": "T", "U": "U", "bool": "bool", "count": "u64", "number": "f64", "[T]": "Vec<T>",
    "(T, T)": "(T, T)", "(count, T)": "(u64, T)", "(seconds, T)": "(std::time::Duration, T)",
}  # fmt: skip
_BOUND = "F: Fn({item}) -> R + Send + Sync + 'static"
_ITEMS = {"T": "T", "U": "U", "bool": "bool"}


def method(operator: Operator) -> str:
    generic, before = "", ""
    arguments, bounds = [], []
    given: dict[str, str] = {}
    result = _RESULTS.get(operator.result, "")
    # The scheduler comes first, whatever C does.
    for kind, name in sorted(operator.parameters, key=lambda each: each[0] != "scheduler"):
        name = identifier(name)
        if kind in ("predicate", "map", "flat_map"):
            types = "T, U, R, F" if kind == "flat_map" else "T, R, F"
            generic = types.removeprefix("T, ")
            arguments.append(f"{name}: F")
            before = f"        let call = crate::callbacks::{kind}::<{types}>;\n"
            before += "        let free = crate::callbacks::free::<F>;\n"
            given[kind] = f"Some(call), crate::callbacks::ctx({name}), Some(free)"
            outcome = {"predicate": "<Value = bool>", "map": "", "flat_map": "<Value = Signal<U>>"}
            bounds += ["U: Value"] if kind == "flat_map" else []
            bounds.append(f"R: crate::value::Outcome{outcome[kind]}")
            bounds.append(_BOUND.format(item="&T" if kind == "predicate" else "T"))
            result = result or ("R::Value" if kind == "map" else "U")
        elif kind == "signals":
            generic = "'a"
            arguments.append(f"{name}: impl IntoIterator<Item = &'a Signal<T>>")
            before = f"        let {name} = crate::signal::retained_all({name});\n"
            given[kind] = f"{name}.as_ptr(), {name}.len()"
        elif kind in ("signal", "value"):
            generic = "U: Value" if operator.argument == "U" else ""
            item = _ITEMS[operator.argument]
            is_signal = kind == "signal"
            arguments.append(f"{name}: {f'&Signal<{item}>' if is_signal else item}")
            given[kind] = f"{name}.{'retained()' if is_signal else 'into_dynamic().into_raw()'}"
        elif kind == "scheduler":
            arguments.append("scheduler: &crate::loops::Scheduler")
            given[kind] = "scheduler.as_raw()"
        elif kind == "seconds":
            arguments.append("time: std::time::Duration")
            given[kind] = "time.as_secs_f64()"
        else:
            arguments.append(f"{name}: {'u64' if kind == 'count' else 'usize'}")
            given[kind] = name
    text = re.sub(r"\bBELAY_(E[A-Z]+)", r"[`Code::\1`](crate::Code::\1)", prose(operator))
    text = re.sub(r"\[(?!`)", "\\[", text)
    out = wrapped(text, "    /// ")
    brackets = f"<{generic}>" if generic else ""
    head = f"    pub fn {identifier(operator.name)}{brackets}("
    rest = f") -> Signal<{result}>"
    one = head + ", ".join(["&self", *arguments]) + rest
    if len(one) > 97:
        inner = "".join(f"        {each},\n" for each in ["&self", *arguments])
        one = f"{head}\n{inner}    {rest}"
    if bounds:
        one += "\n    where\n" + "".join(f"        {each},\n" for each in bounds) + "    {\n"
    else:
        one += " {\n"
    call = f"{operator.row.c}({', '.join(given[kind] for kind, _ in operator.parameters)})"
    body = f"        unsafe {{ self.with({call}) }}\n"
    if len(body) > 101:
        body = f"        unsafe {{\n            self.with({call})\n        }}\n"
    return out + one + before + body + "    }\n\n"
