"""Node's functions over N-API, and its wrappers of usual operators with their declarations.

`functions` writes bindings/node/native/functions.c: a function of JavaScript's for each function of
the headers that bindings/node/lib calls. It passes arguments on by their types and ownership. Where
an argument cannot be converted it passes NULL on, which every function of the API answers. The other
functions are called by what is written by hand there, or not at all: see parity.py.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from . import ctype
from .operators import Operator, Wrong, prose, wrapped

Item = dict[str, Any]

NATIVE = "bindings/node/native"
LIBRARY = "bindings/node/lib"
_HANDLES = {
    "signal", "subscriber", "disposable", "bag", "owner", "loop", "scheduler", "property",
    "command", "request", "recursion", "marbles", "drawing",
}  # fmt: skip
_NUMBERS = {
    "int": "int", "unsigned int": "count", "size_t": "count", "uint64_t": "count",
    "int64_t": "integer", "double": "number", "char": "letter",
}  # fmt: skip
_OPTIONS = {"belay_source_options", "belay_queue_options"}
# What a callback is given, and how its answer is read.
_GIVEN = {
    "belay_value": "value", "const belay_error *": "error", "belay_signal *": "signal",
    "belay_subscriber *": "subscriber", "belay_recursion *": "recursion", "const char *": "text",
}  # fmt: skip
_ANSWERS = {
    "void": ("void", ""), "int": ("int", "answer_truth"),
    "belay_value": ("belay_value", "answer_value"),
    "belay_signal *": ("belay_signal *", "answer_signal"),
    "belay_disposable *": ("belay_disposable *", "answer_disposable"),
    "belay_error *": ("belay_error *", "answer_error"),
}  # fmt: skip


def functions(root: Path, api: dict[str, Any], usual: list[Operator]) -> str:
    items = {item["name"]: item for item in api["items"]}
    _, table = written_by_hand(root / NATIVE, items)
    # `usual` is not written yet when a row is new.
    called = {_short(each.row.c) for each in usual} | _called(root / LIBRARY)
    made, callbacks = [], set()
    for item in (item for item in api["items"] if item["kind"] == "function"):
        if _short(item["name"]) in called - table:
            made.append(_Function(item, items))
            callbacks |= set(made[-1].callbacks)
    if unknown := called - table - {each.short for each in made}:
        raise Wrong(f"{LIBRARY} calls what the add-on has not: {', '.join(sorted(unknown))}")
    out = "/* Written by `scripts/api write`: the functions of the headers, and their callbacks. */\n"
    out += '#include "internal.h"\n\n'
    out += "".join(_callback(items[name]) for name in items if name in callbacks)
    out += "".join(each.text() for each in made)
    out += "const bn_export bn_exports[] = {\n"
    out += "".join(f'    {{"{each.short}", {each.c}}},\n' for each in made)
    return out + "    {NULL, NULL},\n};\n"


def _called(library: Path) -> set[str]:
    """The functions of the add-on that JavaScript calls."""
    text = "".join(file.read_text() for file in sorted(library.rglob("*.js")))
    return set(re.findall(r"\bnative\.(\w+)", text)) - {"received", "sent"}


def written_by_hand(native: Path, items: dict[str, Item]) -> tuple[set[str], set[str]]:
    """The functions that the other files call, also by the names that their macros make; and the
    functions that they give JavaScript."""
    files = [file for file in sorted(native.glob("*.[ch]")) if file.name != "functions.c"]
    text = re.sub(r"/\*.*?\*/", "", "".join(file.read_text() for file in files), flags=re.S)
    names = set(re.findall(r"\bbelay_\w+", text))
    for made in re.findall(r"\b(belay_(?:\w*_)?##name(?:##\w+)?)", text):
        names |= {made.replace("##name##", each).replace("##name", each) for each in _HANDLES}
    # What the headers define inline calls the function that it is named after.
    inline = {name for name in names if items.get(name, {}).get("kind") == "inline"}
    names |= {"belay_value_try" for name in inline if name.startswith("belay_value_try_")}
    given = set(re.findall(r'^    \{"(\w+)", \w+\},$', text, flags=re.M))
    return {name for name in names if items.get(name, {}).get("kind") == "function"}, given


def _callback(item: Item) -> str:
    """The function that Belay calls; `ctx` holds the one of JavaScript's."""
    result, answer = _ANSWERS[ctype.spell(item["result"]["type"])]
    arguments, pushed = ["void *ctx"], ""
    parameters = item["parameters"][1:]
    for index, each in enumerate(parameters):
        name = each["name"]
        spelled = ctype.spell(each["type"])
        arguments.append(f"{spelled}{'' if spelled.endswith('*') else ' '}{name}")
        if spelled == "const belay_value *":
            pushed += f"  for (size_t i = 0; i < count; i++) bn_give_value(&call, {name}[i]);\n"
        elif index == 0 or ctype.spell(parameters[index - 1]["type"]) != "const belay_value *":
            pushed += f"  bn_give_{_GIVEN[spelled]}(&call, {name});\n"
    end = f"  return bn_{answer}(&call);\n" if answer else "  bn_answer_nothing(&call);\n"
    count = "count" if "[i]" in pushed else str(len(parameters))
    gap = "" if result.endswith("*") else " "
    return (
        f"static {result}{gap}on_{_short(item['name'])}({', '.join(arguments)}) {{\n"
        f"  bn_callback call;\n  bn_enter(&call, ctx, {count});\n{pushed}{end}}}\n\n"
    )


