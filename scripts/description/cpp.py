"""C++'s wrappers of usual operators: members of signal<T>, and their functions for pipes."""

from __future__ import annotations

from .operators import Operator, prose, wrapped

_WORDS = {"default", "not", "and", "or", "switch", "catch", "do", "delete", "new", "operator"}
_RESULTS = {
    "T": "T", "bool": "bool", "count": "std::uint64_t", "number": "double", "[T]": "std::vector<T>",
    "(T, T)": "std::pair<T, T>", "(count, T)": "std::pair<std::uint64_t, T>",
    "(seconds, T)": "std::pair<seconds, T>",
}  # fmt: skip
_CALLS = {"predicate": "call_predicate", "map": "call_map", "flat_map": "call_flat_map"}


# Like `method` in python.py it goes through the parameters, but what a kind becomes differs by language.
def member(operator: Operator) -> str:
    template, arguments, before, last = "", [], "", ""
    given: dict[str, str] = {}
    result = _RESULTS.get(operator.result, "")
    for kind, name in operator.parameters:
        name = name + "_" if name in _WORDS else name
        # `map` is a member, which nothing may shadow.
        name = "f" if kind in ("map", "flat_map") or name == operator.name else name
        if kind in _CALLS:
            template = "class F"
            arguments.append(f"F {name}")
            given[kind] = f"&{_CALLS[kind]}<F, T>, context(std::move({name})), &destroy<F>"
            if operator.result == "F":
                result = "result_item_t<F, T>" if kind == "map" else "made_by<F, T>"
        elif kind == "signals":
            template = "class... S"
            arguments.append(f"const S &...{name}")
            before = f"    taken_of<T, S...> all({name}...);\n"
            given[kind] = "all.handles, all.count"
        elif kind == "signal":
            item = {"T": "signal<T>", "U": "signal<U>", "bool": "signal_of<T, bool>"}
            template = "class U" if operator.argument == "U" else ""
            arguments.append(f"const {item[operator.argument]} &{name}")
            given[kind] = f"{name}.retained()"
            result = result or "U"
        elif kind == "value":
            # With a default, a constant in braces is a T.
            is_same = operator.argument == "T"
            template = "class U = T" if is_same else "class U"
            arguments.append(f"U &&{name}")
            given[kind] = f"{'give_as<T>' if is_same else 'give'}(std::forward<U>({name}))"
            result = result or "item_t<U>"
        elif kind == "scheduler":
            last = "const scheduler &on = scheduler::current()"
            given[kind] = "on.get()"
        elif kind == "seconds":
            arguments.append("seconds time")
            given[kind] = "time.count()"
        else:
            size = "std::uint64_t" if kind == "count" else "std::size_t"
            arguments.append(f"integer<{size}> {name}")
            given[kind] = name
    # The type of a signal of something else than Ts is complete only when T is known.
    is_plain = operator.result in ("bool", "count", "number")
    signal = f"signal_of<T, {result}>" if is_plain else f"signal<{result}>"
    call = f"{operator.row.c}({', '.join(given[kind] for kind, _ in operator.parameters)})"
    out = wrapped(prose(operator), "  // ")
    if template:
        out += f"  template <{template}>\n"
    declared = ", ".join([*arguments, *filter(None, [last])])
    head = f"  {signal} {operator.name}({declared}) const {{\n"
    body = f"    return through<{result}>(this->get(), {call});\n"
    if len(body) > 101:
        body = f"    return through<{result}>(\n        this->get(), {call});\n"
    if max(map(len, body.split("\n"))) > 100:
        body = f"    return through<{result}>(\n        this->get(),\n        {call});\n"
    return out + head + before + body + "  }\n"


def pipe(operator: Operator) -> str:
    return f"BELAY_PIPE_({operator.name})\n"
