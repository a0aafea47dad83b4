"""A burst is its values one by one: whatever a callable can tell, it sees at the same time.

Each operator runs its marble cases twice, on subjects: values that follow each other on one source
are sent singly, and as a batch. Every callable notes what it gets, and a signal that is a value is
subscribed to as soon as it comes."""

# The callables of the tables below have no types.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

import re
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import libbelay
from libbelay import Signal, Subject, VirtualScheduler, of
from support import Case

CASES = Path(__file__).resolve().parents[3] / "Tests/Marbles"
MS = 0.001


class Run:
    """One run of a case: its sources, its clock, and all that was seen."""

    def __init__(self, names: str) -> None:
        self.clock = VirtualScheduler()
        self.sources = {name: Subject[Any]() for name in names}
        self.seen: list[Any] = []
        self.subscriptions: list[libbelay.Disposable] = []

    def note(self, what: str, answer: Callable[..., Any]) -> Callable[..., Any]:
        """The callable, noting what it is called with."""

        def noted(*given: Any) -> Any:
            self.seen.append((what, *(repr(g) if isinstance(g, Exception) else g for g in given)))
            return answer(*given)

        return noted

    def listen(self, signal: Signal[Any], name: str) -> None:
        def on_next(value: Any) -> None:
            if isinstance(value, Signal):
                self.seen.append((name, "signal"))
                self.listen(value, name + "'")
            else:
                self.seen.append((name, value))

        self.subscriptions.append(
            signal.subscribe(
                on_next, lambda e: self.seen.append((name, repr(e))),
                lambda: self.seen.append((name, "|")),
            )  # fmt: skip
        )


def number(value: Any) -> int:
    return value if isinstance(value, int) else ord(value)


Apply = Callable[[Run, list[Any]], Signal[Any]]

