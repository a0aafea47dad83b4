"""A batch is its values one by one: whatever a callable can tell, it sees at the same time.

Each operator runs its marble cases twice, on subjects: values that follow each other on one source
are sent singly, and as a batch. Every callable notes what it gets, and a signal that is a value is
subscribed to as soon as it comes."""

import re
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import libbelay
from batch_operators import OPERATORS, WITHOUT_SOURCES, Apply, Run, plain
from libbelay import Signal, Subject, of
from support import Case

CASES = Path(__file__).resolve().parents[3] / "Tests/Marbles"
MS = 0.001
#: The operators of bytes: lists are meant by the letters of their cases.
OCTETS = {"frames_delimited", "frames_fixed", "frames_prefixed", "lines", "utf8"}


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


class Played(NamedTuple):
    """A case of an operator, to be played."""

    name: str
    sources: list[str]
    told: list[Event]
    meanings: dict[str, Any]


def cases() -> Iterator[Played]:
    """Each case, with the sources as the operator is given them, and the events of all."""
    for file in sorted(CASES.rglob("*.txt")):
        for case in file.read_text().split("== ")[1:]:
            diagrams = dict(re.findall(r"^(?:cold|hot|kept) (\w): *(.*)$", case, flags=re.M))
            ran = re.search(r"^run \w+(.*)$", case, flags=re.M)
            words = ran[1].split() if ran else []
            told = [each for name, diagram in diagrams.items() for each in events(diagram, name)]
            yield Played(
                file.stem,
                [word for word in words if word in diagrams] or [*diagrams],
                sorted(told, key=lambda each: each[0]),
                {letter: [int(octet) for octet in octets.split()]
                 for letter, octets in re.findall(r"\b(\w)=\[([\d ]*)\]", case)}
                if file.stem in OCTETS else {},
            )  # fmt: skip


def batches(told: list[Event], longest: int) -> Iterator[tuple[int, str, list[str]]]:
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


def play(apply: Apply, case: Played, *, in_batches: bool) -> list[Any]:
    run = Run({*case.sources, *(source for _, source, _ in case.told)})
    sources: list[Any] = [run.sources[name] for name in case.sources]
    run.listen(apply(run, sources), "out")
    run.subscriptions += [made for made in (then() for then in run.then) if made is not None]
    run.listen(sources[0].do(run.note("beside", plain)), "beside")
    run.clock.advance(2 * MS)
    for _, source, marks in batches(case.told, 256):
        subject = run.sources[source]
        values = [case.meanings.get(m, int(m) if m.isdigit() else m) for m in marks]
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


class Batches(Case):
    maxDiff = None

    def test_every_operators_marble_cases(self) -> None:
        played, silent, heard = set[str](), set[str](), {"ignore_elements"}
        for case in cases():
            if not case.sources:
                silent.add(case.name)
                continue
            played.add(case.name)
            with self.subTest(case.name, told=case.told):
                self.assertIn(case.name, OPERATORS, "batch_operators.py has no entry")
                apply = OPERATORS[case.name]
                singly = play(apply, case, in_batches=False)
                self.assertEqual(play(apply, case, in_batches=True), singly)
                if any(each[0] == "out" and each[1] != "|" for each in singly):
                    heard.add(case.name)
        self.assertEqual(OPERATORS.keys() - played, set())
        self.assertEqual(silent - played, WITHOUT_SOURCES)
        self.assertEqual(played - heard, set(), "played, but nothing came of it")

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

    def test_a_batch_inside_a_batch_is_heard_at_once(self) -> None:
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
