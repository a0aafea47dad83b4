"""The operators as functions, for `Signal.pipe`: ``signal.pipe(ops.map(f), ops.filter(p))``.

Each is the method of `Signal` of the same name, with the signal left out. Written by
`scripts/api write` from the methods.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from ._core import Seconds, Source
from ._operators.base import A, B, U, V as T
from ._operators.filtering import _NONE, Predicate
from ._operators.sharing import ShareRules
from ._signals import Signal

if TYPE_CHECKING:
    from . import _core
    from ._schedulers import QueuePolicy, Scheduler


def all(predicate: Callable[[T], Any] = bool) -> Callable[[Signal[T]], Signal[bool]]:
    """See `Signal.all`."""
    return lambda signal: signal.all(predicate)


def any(predicate: Callable[[T], Any] = bool) -> Callable[[Signal[T]], Signal[bool]]:
    """See `Signal.any`."""
    return lambda signal: signal.any(predicate)


def attempt(action: Callable[[T], Any]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.attempt`."""
    return lambda signal: signal.attempt(action)


def audit(
    time: _core.Seconds, scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.audit`."""
    return lambda signal: signal.audit(time, scheduler_)


def audit_when(mapper: Callable[[T], Source[Any]]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.audit_when`."""
    return lambda signal: signal.audit_when(mapper)


def auto_connect(count: int = 1) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.auto_connect`."""
    return lambda signal: signal.auto_connect(count)


def average() -> Callable[[Signal[T]], Signal[float]]:
    """See `Signal.average`."""
    return lambda signal: signal.average()


def breakpoint(
    on_next: Callable[[T], Any] | None = None, on_error: Callable[[BaseException], Any] |
    None = None, on_completed: Callable[[], Any] | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.breakpoint`."""
    return lambda signal: signal.breakpoint(on_next, on_error, on_completed)


def breakpoint_on_error() -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.breakpoint_on_error`."""
    return lambda signal: signal.breakpoint_on_error()


def buffer(count: int, skip: int | None = None) -> Callable[[Signal[T]], Signal[list[T]]]:
    """See `Signal.buffer`."""
    return lambda signal: signal.buffer(count, skip)


def buffer_by(notifier: Source[U]) -> Callable[[Signal[T]], Signal[list[T]]]:
    """See `Signal.buffer_by`."""
    return lambda signal: signal.buffer_by(notifier)


def buffer_time(
    time: Seconds, count: int | None = None, scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[list[T]]]:
    """See `Signal.buffer_time`."""
    return lambda signal: signal.buffer_time(time, count, scheduler_)


def catch(recover: Callable[[BaseException], Source[U]]) -> Callable[[Signal[T]], Signal[T | U]]:
    """See `Signal.catch`."""
    return lambda signal: signal.catch(recover)


def catch_to(value: U) -> Callable[[Signal[T]], Signal[T | U]]:
    """See `Signal.catch_to`."""
    return lambda signal: signal.catch_to(value)


def collect() -> Callable[[Signal[T]], Signal[list[T]]]:
    """See `Signal.collect`."""
    return lambda signal: signal.collect()


@overload
def combine_latest(a: Source[A], /) -> Callable[[Signal[T]], Signal[tuple[T, A]]]: ...
@overload
def combine_latest(
    a: Source[A], /, *, combiner: Callable[[T, A], U]
) -> Callable[[Signal[T]], Signal[U]]: ...
@overload
def combine_latest(a: Source[A], b: Source[B], /) -> Callable[[Signal[T]], Signal[tuple[T, A, B]]]: ...
@overload
def combine_latest(
    a: Source[A], b: Source[B], /, *, combiner: Callable[[T, A, B], U]
) -> Callable[[Signal[T]], Signal[U]]: ...
@overload
def combine_latest(*others: Source[Any]) -> Callable[[Signal[T]], Signal[tuple[Any, ...]]]: ...
@overload
def combine_latest(
    *others: Source[Any], combiner: Callable[..., U] | None = None
) -> Callable[[Signal[T]], Signal[U]]: ...
def combine_latest(
    *others: Source[Any], combiner: Callable[..., Any] | None = None
) -> Callable[[Signal[T]], Signal[Any]]:
    """See `Signal.combine_latest`."""
    return lambda signal: signal.combine_latest(*others, combiner=combiner)


def compact_map(mapper: Callable[[T], U | None]) -> Callable[[Signal[T]], Signal[U]]:
    """See `Signal.compact_map`."""
    return lambda signal: signal.compact_map(mapper)


def concat(*others: Source[U]) -> Callable[[Signal[T]], Signal[T | U]]:
    """See `Signal.concat`."""
    return lambda signal: signal.concat(*others)


def concat_all() -> Callable[[Signal[Source[U]]], Signal[U]]:
    """See `Signal.concat_all`."""
    return lambda signal: signal.concat_all()


def concat_map(mapper: Callable[[T], Source[U]]) -> Callable[[Signal[T]], Signal[U]]:
    """See `Signal.concat_map`."""
    return lambda signal: signal.concat_map(mapper)


def contains(wanted: Any) -> Callable[[Signal[T]], Signal[bool]]:
    """See `Signal.contains`."""
    return lambda signal: signal.contains(wanted)


def count() -> Callable[[Signal[T]], Signal[int]]:
    """See `Signal.count`."""
    return lambda signal: signal.count()


def debounce(
    time: Seconds, waits: Callable[[T], Any] | None = None, scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.debounce`."""
    return lambda signal: signal.debounce(time, waits, scheduler_)


def debounce_when(mapper: Callable[[T], Source[Any]]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.debounce_when`."""
    return lambda signal: signal.debounce_when(mapper)


def default_if_empty(fallback: U) -> Callable[[Signal[T]], Signal[T | U]]:
    """See `Signal.default_if_empty`."""
    return lambda signal: signal.default_if_empty(fallback)


def delay(
    time: _core.Seconds, scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.delay`."""
    return lambda signal: signal.delay(time, scheduler_)


def delay_subscription(
    time: _core.Seconds, scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.delay_subscription`."""
    return lambda signal: signal.delay_subscription(time, scheduler_)


def delay_when(mapper: Callable[[T], Source[Any]]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.delay_when`."""
    return lambda signal: signal.delay_when(mapper)


def dematerialize() -> Callable[[Signal[T]], Signal[Any]]:
    """See `Signal.dematerialize`."""
    return lambda signal: signal.dematerialize()


def distinct(key: Callable[[T], Any] | None = None) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.distinct`."""
    return lambda signal: signal.distinct(key)


def distinct_until_changed(
    equal: Callable[[T, T], Any] | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.distinct_until_changed`."""
    return lambda signal: signal.distinct_until_changed(equal)


def do(
    on_next: Callable[[T], Any] | None = None, on_error: Callable[[BaseException], Any] |
    None = None, on_completed: Callable[[], Any] | None = None, *, on_disposed: Callable[[], Any] |
    None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.do`."""
    return lambda signal: signal.do(on_next, on_error, on_completed, on_disposed=on_disposed)


def element_at(index: int, default: U = _NONE) -> Callable[[Signal[T]], Signal[T | U]]:
    """See `Signal.element_at`."""
    return lambda signal: signal.element_at(index, default)


def end_with(*values: U) -> Callable[[Signal[T]], Signal[T | U]]:
    """See `Signal.end_with`."""
    return lambda signal: signal.end_with(*values)


def enumerated() -> Callable[[Signal[T]], Signal[list[Any]]]:
    """See `Signal.enumerated`."""
    return lambda signal: signal.enumerated()


def exhaust_map(mapper: Callable[[T], Source[U]]) -> Callable[[Signal[T]], Signal[U]]:
    """See `Signal.exhaust_map`."""
    return lambda signal: signal.exhaust_map(mapper)


def expand(
    mapper: Callable[[T], Source[Any]], limit: int | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.expand`."""
    return lambda signal: signal.expand(mapper, limit)


def filter(predicate: Callable[[T], Any]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.filter`."""
    return lambda signal: signal.filter(predicate)


def finally_(action: Callable[[], Any]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.finally_`."""
    return lambda signal: signal.finally_(action)


def find(predicate: Callable[[T], Any]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.find`."""
    return lambda signal: signal.find(predicate)


def first(predicate: Predicate[T] | None = None) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.first`."""
    return lambda signal: signal.first(predicate)


def flat_map(
    mapper: Callable[[T], Source[U]], limit: int | None = None
) -> Callable[[Signal[T]], Signal[U]]:
    """See `Signal.flat_map`."""
    return lambda signal: signal.flat_map(mapper, limit)


def frames_delimited(delimiter: bytes, limit: int) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.frames_delimited`."""
    return lambda signal: signal.frames_delimited(delimiter, limit)


def frames_fixed(size: int) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.frames_fixed`."""
    return lambda signal: signal.frames_fixed(size)


def frames_prefixed(
    width: int, limit: int, little_endian: bool = False
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.frames_prefixed`."""
    return lambda signal: signal.frames_prefixed(width, limit, little_endian)


def group_by(key: Callable[[T], Any]) -> Callable[[Signal[T]], Signal[Signal[T]]]:
    """See `Signal.group_by`."""
    return lambda signal: signal.group_by(key)


def group_by_until(
    key: Callable[[T], Any], until: Callable[[Signal[T]], Source[Any]]
) -> Callable[[Signal[T]], Signal[Signal[T]]]:
    """See `Signal.group_by_until`."""
    return lambda signal: signal.group_by_until(key, until)


def ignore(unwanted: Any) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.ignore`."""
    return lambda signal: signal.ignore(unwanted)


def ignore_elements() -> Callable[[Signal[T]], Signal[Any]]:
    """See `Signal.ignore_elements`."""
    return lambda signal: signal.ignore_elements()


def initially(action: Callable[[], Any]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.initially`."""
    return lambda signal: signal.initially(action)


def is_empty() -> Callable[[Signal[T]], Signal[bool]]:
    """See `Signal.is_empty`."""
    return lambda signal: signal.is_empty()


def last(predicate: Predicate[T] | None = None) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.last`."""
    return lambda signal: signal.last(predicate)


def lines(limit: int) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.lines`."""
    return lambda signal: signal.lines(limit)


def log(
    label: str | None = None, sink: Callable[[str], Any] | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.log`."""
    return lambda signal: signal.log(label, sink)


def map(mapper: Callable[[T], U]) -> Callable[[Signal[T]], Signal[U]]:
    """See `Signal.map`."""
    return lambda signal: signal.map(mapper)


def map_error(mapper: Callable[[BaseException], BaseException]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.map_error`."""
    return lambda signal: signal.map_error(mapper)


def map_to(value: U) -> Callable[[Signal[T]], Signal[U]]:
    """See `Signal.map_to`."""
    return lambda signal: signal.map_to(value)


def materialize() -> Callable[[Signal[T]], Signal[list[Any]]]:
    """See `Signal.materialize`."""
    return lambda signal: signal.materialize()


def max(less: Callable[[T, T], Any] | None = None) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.max`."""
    return lambda signal: signal.max(less)


def merge(*others: Source[U]) -> Callable[[Signal[T]], Signal[T | U]]:
    """See `Signal.merge`."""
    return lambda signal: signal.merge(*others)


def merge_all(limit: int | None = None) -> Callable[[Signal[Source[U]]], Signal[U]]:
    """See `Signal.merge_all`."""
    return lambda signal: signal.merge_all(limit)


def merge_delay_error(*others: Source[U]) -> Callable[[Signal[T]], Signal[T | U]]:
    """See `Signal.merge_delay_error`."""
    return lambda signal: signal.merge_delay_error(*others)


def min(less: Callable[[T, T], Any] | None = None) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.min`."""
    return lambda signal: signal.min(less)


def multicast(subject: Signal[Any]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.multicast`."""
    return lambda signal: signal.multicast(subject)


def not_() -> Callable[[Signal[T]], Signal[bool]]:
    """See `Signal.not_`."""
    return lambda signal: signal.not_()


def observe_on(
    scheduler_: Scheduler, *, policy: QueuePolicy | None = None, capacity: int | None = 0
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.observe_on`."""
    return lambda signal: signal.observe_on(scheduler_, policy=policy, capacity=capacity)


def pairwise() -> Callable[[Signal[T]], Signal[list[T]]]:
    """See `Signal.pairwise`."""
    return lambda signal: signal.pairwise()


def pairwise_from(start: U) -> Callable[[Signal[T]], Signal[list[Any]]]:
    """See `Signal.pairwise_from`."""
    return lambda signal: signal.pairwise_from(start)


def partition(predicate: Predicate[T]) -> Callable[[Signal[T]], tuple[Signal[T], Signal[T]]]:
    """See `Signal.partition`."""
    return lambda signal: signal.partition(predicate)


def publish() -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.publish`."""
    return lambda signal: signal.publish()


def race(*others: Source[U]) -> Callable[[Signal[T]], Signal[T | U]]:
    """See `Signal.race`."""
    return lambda signal: signal.race(*others)


def reduce(accumulator: Callable[[U, T], U], seed: U) -> Callable[[Signal[T]], Signal[U]]:
    """See `Signal.reduce`."""
    return lambda signal: signal.reduce(accumulator, seed)


def ref_count() -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.ref_count`."""
    return lambda signal: signal.ref_count()


def repeat(count: int | None = None) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.repeat`."""
    return lambda signal: signal.repeat(count)


def repeat_when(answer: Callable[[Signal[Any]], Source[Any]]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.repeat_when`."""
    return lambda signal: signal.repeat_when(answer)


def replay(
    count: int | None = 1024, age: Seconds | None = None, scheduler: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.replay`."""
    return lambda signal: signal.replay(count, age, scheduler)


def retry(count: int | None = None) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.retry`."""
    return lambda signal: signal.retry(count)


def retry_backoff(
    time: Seconds, *, factor: float = 2.0, longest: Seconds = 60.0, jitter: float = 0.0, attempts:
    int | None = None, reset_on_value: bool = False, scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.retry_backoff`."""
    return lambda signal: signal.retry_backoff(time, factor=factor, longest=longest, jitter=jitter, attempts=attempts, reset_on_value=reset_on_value, scheduler_=scheduler_)


def retry_when(
    answer: Callable[[Signal[BaseException]], Source[Any]]
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.retry_when`."""
    return lambda signal: signal.retry_when(answer)


def sample(notifier: Source[Any]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.sample`."""
    return lambda signal: signal.sample(notifier)


def sample_time(
    time: _core.Seconds, scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.sample_time`."""
    return lambda signal: signal.sample_time(time, scheduler_)


def scan(accumulator: Callable[[U, T], U], seed: U) -> Callable[[Signal[T]], Signal[U]]:
    """See `Signal.scan`."""
    return lambda signal: signal.scan(accumulator, seed)


def sequence_equal(
    other: Source[U], equal: Callable[[T, U], Any] | None = None
) -> Callable[[Signal[T]], Signal[bool]]:
    """See `Signal.sequence_equal`."""
    return lambda signal: signal.sequence_equal(other, equal)


def share(rules: int = ShareRules.RESET) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.share`."""
    return lambda signal: signal.share(rules)


def share_replay(
    count: int | None = 1024, age: Seconds | None = None, scheduler: Scheduler | None = None, rules:
    int = ShareRules.RESET
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.share_replay`."""
    return lambda signal: signal.share_replay(count, age, scheduler, rules)


def share_until(
    *, error: Source[Any] | None = None, completed: Source[Any] | None = None, unused: Source[Any] |
    None = None, replayed: int = 0
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.share_until`."""
    return lambda signal: signal.share_until(error=error, completed=completed, unused=unused, replayed=replayed)


def single(predicate: Predicate[T] | None = None) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.single`."""
    return lambda signal: signal.single(predicate)


def skip(count: int) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.skip`."""
    return lambda signal: signal.skip(count)


def skip_for(
    time: _core.Seconds, scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.skip_for`."""
    return lambda signal: signal.skip_for(time, scheduler_)


def skip_last(count: int) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.skip_last`."""
    return lambda signal: signal.skip_last(count)


def skip_last_for(
    time: _core.Seconds, scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.skip_last_for`."""
    return lambda signal: signal.skip_last_for(time, scheduler_)


def skip_until(trigger: Source[Any]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.skip_until`."""
    return lambda signal: signal.skip_until(trigger)


def skip_while(predicate: Callable[[T], Any]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.skip_while`."""
    return lambda signal: signal.skip_while(predicate)


def starmap(mapper: Callable[..., U]) -> Callable[[Signal[T]], Signal[U]]:
    """See `Signal.starmap`."""
    return lambda signal: signal.starmap(mapper)


def start_with(*values: U) -> Callable[[Signal[T]], Signal[T | U]]:
    """See `Signal.start_with`."""
    return lambda signal: signal.start_with(*values)


def subscribe_on(scheduler_: Scheduler) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.subscribe_on`."""
    return lambda signal: signal.subscribe_on(scheduler_)


def sum() -> Callable[[Signal[T]], Signal[Any]]:
    """See `Signal.sum`."""
    return lambda signal: signal.sum()


def switch_if_empty(other: Source[U]) -> Callable[[Signal[T]], Signal[T | U]]:
    """See `Signal.switch_if_empty`."""
    return lambda signal: signal.switch_if_empty(other)


def switch_map(mapper: Callable[[T], Source[U]]) -> Callable[[Signal[T]], Signal[U]]:
    """See `Signal.switch_map`."""
    return lambda signal: signal.switch_map(mapper)


def switch_to_latest() -> Callable[[Signal[Source[U]]], Signal[U]]:
    """See `Signal.switch_to_latest`."""
    return lambda signal: signal.switch_to_latest()


def take(count: int) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.take`."""
    return lambda signal: signal.take(count)


def take_during(owner: Any) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.take_during`."""
    return lambda signal: signal.take_during(owner)


def take_for(
    time: _core.Seconds, scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.take_for`."""
    return lambda signal: signal.take_for(time, scheduler_)


def take_last(count: int) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.take_last`."""
    return lambda signal: signal.take_last(count)


def take_last_for(
    time: _core.Seconds, scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.take_last_for`."""
    return lambda signal: signal.take_last_for(time, scheduler_)


def take_until(trigger: Source[Any]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.take_until`."""
    return lambda signal: signal.take_until(trigger)


def take_until_replacement(replacement: Source[U]) -> Callable[[Signal[T]], Signal[T | U]]:
    """See `Signal.take_until_replacement`."""
    return lambda signal: signal.take_until_replacement(replacement)


def take_while(
    predicate: Predicate[T], inclusive: bool = False
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.take_while`."""
    return lambda signal: signal.take_while(predicate, inclusive)


def then(next_: Source[U]) -> Callable[[Signal[T]], Signal[U]]:
    """See `Signal.then`."""
    return lambda signal: signal.then(next_)


def throttle(
    time: Seconds, *, leading: bool = True, trailing: bool = False, scheduler_: Scheduler |
    None = None
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.throttle`."""
    return lambda signal: signal.throttle(time, leading=leading, trailing=trailing, scheduler_=scheduler_)


def throttle_when(
    mapper: Callable[[T], Source[Any]], *, leading: bool = True, trailing: bool = False
) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.throttle_when`."""
    return lambda signal: signal.throttle_when(mapper, leading=leading, trailing=trailing)


def throttle_while(condition: Source[bool]) -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.throttle_while`."""
    return lambda signal: signal.throttle_while(condition)


def time_interval(scheduler_: Scheduler | None = None) -> Callable[[Signal[T]], Signal[list[Any]]]:
    """See `Signal.time_interval`."""
    return lambda signal: signal.time_interval(scheduler_)


@overload
def timeout(
    time: Seconds, fallback: None = None, scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[T]]: ...
@overload
def timeout(
    time: Seconds, fallback: Source[U], scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[T | U]]: ...
def timeout(
    time: Seconds, fallback: Source[Any] | None = None, scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[Any]]:
    """See `Signal.timeout`."""
    return lambda signal: signal.timeout(time, fallback, scheduler_)


@overload
def timeout_when(
    mapper: Callable[[T], Source[Any]], fallback: None = None, *, first: Source[Any] | None = None
) -> Callable[[Signal[T]], Signal[T]]: ...
@overload
def timeout_when(
    mapper: Callable[[T], Source[Any]], fallback: Source[U], *, first: Source[Any] | None = None
) -> Callable[[Signal[T]], Signal[T | U]]: ...
def timeout_when(
    mapper: Callable[[T], Source[Any]], fallback: Source[Any] | None = None, *, first: Source[Any] |
    None = None
) -> Callable[[Signal[T]], Signal[Any]]:
    """See `Signal.timeout_when`."""
    return lambda signal: signal.timeout_when(mapper, fallback, first=first)


def timestamp(scheduler_: Scheduler | None = None) -> Callable[[Signal[T]], Signal[list[Any]]]:
    """See `Signal.timestamp`."""
    return lambda signal: signal.timestamp(scheduler_)


def utf8() -> Callable[[Signal[T]], Signal[T]]:
    """See `Signal.utf8`."""
    return lambda signal: signal.utf8()


def window(count: int, skip: int | None = None) -> Callable[[Signal[T]], Signal[Signal[T]]]:
    """See `Signal.window`."""
    return lambda signal: signal.window(count, skip)


def window_by(notifier: Source[Any]) -> Callable[[Signal[T]], Signal[Signal[T]]]:
    """See `Signal.window_by`."""
    return lambda signal: signal.window_by(notifier)


def window_time(
    time: Seconds, count: int | None = None, scheduler_: Scheduler | None = None
) -> Callable[[Signal[T]], Signal[Signal[T]]]:
    """See `Signal.window_time`."""
    return lambda signal: signal.window_time(time, count, scheduler_)


def window_toggle(
    openings: Source[U], closing: Callable[[U], Source[Any]]
) -> Callable[[Signal[T]], Signal[Signal[T]]]:
    """See `Signal.window_toggle`."""
    return lambda signal: signal.window_toggle(openings, closing)


@overload
def with_latest_from(a: Source[A], /) -> Callable[[Signal[T]], Signal[tuple[T, A]]]: ...
@overload
def with_latest_from(
    a: Source[A], /, *, combiner: Callable[[T, A], U]
) -> Callable[[Signal[T]], Signal[U]]: ...
@overload
def with_latest_from(
    a: Source[A], b: Source[B], /
) -> Callable[[Signal[T]], Signal[tuple[T, A, B]]]: ...
@overload
def with_latest_from(
    a: Source[A], b: Source[B], /, *, combiner: Callable[[T, A, B], U]
) -> Callable[[Signal[T]], Signal[U]]: ...
@overload
def with_latest_from(*others: Source[Any]) -> Callable[[Signal[T]], Signal[tuple[Any, ...]]]: ...
@overload
def with_latest_from(
    *others: Source[Any], combiner: Callable[..., U] | None = None
) -> Callable[[Signal[T]], Signal[U]]: ...
def with_latest_from(
    *others: Source[Any], combiner: Callable[..., Any] | None = None
) -> Callable[[Signal[T]], Signal[Any]]:
    """See `Signal.with_latest_from`."""
    return lambda signal: signal.with_latest_from(*others, combiner=combiner)


def with_owner(owner: Any) -> Callable[[Signal[T]], Signal[list[Any]]]:
    """See `Signal.with_owner`."""
    return lambda signal: signal.with_owner(owner)


@overload
def zip(a: Source[A], /) -> Callable[[Signal[T]], Signal[tuple[T, A]]]: ...
@overload
def zip(a: Source[A], /, *, combiner: Callable[[T, A], U]) -> Callable[[Signal[T]], Signal[U]]: ...
@overload
def zip(a: Source[A], b: Source[B], /) -> Callable[[Signal[T]], Signal[tuple[T, A, B]]]: ...
@overload
def zip(
    a: Source[A], b: Source[B], /, *, combiner: Callable[[T, A, B], U]
) -> Callable[[Signal[T]], Signal[U]]: ...
@overload
def zip(*others: Source[Any]) -> Callable[[Signal[T]], Signal[tuple[Any, ...]]]: ...
@overload
def zip(
    *others: Source[Any], combiner: Callable[..., U] | None = None
) -> Callable[[Signal[T]], Signal[U]]: ...
def zip(
    *others: Source[Any], combiner: Callable[..., Any] | None = None
) -> Callable[[Signal[T]], Signal[Any]]:
    """See `Signal.zip`."""
    return lambda signal: signal.zip(*others, combiner=combiner)