#: By the names of the marble cases' operators, without what is behind an underscore there.
OPERATORS: dict[str, Apply] = {
    "all": lambda r, a: a[0].all(r.note("all", lambda v: number(v) % 2)),
    "any": lambda r, a: a[0].any(r.note("any", lambda v: number(v) % 2)),
    "attempt": lambda r, a: a[0].attempt(r.note("attempt", number)),
    "audit": lambda r, a: a[0].audit(4 * MS, r.clock),
    "average": lambda r, a: a[0].map(number).average(),
    "buffer": lambda r, a: a[0].buffer(2),
    "buffer_skip": lambda r, a: a[0].buffer(2, 1),
    "buffer_time": lambda r, a: a[0].buffer_time(4 * MS, 2, r.clock),
    "catch": lambda r, a: a[0].catch(r.note("catch", lambda e: of(9))),
    "catch_to": lambda r, a: a[0].catch_to(9),
    "collect": lambda r, a: a[0].collect(),
    "combine_latest": lambda r, a: a[0].combine_latest(*a[1:], combiner=r.note("c", tuple_of)),
    "compact_map": lambda r, a: a[0].compact_map(r.note("compact", lambda v: v)),
    "concat": lambda r, a: a[0].concat(*a[1:]),
    "concat_map": lambda r, a: a[0].concat_map(r.note("map", lambda v: of(v, v))),
    "contains": lambda r, a: a[0].contains(2),
    "count": lambda r, a: a[0].count(),
    "debounce": lambda r, a: a[0].debounce(2 * MS, scheduler_=r.clock),
    "debounce_if": lambda r, a: a[0].debounce(2 * MS, r.note("waits", bool), r.clock),
    "default_if_empty": lambda r, a: a[0].default_if_empty(9),
    "delay": lambda r, a: a[0].delay(2 * MS, r.clock),
    "delay_subscription": lambda r, a: a[0].delay_subscription(0, r.clock),
    "dematerialize": lambda r, a: a[0].materialize().dematerialize(),
    "distinct": lambda r, a: a[0].distinct(r.note("key", lambda v: v)),
    "distinct_until_changed": lambda r, a: a[0].distinct_until_changed(r.note("same", equal)),
    "do": lambda r, a: a[0].do(r.note("do", number), on_completed=r.note("do|", lambda: None)),
    "element_at": lambda r, a: a[0].element_at(1),
    "element_at_or": lambda r, a: a[0].element_at(1, 9),
    "end_with": lambda r, a: a[0].end_with(8, 9),
    "enumerated": lambda r, a: a[0].enumerated(),
    "exhaust_map": lambda r, a: a[0].exhaust_map(r.note("map", lambda v: of(v, v))),
    "expand": lambda r, a: a[0].map(number).expand(
        r.note("map", lambda v: of(v * 2) if v < 9 else [])),
    "filter": lambda r, a: a[0].filter(r.note("filter", lambda v: number(v) % 2)),
    "finally": lambda r, a: a[0].finally_(r.note("finally", lambda: None)),
    "find": lambda r, a: a[0].find(r.note("find", lambda v: number(v) % 2)),
    "first": lambda r, a: a[0].first(r.note("first", bool)),
    "flat_map": lambda r, a: a[0].flat_map(r.note("map", lambda v: of(v, v))),
    "group_by": lambda r, a: a[0].group_by(r.note("key", lambda v: number(v) % 2)),
    "group_by_until": lambda r, a: a[0].group_by_until(
        r.note("key", lambda v: number(v) % 2), lambda group: a[-1]),
    "if_then_else": lambda r, a: libbelay.if_then_else(a[0].map(bool), *(a * 3)[1:3]),
    "ignore": lambda r, a: a[0].ignore(2),
    "ignore_elements": lambda r, a: a[0].ignore_elements(),
    "initially": lambda r, a: a[0].initially(r.note("initially", lambda: None)),
    "last": lambda r, a: a[0].last(r.note("last", bool)),
    "log": lambda r, a: a[0].log("log", r.note("log", lambda line: None)),
    "map": lambda r, a: a[0].map(r.note("map", lambda v: (v,))),
    "map_error": lambda r, a: a[0].map_error(r.note("map_error", lambda e: KeyError(1))),
    "map_to": lambda r, a: a[0].map_to("x"),
    "materialize": lambda r, a: a[0].materialize().map(str),
    "max": lambda r, a: a[0].max(r.note("less", lambda x, y: number(x) < number(y))),
    "merge": lambda r, a: a[0].merge(*a[1:]),
    "merge_all": lambda r, a: a[0].map(lambda v: of(v, v)).merge_all(),
    "concat_all": lambda r, a: a[0].map(lambda v: of(v, v)).concat_all(),
    "merge_delay_error": lambda r, a: a[0].merge_delay_error(*a[1:]),
    "min": lambda r, a: a[0].min(r.note("less", lambda x, y: number(x) < number(y))),
    "multicast": lambda r, a: a[0].multicast(Subject[Any]()).auto_connect(),
    "not": lambda r, a: a[0].map(bool).not_(),
    "observe_on": lambda r, a: a[0].observe_on(libbelay.immediate()),
    "pairwise": lambda r, a: a[0].pairwise(),
    "partition": lambda r, a: libbelay.merge(
        *a[0].partition(r.note("part", lambda v: number(v) % 2))),
    "publish": lambda r, a: a[0].publish().auto_connect(),
    "ref_count": lambda r, a: a[0].publish().ref_count(),
    "race": lambda r, a: a[0].race(*a[1:]),
    "reduce": lambda r, a: a[0].reduce(r.note("reduce", tuple_of), ()),
    "repeat": lambda r, a: a[0].repeat(1),
    "replay": lambda r, a: a[0].replay(2).auto_connect(),
    "retry": lambda r, a: a[0].retry(1),
    "sample": lambda r, a: a[0].sample(a[-1]),
    "sample_time": lambda r, a: a[0].sample_time(4 * MS, r.clock),
    "scan": lambda r, a: a[0].scan(r.note("scan", tuple_of), ()),
    "sequence_equal": lambda r, a: a[0].sequence_equal(a[-1], r.note("equal", equal)),
    "share": lambda r, a: a[0].share(),
    "share_replay": lambda r, a: a[0].share_replay(1),
    "single": lambda r, a: a[0].single(),
    "skip": lambda r, a: a[0].skip(1),
    "skip_for": lambda r, a: a[0].skip_for(2 * MS, r.clock),
    "skip_last": lambda r, a: a[0].skip_last(1),
    "skip_until": lambda r, a: a[0].skip_until(a[-1]),
    "skip_while": lambda r, a: a[0].skip_while(r.note("while", lambda v: number(v) % 2)),
    "start_with": lambda r, a: a[0].start_with(8, 9),
    "sum": lambda r, a: a[0].map(number).sum(),
    "switch_if_empty": lambda r, a: a[0].switch_if_empty(a[-1]),
    "switch_map": lambda r, a: a[0].switch_map(r.note("map", lambda v: of(v, v))),
    "switch_on": lambda r, a: libbelay.switch_on(a[0], {1: of("one")}, of("else")),
    "switch_to_latest": lambda r, a: a[0].map(lambda v: of(v, v)).switch_to_latest(),
    "take": lambda r, a: a[0].take(2),
    "take_for": lambda r, a: a[0].take_for(3 * MS, r.clock),
    "take_last": lambda r, a: a[0].take_last(2),
    "take_until": lambda r, a: a[0].take_until(a[-1].skip(1)),
    "take_until_replacement": lambda r, a: a[0].take_until_replacement(a[-1].skip(1)),
    "take_while": lambda r, a: a[0].take_while(r.note("while", lambda v: number(v) % 2), True),
    "then": lambda r, a: a[0].then(of(9)),
    "throttle": lambda r, a: a[0].throttle(4 * MS, scheduler_=r.clock),
    "throttle_while": lambda r, a: a[0].throttle_while(a[-1].map(bool)),
    "time_interval": lambda r, a: a[0].time_interval(r.clock),
    "timeout": lambda r, a: a[0].timeout(3 * MS, "late", r.clock),
    "timestamp": lambda r, a: a[0].timestamp(r.clock),
    "window": lambda r, a: a[0].window(2),
    "window_time": lambda r, a: a[0].window_time(4 * MS, 2, r.clock),
    "window_toggle": lambda r, a: a[0].window_toggle(a[-1], r.note("closing", lambda v: a[-1])),
    "with_latest_from": lambda r, a: a[0].with_latest_from(*a[1:], combiner=r.note("w", tuple_of)),
    "with_owner": lambda r, a: a[0].with_owner(r).map(lambda both: both[1]),
    "zip": lambda r, a: a[0].zip(*a[1:], combiner=r.note("z", tuple_of)),
}  # fmt: skip


