"""The operators of the marble cases, for test_batches: each with callables that note what they get."""

# The callables of the table below have no types.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import libbelay
from libbelay import Property, Signal, Subject, VirtualScheduler, of

MS = 0.001


class Run:
    """One run of a case: its sources, its clock, and all that was seen."""

    def __init__(self, names: Iterable[str]) -> None:
        self.clock = VirtualScheduler()
        self.sources = {name: Subject[Any]() for name in names}
        self.seen: list[Any] = []
        self.subscriptions: list[libbelay.Disposable] = []
        #: What is done when the operator has been subscribed to; it gives a subscription.
        self.then: list[Callable[[], libbelay.Disposable | None]] = []

    def note(self, what: str, answer: Callable[..., Any]) -> Callable[..., Any]:
        """The callable, noting what it is called with."""

        def noted(*given: Any) -> Any:
            self.seen.append((what, *map(plain, given)))
            return answer(*given)

        return noted

    def listen(self, signal: Signal[Any], name: str) -> None:
        def on_next(value: Any) -> None:
            if isinstance(value, Signal):
                self.seen.append((name, "signal"))
                self.listen(value, name + "'")
            else:
                self.seen.append((name, plain(value)))

        self.subscriptions.append(
            signal.subscribe(
                on_next, lambda e: self.seen.append((name, repr(e))),
                lambda: self.seen.append((name, "|")),
            )  # fmt: skip
        )