def _short(name: str) -> str:
    return name.removeprefix("belay_").removesuffix("_fn")


class _Function:
    """One function: the conversions of its arguments, in order, and of its result."""

    def __init__(self, item: Item, items: dict[str, Item]) -> None:
        self.item = item
        self.short = _short(item["name"])
        self.c = f"call_{self.short}"
        self.callbacks: list[str] = []
        self.out = ""
        result = ctype.spell(item["result"]["type"])
        self.is_op = result == "belay_op *"
        # An operator is applied to the signal that comes first.
        self.count = 1 if self.is_op else 0
        self.given = list(self._arguments(item["parameters"], items))
        self.result = self._result(result, item["result"].get("ownership"))

    def _wrong(self, what: str) -> Wrong:
        return Wrong(f"{self.item['name']}: not for Node: {what}; see bindings/node/uncovered.tsv")

    def _take(self) -> int:
        self.count += 1
        return self.count - 1

    def _arguments(self, parameters: list[Item], items: dict[str, Item]) -> Any:
        rest = list(parameters)
        while rest:
            each = rest.pop(0)
            spelled, owned = ctype.spell(each["type"]), each.get("ownership")
            if each["type"].get("name") in items and each["type"]["name"].endswith("_fn"):
                at, name = self._take(), each["type"]["name"]
                self.callbacks.append(name)
                if len(rest) < 2 or rest[1]["type"].get("name") != "belay_free_fn":
                    raise self._wrong(spelled)
                rest[:2] = []
                call = f"bn_is_given(&call, {at}) ? on_{_short(name)} : NULL"
                yield f"{call}, bn_ctx(&call, {at}), bn_free"
            elif spelled in ("belay_signal *const *", "const belay_value *"):
                at, what = self._take(), "signals" if "signal" in spelled else "values"
                if self.item["name"] == "belay_signal_switch_on" and what == "values":
                    yield f"bn_values(&call, {at})"
                    continue
                rest.pop(0)
                yield f"bn_{what}(&call, {at}), bn_count(&call, {at})"
            elif spelled == "belay_value":
                yield f"bn_{'value' if owned == 'taken' else 'lent_value'}(&call, {self._take()})"
            elif spelled == "const belay_error *":
                yield f"bn_error(&call, {self._take()})"
            elif spelled == "const char *":
                yield f"bn_text(&call, {self._take()})"
            elif handle := self._handle(spelled):
                taken = "taken_" if owned == "taken" else ""
                yield f"bn_{taken}{handle}(&call, {self._take()})"
            elif spelled == "uint64_t" and each["name"] == "key":
                yield f"bn_exact(&call, {self._take()})"
            elif spelled in _NUMBERS:
                cast = "(unsigned)" if spelled == "unsigned int" else ""
                yield f"{cast}bn_{_NUMBERS[spelled]}(&call, {self._take()})"
            elif each["type"].get("to", {}).get("name") in _OPTIONS:
                name = _short(each["type"]["to"]["name"])
                yield f"bn_{name}(&call, {self._take()})"
            elif items.get(spelled, {}).get("kind") == "enum":
                yield f"({spelled})bn_int(&call, {self._take()})"
            elif owned == "given" and not rest:
                self.out = spelled.removesuffix("*").rstrip(" ")
                yield "&out"
            elif spelled == "uint64_t *" and not rest:
                self.out = "uint64_t"
                yield "&out"
            else:
                raise self._wrong(spelled)

    @staticmethod
    def _handle(spelled: str) -> str:
        found = re.fullmatch(r"(?:const )?belay_(\w+) \*", spelled)
        return found[1] if found and found[1] in _HANDLES else ""

    def _result(self, result: str, owned: str | None) -> str:
        """What makes the function's answer of `$`, the call."""
        if self.out == "uint64_t":  # a key: all bits count, and a double has not so many
            return "bn_checked(&call, $, bn_exactly(&call, out))"
        if self.out:
            return f"bn_checked(&call, $, {self._made(self.out, 'out', 'given')})"
        if result == "void":
            return "($, bn_undefined(&call))"
        if self.is_op:
            return "bn_applied(&call, $)"
        if result == "int":
            return "bn_code(&call, $)"
        return self._made(result, "$", owned)

    def _made(self, type: str, made: str, owned: str | None) -> str:
        if handle := self._handle(type):
            made = f"belay_{handle}_retain({made})" if owned == "borrowed" else made
            return f"bn_made(&call, BN_{handle.upper()}, {made})"
        if type == "belay_value":
            return f"bn_{'read' if owned == 'borrowed' else 'taken_over'}(&call, {made})"
        if type == "const char *":
            return f"bn_said(&call, {made})"
        if type in ("size_t", "uint64_t", "double"):
            return f"bn_counted(&call, (double){made})"
        raise self._wrong(type)

    def text(self) -> str:
        call = f"{self.item['name']}({', '.join(self.given)})"
        out = f"static napi_value {self.c}(napi_env env, napi_callback_info info) {{\n"
        out += "  bn_call call;\n  if (!bn_begin(&call, env, info)) return NULL;\n"
        if self.out:
            star = "" if self.out.endswith("*") else " "
            zero = "belay_null()" if self.out == "belay_value" else "0"
            out += f"  {self.out}{star}out = {zero};\n"
            out += f"  int code = {call};\n"
            call = "code"
        return out + f"  return bn_end(&call, {self.result.replace('$', call)});\n}}\n\n"


