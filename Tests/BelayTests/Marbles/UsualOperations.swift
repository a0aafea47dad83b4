@testable import Belay

extension MarbleRun {
  fileprivate func odd(_ value: MarbleValue) throws(Failure) -> Bool {
    try enter(value)
    return value.number % 2 == 1
  }

  fileprivate func doubled(_ value: MarbleValue) throws(Failure) -> MarbleValue {
    try enter(value)
    return .int(value.number * 2)
  }

  fileprivate var source: Signal<MarbleValue> { input(0) }
  fileprivate var span: Duration { .milliseconds(number(1)) }
}

/// Operations of operators with usual signatures. Written by `scripts/api write`.
let usualOperations: MarbleOperations = [
  "default_if_empty_9": { $0.source.defaultIfEmpty(.int(9)) },
  "switch_if_empty": { $0.source.switchIfEmpty($0.input(1)) },
  "any_odd": { $0.source.any($0.odd).map { .flag($0) } },
  "all_odd": { $0.source.all($0.odd).map { .flag($0) } },
  "is_empty": { $0.source.isEmpty().map { .flag($0) } },
  "count": { $0.source.count().map { .int(Int($0)) } },
  "collect": { $0.source.collect().map { .list($0) } },
  "breakpoint_on_error": { $0.source.breakpointOnError() },
  "filter_odd": { $0.source.filter($0.odd) },
  "take": { $0.source.take($0.count(1)) },
  "skip": { $0.source.skip($0.count(1)) },
  "take_last": { $0.source.takeLast($0.count(1)) },
  "skip_last": { $0.source.skipLast($0.count(1)) },
  "take_until": { $0.source.takeUntil($0.input(1)) },
  "skip_until": { $0.source.skipUntil($0.input(1)) },
  "take_until_replacement": { $0.source.takeUntilReplacement($0.input(1)) },
  "take_for": { $0.source.takeFor($0.span, on: $0.scheduler) },
  "skip_for": { $0.source.skipFor($0.span, on: $0.scheduler) },
  "element_at": { $0.source.elementAt($0.count(1)) },
  "find_odd": { $0.source.find($0.odd) },
  "ignore_elements": { $0.source.ignoreElements() },
  "merge": { $0.source.merge($0.input(1)) },
  "merge_delay_error": { $0.source.mergeDelayError($0.input(1)) },
  "concat": { $0.source.concat($0.input(1)) },
  "then": { $0.source.then($0.input(1)) },
  "repeat": { $0.source.repeat($0.count(1)) },
  "retry": { $0.source.retry($0.count(1)) },
  "debounce": { $0.source.debounce($0.span, on: $0.scheduler) },
  "audit": { $0.source.audit($0.span, on: $0.scheduler) },
  "sample": { $0.source.sample($0.input(1)) },
  "delay": { $0.source.delay($0.span, on: $0.scheduler) },
  "delay_subscription": { $0.source.delaySubscription($0.span, on: $0.scheduler) },
  "map_doubled": { $0.source.map($0.doubled) },
  "buffer": { $0.source.buffer($0.count(1)).map { .list($0) } },
]