def plain(value: Any) -> Any:
    """The value, such that it equals that of another run."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    if isinstance(value, Signal):
        return "signal"
    return repr(value) if isinstance(value, Exception) else value


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
    "multicast_factory": lambda r, a: a[0].start_with(0).share_replay(1),
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
    "skip_for": lambda r, a: a[0].skip_for(MS, r.clock),
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
    # Of other families' names, and those that docs/operators.tsv makes of chains.
    "and": lambda r, a: libbelay.and_(*(s.map(bool) for s in a)),
    "async": lambda r, a: a[0].multicast(libbelay.AsyncSubject[Any]()).ref_count(),
    "audit_when": lambda r, a: a[0].audit_when(r.note("made", lambda v: a[-1])),
    "auto_connect": lambda r, a: a[0].publish().auto_connect(),
    "behavior": lambda r, a: a[0].multicast(libbelay.BehaviorSubject[Any](7)).ref_count(),
    "bind": lambda r, a: bound(r, a[0]),
    "bind_property": lambda r, a: bound_property(r, a[0]),
    "bind_variable": lambda r, a: stored(r, a[0]),
    "breakpoint": lambda r, a: a[0].breakpoint(r.note("stops", lambda v: False)),
    "breakpoint_on_error": lambda r, a: a[0].catch_to(9).breakpoint_on_error(),
    "buffer_by": lambda r, a: a[0].buffer_by(a[-1]),
    "buffer_time_creation": lambda r, a: collected(a[0].window_toggle(
        libbelay.interval(2 * MS, r.clock).start_with(0),
        r.note("closing", lambda v: libbelay.timer(4 * MS, r.clock)))),
    "buffer_toggle": lambda r, a: collected(
        a[0].window_toggle(a[1], r.note("closing", lambda v: a[2]))),
    "buffer_when": lambda r, a: a[0].buffer_by(libbelay.defer(r.note("closing", lambda: a[1]))
        .take(1).switch_if_empty(libbelay.never()).repeat()),
    "catch_with_iterable": lambda r, a: a[0].catch(
        r.note("catch", lambda e: a[1].catch(r.note("again", lambda e: a[2])))),
    "combine_latest_all": lambda r, a: a[0].map(lambda v: a[1]).collect().flat_map(
        r.note("all", lambda all_: libbelay.combine_latest(*all_) if all_ else of())),
    "compose": lambda r, a: a[0].pipe(lambda s: s.take(2).skip(1)),
    "connect": lambda r, a: connected(r, a[0].publish()),
    "connect_selector": lambda r, a: libbelay.defer(
        lambda: shared(lambda s: s.zip(s.skip(1)), a[0].publish())),
    "debounce_when": lambda r, a: a[0].debounce_when(r.note("made", lambda v: a[-1])),
    "defer": lambda r, a: libbelay.defer(r.note("defer", lambda: a[0])),
    "delay_when": lambda r, a: a[0].delay_when(r.note("made", lambda v: a[-1])),
    "delay_with_mapper": lambda r, a: a[1].start_with(0).take(1).then(
        a[0].delay_when(r.note("made", lambda v: a[2]))),
    "distinct_flushes": lambda r, a: a[0].window_by(a[1]).flat_map(
        lambda w: w.distinct(r.note("key", number))),
    "do_while": lambda r, a: a[0].repeat_when(
        lambda ends: ends.take(2).take_while(r.note("while", lambda v: True))),
    "exhaust_all": lambda r, a: a[0].map(lambda v: a[-1]).exhaust_map(r.note("made", lambda s: s)),
    "expand_index": lambda r, a: a[0].map(number).expand(
        r.note("double", lambda v: of(2 * v) if v < 20 else of())),
    "find_index": lambda r, a: a[0].enumerated().find(
        r.note("find", lambda both: number(both[1]) % 2)).map(lambda both: both[0]),
    "for_in": lambda r, a: a[0].start_with(0).concat_map(r.note("in", lambda v: a[1])),
    "fork_join": lambda r, a: libbelay.zip(*(s.take_last(1) for s in a)),
    "frames_delimited": lambda r, a: a[0].map(octets).frames_delimited(b"\0\n", 8),
    "frames_fixed": lambda r, a: a[0].map(octets).frames_fixed(3),
    "frames_prefixed": lambda r, a: a[0].map(octets).frames_prefixed(1, 8),
    "group_by_element": lambda r, a: a[0].group_by(r.note("key", lambda v: number(v) % 2)).flat_map(
        lambda group: group.map(r.note("of", number)).collect()),
    "group_join": lambda r, a: libbelay.defer(lambda: group_join(r, a)),
    "is_empty": lambda r, a: a[0].is_empty(),
    "join": lambda r, a: libbelay.defer(lambda: shared(
        lambda left, right: overlaps(r, left, right, a), a[0].publish(), a[1].publish())),
    "last_or_default": lambda r, a: a[0].take_last(1).default_if_empty(9),
    "lines": lambda r, a: a[0].map(octets).lines(8),
    "map_indexed": lambda r, a: a[0].enumerated().map(r.note("map", tuple)),
    "max_by": lambda r, a: extremes(a[0], max),
    "merge_scan": lambda r, a: scanned(r, a, "flat_map"),
    "min_by": lambda r, a: extremes(a[0], min),
    "observe_on_delay": lambda r, a: a[0].materialize().delay(2 * MS, r.clock).dematerialize(),
    "on_error_resume_next": lambda r, a: libbelay.concat(
        *(s.catch(r.note("catch", lambda e: of())) for s in a)),
    "or": lambda r, a: libbelay.or_(*(s.map(bool) for s in a)),
    "pairwise_from": lambda r, a: a[0].pairwise_from(9),
    "reduce_each": lambda r, a: a[0].map(lambda v: (v, v)).starmap(r.note("each", tuple_of)),
    "repeat_delay": lambda r, a: a[0].repeat_when(
        lambda ends: ends.enumerated().concat_map(r.note("again", lambda v: a[1].take(1))).take(2)),
    "repeat_when": lambda r, a: a[0].repeat_when(lambda ends: ends.take(2).do(r.note("e", bool))),
    "retry_backoff": lambda r, a: a[0].retry_backoff(2 * MS, attempts=3, scheduler_=r.clock),
    "retry_delay": lambda r, a: a[0].retry_when(
        lambda errors: errors.enumerated().concat_map(r.note("again", lambda v: a[1].take(1)))),
    "retry_reset_on_success": lambda r, a: a[0].do(r.note("reset", bool)).retry_when(
        lambda errors: errors.concat_map(
            r.note("again", lambda e: libbelay.timer(2 * MS, r.clock)))),
    "retry_when": lambda r, a: a[0].retry_when(lambda errors: errors.do(r.note("e", bool)).take(2)),
    "share_until": lambda r, a: a[0].share_until(
        error=a[1], completed=a[min(2, len(a) - 1)], unused=a[-1], replayed=1),
    "single_or_default": lambda r, a: a[0].single().catch(r.note("catch", lambda e: of(9))),
    "skip_last_for": lambda r, a: a[0].skip_last_for(3 * MS, r.clock),
    "skip_until_with_time": lambda r, a: a[0].skip_until(libbelay.timer(MS, r.clock)),
    "slice": lambda r, a: a[0].skip(1).take(3),
    "subscribe_on": lambda r, a: a[0].subscribe_on(r.clock),
    "switch_scan": lambda r, a: scanned(r, a, "switch_map"),
    "take_during": lambda r, a: during(r, a[0]),
    "take_last_buffer": lambda r, a: a[0].take_last(2).collect(),
    "take_last_for": lambda r, a: a[0].take_last_for(6 * MS, r.clock),
    "take_until_with_time": lambda r, a: a[0].take_until(libbelay.timer(6 * MS, r.clock)),
    "throttle_when": lambda r, a: a[0].throttle_when(
        r.note("made", lambda v: a[-1]), trailing=True),
    "throw_if_empty": lambda r, a: a[0].switch_if_empty(libbelay.throw(KeyError("empty"))),
    "timeout_when": lambda r, a: a[0].timeout_when(r.note("made", lambda v: a[-1]), of("late")),
    "timeout_with_mapper": lambda r, a: a[0].timeout_when(
        r.note("made", lambda v: a[2].default_if_empty(0)), a[3],
        first=a[1].default_if_empty(0)),
    "to_dict": lambda r, a: a[0].reduce(
        r.note("entry", lambda table, v: {**table, number(v) % 2: v}), {}),
    "to_set": lambda r, a: a[0].distinct(r.note("key", number)).collect(),
    "using": lambda r, a: libbelay.using(r.note("made", object), lambda o: a[0]).map(bool),
    "utf8": lambda r, a: a[0].map(octets).utf8(),
    "while_do": lambda r, a: libbelay.defer(r.note("while", lambda: a[0])).repeat_when(
        lambda ends: ends.take_while(r.note("again", lambda v: False))),
    "window_by": lambda r, a: a[0].window_by(a[-1]),
    "window_time_creation": lambda r, a: a[0].window_toggle(
        libbelay.interval(2 * MS, r.clock).start_with(0),
        r.note("closing", lambda v: libbelay.timer(4 * MS, r.clock))),
    "window_when": lambda r, a: a[0].window_by(libbelay.defer(r.note("closing", lambda: a[1]))
        .take(1).switch_if_empty(libbelay.never()).repeat()),
    "zip_all": lambda r, a: a[0].map(lambda v: a[-1]).collect().flat_map(
        r.note("all", lambda all_: libbelay.zip(*all_) if all_ else of())),
    "zip_latest": lambda r, a: a[0].enumerated().combine_latest(a[1].enumerated())
        .distinct_until_changed(
            r.note("same", lambda x, y: x[0][0] == y[0][0] or x[1][0] == y[1][0])),
}  # fmt: skip

#: The operators of marble cases that nothing is sent to, so that there is no batch to send.
WITHOUT_SOURCES = {
    "create", "empty", "error", "expand_scheduler", "from", "from_iterator", "from_optional",
    "from_result", "generate", "generate_with_relative_time", "interval", "just", "never", "range",
    "repeat_value", "scheduled", "start", "start_eagerly", "timer", "timer_at",
}  # fmt: skip


def octets(value: Any) -> bytes:
    """The bytes that a letter of the case means."""
    return bytes(value) if isinstance(value, list) else str(value).encode()


def collected(windows: Signal[Signal[Any]]) -> Signal[Any]:
    return windows.flat_map(lambda window: window.collect())


def bound(run: Run, source: Signal[Any]) -> Signal[Any]:
    subject = Subject[Any]()
    run.then.append(lambda: source.bind(subject))
    return subject


def bound_property(run: Run, source: Signal[Any]) -> Signal[Any]:
    # An error would be nobody's.
    target = Property[Any](0)
    run.then.append(lambda: target.bind(source.catch_to(9)))
    return target.signal


def stored(run: Run, source: Signal[Any]) -> Signal[Any]:
    """What an attribute has every millisecond: Python has no addresses of variables."""
    holder = SimpleNamespace(value=0)
    run.then.append(
        lambda: source.catch_to(9).subscribe(lambda value: setattr(holder, "value", value))
    )
    looks = libbelay.interval(MS, run.clock)
    return looks.map(lambda _: holder.value).distinct_until_changed()


def connected(run: Run, hub: Signal[Any]) -> Signal[Any]:
    run.then.append(hub.connect)
    return hub


def shared(use: Callable[..., Signal[Any]], *hubs: Signal[Any]) -> Signal[Any]:
    """What is made of connectable signals, which are connected while that is subscribed to."""
    connections: list[Any] = []

    def connect() -> Signal[Any]:
        connections.extend(hub.connect() for hub in hubs)
        return libbelay.empty()

    def disconnect() -> None:
        for connection in connections:
            connection.dispose()

    return libbelay.merge(use(*hubs), libbelay.defer(connect)).finally_(disconnect)


def over(time: Signal[Any]) -> Signal[Any]:
    return time.take(1).default_if_empty(0)


def overlaps(run: Run, left: Signal[Any], right: Signal[Any], a: list[Any]) -> Signal[Any]:
    """Pairs of values of both sides whose times, of the last two sources, overlap."""
    return libbelay.merge(
        left.flat_map(run.note("left", lambda v: right.take_until(over(a[2])).map(
            lambda other: (v, other)))),
        right.flat_map(run.note("right", lambda v: left.take_until(over(a[3])).map(
            lambda other: (other, v)))),
    )  # fmt: skip


def group_join(run: Run, a: list[Any]) -> Signal[Any]:
    left, right = a[0].enumerated().map(tuple).publish(), a[1].publish()
    # (The end of the pairs is not the end of a group's time.)
    pairs = libbelay.merge(overlaps(run, left, right, a), libbelay.never()).publish()

    def group(value: Any) -> Signal[Any]:
        own = pairs.filter(lambda pair: pair[0] == value).map(lambda pair: pair[1])
        return own.take_until(over(a[2])).collect().map(lambda others: (value[1], others))

    # An error of a pair counts while there is no group, too.
    return shared(
        lambda *hubs: hubs[1].flat_map(run.note("group", group)).take_until(hubs[0].ignore_elements()),
        pairs, left, right,
    )  # fmt: skip


def scanned(run: Run, a: list[Any], flatten: str) -> Signal[Any]:
    """Flattens what is made of a value and of the last value sent."""
    state = [0]

    def add(value: Any) -> Signal[Any]:
        total = state[0] + number(value)
        return a[-1].map(lambda v: total)  # type: ignore[no-any-return]

    made: Signal[Any] = getattr(a[0], flatten)(run.note("add", add))
    return made.do(lambda v: state.__setitem__(0, v))


def during(run: Run, source: Signal[Any]) -> Signal[Any]:
    owner = libbelay.Owner()
    libbelay.timer(8 * MS, run.clock).subscribe(lambda v: owner.end())
    return source.take_during(owner)


def extremes(source: Signal[Any], choose: Callable[[Any], Any]) -> Signal[Any]:
    return source.collect().map(
        lambda all_: [v for v in all_ if number(v) % 3 == choose(number(w) % 3 for w in all_)]
    )


def tuple_of(*given: Any) -> tuple[Any, ...]:
    return given


def equal(a: Any, b: Any) -> bool:
    return bool(a == b)
