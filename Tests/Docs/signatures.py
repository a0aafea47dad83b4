"""Each operator has a declaration in each language that its row of docs/parity.md names, all of one class, and the
class is the row's: other classes have methods of the same names. Two operators do not have the same declarations: where
a language overloads a name, docs/parity.tsv tells the labels or the types of each.

Environment: SOURCE.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ["SOURCE"])
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
from description import table  # noqa: E402
from description.site import signatures  # noqa: E402

# What the results of these must be, and may not be: many classes have methods of these names.
RESULTS = [
    ("belay_op_count", "Rust", r"-> Signal<u64>", "usize|Self"),
    ("belay_op_count", "C++", r"signal_of<T, std::uint64_t>", "size_t"),
    ("belay_op_is_empty", "Rust", r"-> Signal<bool>", "-> bool"),
    ("belay_op_all", "Rust", r"-> Signal<bool>", "Lines"),
    ("belay_op_last", "C++", r"signal<T> last", "error"),
    ("belay_op_collect", "C++", r"signal<std::vector<T>>", "void"),
    ("belay_op_scan", "Rust", r"-> Signal<S>", r"\$"),
    ("belay_signal_error", "Rust", r"-> Signal<T>", "Self"),
    ("belay_signal_error", "Node", r"static error", "boolean"),
    ("belay_signal_bind_variable", "Rust", r"-> Result<Disposable>", "Loop"),
    ("belay_property_create", "Rust", r"-> Result<Property<T>>", "Loop|HostScheduler|Subject"),
    ("belay_property_create", "C++", r"property\(U", "empty"),
    ("belay_signal_connect", "Swift", r"-> Disposable", "CType"),
    ("belay_wall_timer", "Swift", r"-> Signal<Void>", "make"),
    ("belay_op_pairwise", "Swift", r"pairwise\(\)", "from"),
    ("belay_op_pairwise_from", "Swift", r"pairwise\(from", r"\(\)"),
    ("belay_op_buffer", "Swift", r"buffer\(_ count: Int\)", "skip|every"),
    ("belay_op_take_during", "Swift", r"take\(during object", "count"),
    ("belay_signal_from", "Swift", r"_ items: Items", "Result|Value\\?"),
    ("belay_signal_from_result", "Swift", r"_ result: Result<", "Items"),
    ("belay_signal_subscribe", "Swift", r"next:", "scheduler"),
    ("belay_property_create", "Swift", r"init\(_ initial: Value", "class"),
    ("belay_op_compose", "Swift", r"lift<First", "Stage"),
    ("belay_signal_bind", "C++", r"bind\(const subject<T> &target", "property|owner|V &"),
    ("belay_signal_bind_variable", "C++", r"bind\(V &variable\)", "subject|property"),
    ("belay_signal_bind_property", "Node", r"target: Property<T>, options", "Subject"),
]


def main() -> int:
    found, cells = signatures.read(ROOT), signatures.names(ROOT)
    wrong, count = [], 0
    users: dict[tuple[str, str], list[str]] = {}
    for function in sorted({row.c for row in table.read(ROOT) if row.c.startswith("belay_")}):
        for language, _ in signatures.LANGUAGES:
            cell = cells[function][language]
            if not cell.startswith("`"):
                continue
            count += 1
            texts = signatures.of(cell, language, found[language])
            name = signatures.split(cell)[1].partition("(")[0]
            # One that has an option for another operator is that one's, too.
            if len(texts) > 1:
                users.setdefault((language, texts[0]), []).append(function)
            if not texts:
                wrong.append(f"{function}: nothing declares {cell} in {language}")
            wrong += [
                f"{function}: this is not {cell} of {language}: {text}"
                for text in texts
                if not re.search(rf"\b{name}\b|\bdef __init__\b", text)
            ]
    wrong += [
        f"{language}: {' and '.join(each)} have the same declarations: tell them apart in docs/parity.tsv, as "
        "Signal.take(during:) or signal::bind(subject)"
        for (language, _), each in users.items()
        if len(each) > 1
    ]
    for function, language, wanted, refused in RESULTS:
        text = "\n".join(signatures.of(cells[function][language], language, found[language]))
        if not re.search(wanted, text) or re.search(refused, text):
            wrong.append(f"{function}: wrong declarations in {language}:\n{text}")
    print("\n".join([*wrong, f"{count} declarations, {len(wrong)} failures"]))
    return bool(wrong) or count < 800


if __name__ == "__main__":
    sys.exit(main())
