"""py_chain3: a value through map, filter, map to one subscriber, beside reactivex, in one run.

    sh bindings/python/test.sh bench [--rounds N]
    python bindings/python/bench/chain3.py [--rounds N]   # where the package and reactivex are installed

Prints a table, in nanoseconds a value: the fastest of the rounds, in which all take turns, for what
else runs on a machine only adds; the median beside it; and the ratio of reactivex's Subject to it.
Every row's subscriber is the append of a list, and what it hears has to have the right sum.
"""

import argparse
import statistics
import time
from array import array
from collections.abc import Callable

import reactivex.operators as rx
from reactivex.subject import Subject as RxSubject

from libbelay import Subject, it

COUNT = 2_000
NUMBERS = range(COUNT)
LIST = list(NUMBERS)
ARRAY = array("q", NUMBERS)
EXPECTED = sum(v * 3 + 2 for v in NUMBERS if (v * 3 + 1) % 2 == 0)


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


Row = tuple[str, Callable[[], Callable[[], object]], float | None]


def rows(heard: list[int]) -> list[Row]:
    """Each row: its name, what sets a round up and gives what is timed, the ratio that is wanted.
    Every subscriber appends what it hears to `heard`."""
    theirs: RxSubject[int] = RxSubject()
    theirs.pipe(rx.map(triple), rx.filter(is_even), rx.map(following)).subscribe(heard.append)
    python, native = Subject[int](), Subject[int]()
    python.map(triple).filter(is_even).map(following).subscribe(heard.append)
    native.map(it * 3 + 1).filter(it % 2 == 0).map(it + 1).subscribe(heard.append)

    def summed() -> Callable[[], object]:
        subject: Subject[int] = Subject()
        stages = subject.map(it * 3 + 1).filter(it % 2 == 0).map(it + 1)
        stages.sum().subscribe(heard.append)

        def send() -> None:
            subject.on_next_batch(ARRAY)
            subject.on_completed()

        return send

    return [
        ("reactivex", lambda: lambda: one_by_one(theirs), None),
        ("callables, one by one", lambda: lambda: one_by_one(python), 2),
        ("callables, a list", lambda: lambda: python.on_next_batch(LIST), 2),
        ("native, one by one", lambda: lambda: one_by_one(native), 12),
        ("native, a list", lambda: lambda: native.on_next_batch(LIST), None),
        ("native, an array", lambda: lambda: native.on_next_batch(ARRAY), 20),
        ("native, an array, sum()", summed, 20),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="py_chain3, beside reactivex")
    parser.add_argument("--rounds", type=int, default=500)
    rounds = parser.parse_args().rounds
    heard: list[int] = []
    measured = rows(heard)
    times: list[list[float]] = [[] for _ in measured]
    for _ in range(rounds):
        for (name, prepare, _), own in zip(measured, times, strict=True):
            heard.clear()
            run = prepare()
            begin = time.perf_counter_ns()
            run()
            own.append((time.perf_counter_ns() - begin) / COUNT)
            if sum(heard) != EXPECTED:
                raise SystemExit(f"{name}: a wrong sum, {sum(heard)}")
    print(f"{'py_chain3':26} {'ns':>8} {'median':>8} {'ratio':>7}  wanted")
    for (name, _, wanted), own in zip(measured, times, strict=True):
        ratio = min(times[0]) / min(own)
        verdict = "" if wanted is None else f"{wanted:g} × {'met' if ratio >= wanted else 'MISSED'}"
        print(f"{name:26} {min(own):8.1f} {statistics.median(own):8.1f} {ratio:7.2f}  {verdict}")


if __name__ == "__main__":
    main()
