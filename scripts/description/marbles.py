"""The operations of usual operators that the files of Tests/Marbles name, in C and in Swift."""

from __future__ import annotations

from .operators import Operator

_C_HEAD = """/* Operations of operators with usual signatures. Written by `scripts/api write`. */
/* clang-format off */
#include "marbles.h"

"""
_C = {
    "predicate": "odd, NULL, NULL", "map": "doubled, NULL, NULL", "signal": "marble_input(run, 1)",
    "scheduler": "marble_scheduler(run)", "seconds": "marble_seconds(run, 1)",
    "value": "belay_int32(9)", "count": "marble_count(run, 1)", "size": "marble_count(run, 1)",
}  # fmt: skip
_SUFFIXES = {"predicate": "_odd", "map": "_doubled", "value": "_9"}
_SWIFT_HEAD = """@testable import Belay

/// Operations of operators with usual signatures. Written by `scripts/api write`.
let usualOperations: MarbleOperations = [
"""
_SWIFT = {
    "predicate": "$0.odd", "map": "$0.doubled", "signal": "$0.input(1)", "signals": "$0.input(1)",
    "scheduler": "on: $0.scheduler", "seconds": "$0.span", "value": ".int(9)",
    "count": "$0.count(1)", "size": "$0.count(1)",
}  # fmt: skip
_SWIFT_RESULTS = {
    "bool": ".map { .flag($0) }", "count": ".map { .int(Int($0)) }", "number": ".map { .real($0) }",
    "[T]": ".map { .list($0) }",
}  # fmt: skip


# The results that a case can show without more code. Other operations are written by hand.
_C_RESULTS = {"T", "U", "F", "bool", "count", "number", "[T]", "(T, T)"}


def is_plain(operator: Operator, language: str) -> bool:
    """Whether its operation needs no code of its own."""
    results = _C_RESULTS if language == "c" else {"T", "U", "F", *_SWIFT_RESULTS}
    return "flat_map" not in operator.kinds and operator.result in results


def operation(operator: Operator) -> str:
    """The name of its operation in a case."""
    return operator.name + "".join(_SUFFIXES.get(kind, "") for kind in operator.kinds)


def c(operators: list[Operator]) -> str:
    out, names = _C_HEAD, []
    for each in operators:
        name = operation(each)
        names.append(f"    {{\"{name}\", {name}}},\n")
        if "signals" in each.kinds:
            out += f"JOINING({name}, {each.row.c})\n"
            continue
        arguments = ", ".join(_C[kind] for kind, _ in each.parameters)
        is_number = each.result in ("count", "number")
        as_digits = ", belay_op_map(plain_number, NULL, NULL)" if is_number else ""
        out += f"APPLYING({name}, {each.row.c}({arguments}){as_digits})\n"
    out += "\nconst marble_operation usual_operations[] = {\n" + "".join(names)
    return out + "    {0}};\n"


def swift(operators: list[Operator]) -> str:
    out = _SWIFT_HEAD
    for each in operators:
        # The scheduler comes last in Swift, whatever C does.
        kinds = sorted((kind for kind, _ in each.parameters), key=lambda kind: kind == "scheduler")
        arguments = ", ".join(_SWIFT[kind] for kind in kinds)
        result = _SWIFT_RESULTS.get(each.result, "")
        out += f'  "{operation(each)}": {{ $0.source.{each.row.swift}({arguments}){result} }},\n'
    return out + "]\n"