def tuple_of(*given: Any) -> tuple[Any, ...]:
    return given


def equal(a: Any, b: Any) -> bool:
    return bool(a == b)


Event = tuple[int, str, str]


def events(diagram: str, source: str) -> Iterator[Event]:
    """When what happens: values, and the ends."""
    frame, in_group = 0, False
    for mark in re.sub(r"\s|\d+(ms|s|m)\b", "", diagram):
        if mark == "(":
            in_group = True
        elif mark == ")":
            in_group, frame = False, frame + 1
        else:
            if mark not in "-^!*":
                yield frame, source, mark
            frame += not in_group


def cases() -> Iterator[tuple[str, list[Event]]]:
    """Each operator with the events of each of its cases."""
    for file in sorted(CASES.rglob("*.txt")):
        for case in file.read_text().split("== ")[1:]:
            sources = re.findall(r"^(?:cold|hot|kept) (\w): *(.*)$", case, flags=re.M)
            if sources:
                told = [each for name, diagram in sources for each in events(diagram, name)]
                yield file.stem, sorted(told, key=lambda each: each[0])


def bursts(told: list[Event], longest: int) -> Iterator[tuple[int, str, list[str]]]:
    """Values that follow each other on one source, together."""
    held: list[str] = []
    source, time = "", 0
    for frame, name, mark in told:
        if held and (name != source or mark in "|#" or len(held) == longest):
            yield time, source, held
            held = []
        source, time = name, frame
        held.append(mark)
        if mark in "|#":
            yield time, source, held
            held = []
    if held:
        yield time, source, held


