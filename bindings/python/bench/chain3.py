"""py_chain3: a value through map, filter, map to one subscriber, beside reactivex, in one run.

    pip install reactivex; python bindings/python/bench/chain3.py [--rounds N]

Prints a table, in nanoseconds a value, and the ratio to reactivex's Subject: the median over the
rounds of each round's own ratio, in which all take turns. Every row's subscriber adds up what it
hears, and every sum has to be the same.
"""

import argparse
import statistics
import time
from array import array
from collections.abc import Callable

import reactivex.operators as rx
from reactivex.subject import Subject as RxSubject

from libbelay import Subject, it

COUNT = 50_000
NUMBERS = range(COUNT)
LIST = list(NUMBERS)
ARRAY = array("q", NUMBERS)
EXPECTED = sum(v * 3 + 2 for v in NUMBERS if (v * 3 + 1) % 2 == 0)


class Sum:
    """What is heard."""

    def __init__(self) -> None:
        self.value = 0

    def add(self, value: int) -> None:
        self.value += value


def triple(value: int) -> int:
    return value * 3 + 1


def is_even(value: int) -> bool:
    return value % 2 == 0


def following(value: int) -> int:
    return value + 1


def one_by_one(subject: object) -> None:
    on_next = subject.on_next  # type: ignore[attr-defined]
    for value in LIST:
        on_next(value)


def rows() -> list[tuple[str, Callable[[], int], float | None]]:
    """Each row: its name, one round, which answers with the sum, and the ratio that is wanted."""
    heard = Sum()
    theirs: RxSubject[int] = RxSubject()
    theirs.pipe(rx.map(triple), rx.filter(is_even), rx.map(following)).subscribe(heard.add)
    python, native = Subject[int](), Subject[int]()
    python.map(triple).filter(is_even).map(following).subscribe(heard.add)
    native.map(it * 3 + 1).filter(it % 2 == 0).map(it + 1).subscribe(heard.add)

    def told(send: Callable[[], object]) -> Callable[[], int]:
        def run() -> int:
            heard.value = 0
            send()
            return heard.value

        return run

    def summed() -> int:
        subject: Subject[int] = Subject()
        subject.map(it * 3 + 1).filter(it % 2 == 0).map(it + 1).sum().subscribe(heard.add)
        subject.on_next_batch(ARRAY)
        subject.on_completed()
        return heard.value

    return [
        ("reactivex", told(lambda: one_by_one(theirs)), None),
        ("callables, one by one", told(lambda: one_by_one(python)), 2),
        ("callables, a list", told(lambda: python.on_next_batch(LIST)), 2),
        ("native, one by one", told(lambda: one_by_one(native)), None),
        ("native, a list", told(lambda: native.on_next_batch(LIST)), None),
        ("native, an array", told(lambda: native.on_next_batch(ARRAY)), None),
        ("native, an array, sum()", told(summed), 20),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    measured = rows()
    times: list[list[float]] = [[] for _ in measured]
    for number in range(rounds + 2):
        for index, (name, run, _) in enumerate(measured):
            begin = time.perf_counter_ns()
            total = run()
            spent = (time.perf_counter_ns() - begin) / COUNT
            if total != EXPECTED:
                raise SystemExit(f"{name}: a wrong sum, {total}")
            if number >= 2:
                times[index].append(spent)
    print(f"{'py_chain3':26} {'ns':>8} {'ratio':>7}  wanted")
    for (name, _, wanted), own in zip(measured, times, strict=True):
        ratio = statistics.median(theirs / ours for theirs, ours in zip(times[0], own, strict=True))
        verdict = "" if wanted is None else f"{wanted:g} × {'met' if ratio >= wanted else 'MISSED'}"
        print(f"{name:26} {statistics.median(own):8.1f} {ratio:7.2f}  {verdict}")


if __name__ == "__main__":
    main()