# ---- the wrappers of usual operators ----

_RESULTS = {
    "T": "T", "bool": "boolean", "count": "number", "number": "number", "[T]": "T[]",
    "(T, T)": "[T, T]", "(count, T)": "[number, T]", "(seconds, T)": "[number, T]",
}  # fmt: skip
_NAMES = {"default": "fallback"}


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def method(operator: Operator) -> str:
    """The method in JavaScript."""
    arguments, last, given = [], [], ["this._handle"]
    for kind, name in operator.parameters:
        name = _NAMES.get(name, camel(name))
        if kind in ("predicate", "map"):
            arguments.append(name)
            given.append(f"core.callable({name})")
        elif kind == "flat_map":
            arguments.append(name)
            given.append(f"core.making({name})")
        elif kind == "signals":
            arguments.append(f"...{name}")
            given.append(f"core.handles({name})")
        elif kind == "signal":
            arguments.append(name)
            given.append(f"core.handle({name})")
        elif kind == "scheduler":
            last = ["scheduler"]
            given.append("core.scheduler(scheduler)")
        else:
            name = "seconds" if kind == "seconds" else name
            arguments.append(name)
            given.append(name)
    call = f"native.{_short(operator.row.c)}({', '.join(given)})"
    head = f"  {camel(operator.name)}({', '.join(arguments + last)}) {{\n"
    body = f"    return this._apply({call});\n"
    if len(body) > 101:
        body = f"    return this._apply(\n      {call},\n    );\n"
    return f"{head}{body}  }}\n\n"


def declaration(operator: Operator) -> str:
    """Its declaration in TypeScript."""
    arguments, last, generic = [], [], ""
    result = _RESULTS.get(operator.result, operator.result)
    for kind, name in operator.parameters:
        name = _NAMES.get(name, camel(name))
        if kind == "predicate":
            arguments.append(f"{name}: (value: T) => unknown")
        elif kind == "map":
            generic, result = "U", "U"
            arguments.append(f"{name}: (value: T) => U")
        elif kind == "flat_map":
            is_made = operator.result == "F"
            generic, result = ("U", "U") if is_made else ("", result)
            item = "U" if is_made else "unknown"
            arguments.append(f"{name}: (value: T) => Source<{item}>")
        elif kind in ("signals", "signal", "value"):
            item = {"bool": "boolean"}.get(operator.argument, "U")
            generic = "U" if item == "U" else ""
            is_added = operator.result == "T" and (kind == "signals" or operator.argument == "T")
            item = item if operator.argument != "T" or is_added else "T"
            generic = generic if item == "U" else ""
            result = "T | U" if is_added else result
            type = item if kind == "value" else f"Source<{item}>"
            arguments.append(f"...{name}: {type}[]" if kind == "signals" else f"{name}: {type}")
        elif kind == "scheduler":
            last = ["scheduler?: Scheduler"]
        else:
            arguments.append(f"{'seconds' if kind == 'seconds' else name}: number")
    text = re.sub(r"\bBELAY_(E[A-Z]+)", r"\1", prose(operator))
    text = text.replace("`time`", "`seconds`")
    comment = wrapped(text, "   * ")
    brackets = f"<{generic}>" if generic else ""
    line = f"  {camel(operator.name)}{brackets}({', '.join(arguments + last)}): Signal<{result}>;\n"
    return f"  /**\n{comment}   */\n{line}"