def play(apply: Apply, told: list[Event], *, in_batches: bool) -> list[Any]:
    run = Run("".join(sorted({source for _, source, _ in told})) or "a")
    sources: list[Any] = [run.sources[name] for name in sorted(run.sources)]
    run.listen(apply(run, sources), "out")
    run.listen(sources[0].map(run.note("beside", lambda v: v)), "beside")
    for _, source, marks in bursts(told, 256):
        subject = run.sources[source]
        values = [int(mark) if mark.isdigit() else mark for mark in marks]
        if marks == ["|"]:
            subject.on_completed()
        elif marks == ["#"]:
            subject.on_error(ValueError("marble"))
        elif in_batches:
            subject.on_next_batch(values)
        else:
            for value in values:
                subject.on_next(value)
        run.clock.advance(5 * MS)
    run.clock.advance(1)
    for each in run.subscriptions:
        each.dispose()
    return run.seen


class Bursts(Case):
    maxDiff = None

    def test_every_operators_marble_cases(self) -> None:
        played: set[str] = set()
        for name, told in cases():
            apply = OPERATORS.get(name)
            if apply is not None:
                played.add(name)
                with self.subTest(name, told=told):
                    singly = play(apply, told, in_batches=False)
                    self.assertEqual(play(apply, told, in_batches=True), singly)
        self.assertEqual(OPERATORS.keys() - played, set())

    def test_windows_and_groups_lose_nothing(self) -> None:
        def heard(apply: Callable[[Signal[int]], Signal[Signal[int]]], source: Any) -> list[Any]:
            run = Run("")
            run.listen(apply(source), "w")
            return [what for _, what in run.seen]

        expected = ["signal", 1, 2, "|", "signal", 3, "|", "|"]
        self.assertEqual(heard(lambda s: s.window(2), of(1, 2, 3)), expected)
        self.assertEqual(heard(lambda s: s.window(2).map(lambda w: w), of(1, 2, 3)), expected)
        self.assertEqual(heard(lambda s: s.window(2), libbelay.range(1, 3)), expected)
        groups = ["signal", 1, "signal", 2, 3, "|", "|", "|"]
        self.assertEqual(heard(lambda s: s.group_by(lambda v: v % 2), of(1, 2, 3)), groups)
        on = libbelay.immediate()
        self.assertEqual(
            heard(lambda s: s.observe_on(on).group_by(lambda v: v % 2).observe_on(on), of(1, 2, 3)),
            groups,
        )

    def test_observing_at_once_is_at_once(self) -> None:
        seen: list[Any] = []
        of(1, 2).do(lambda v: seen.append(("in", v))).flat_map(of).observe_on(
            libbelay.immediate()
        ).subscribe(lambda v: seen.append(("out", v)))
        self.assertEqual(seen, [("in", 1), ("out", 1), ("in", 2), ("out", 2)])

    def test_a_burst_inside_a_burst_is_heard_at_once(self) -> None:
        subject = Subject[int]()
        seen: list[Any] = []

        def hear(value: int) -> None:
            of(value * 10).subscribe(seen.append)
            seen.append(value)

        with subject.subscribe(hear), subject.subscribe(lambda v: seen.append(-v)):
            subject.on_next_batch([1, 2])
        self.assertEqual(seen, [10, 1, -1, 20, 2, -2])


if __name__ == "__main__":
    unittest.main()
