@testable import Belay

private typealias Predicate = (MarbleValue) throws(Failure) -> Bool

private func odd(_ value: MarbleValue) -> Bool { value.number % 2 == 1 }
private func small(_ value: MarbleValue) -> Bool { value.number < 4 }
private func larger(_ one: MarbleValue, _ two: MarbleValue) -> Bool { one.number > two.number }

/// A predicate that fails at 2.
private func failingAt2(else result: Bool) -> Predicate {
  { (value: MarbleValue) throws(Failure) -> Bool in
    if value.number == 2 { throw Failure(.notUTF8, message: "two") }
    return result
  }
}

private func largerFailingAt2(_ one: MarbleValue, _ two: MarbleValue) throws(Failure) -> Bool {
  if one.number == 2 || two.number == 2 { throw Failure(.notUTF8, message: "two") }
  return larger(one, two)
}

private func parityFailingAt2(_ value: MarbleValue) throws(Failure) -> Int {
  if value.number == 2 { throw Failure(.notUTF8, message: "two") }
  return value.number % 2
}

private func isLess(_ one: MarbleValue, _ two: MarbleValue) throws(Failure) -> Bool {
  switch (one, two) {
  case (.int(let a), .int(let b)): return a < b
  case (.text(let a), .text(let b)): return a < b
  default: throw Failure(.wrongKind)
  }
}

private func integer(_ value: MarbleValue) throws(Failure) -> Int {
  guard case .int(let number) = value else { throw Failure(.wrongKind) }
  return number
}

extension MarbleRun {
  fileprivate var source: Signal<MarbleValue> { input(0) }
  fileprivate var span: Duration { .milliseconds(number(1)) }
}

/// Operators that choose among values.
private let choosing: MarbleOperations = [
  "skip": { $0.source.skip($0.number(1)) },
  "take_last": { $0.source.takeLast($0.number(1)) },
  "skip_last": { $0.source.skipLast($0.number(1)) },
  "take_while_small": { $0.source.takeWhile(small) },
  "take_while_small_inclusive": { $0.source.takeWhile(inclusive: true, small) },
  "take_while_failing_at_2": { $0.source.takeWhile(failingAt2(else: true)) },
  "skip_while_small": { $0.source.skipWhile(small) },
  "skip_while_failing_at_2": { $0.source.skipWhile(failingAt2(else: true)) },
  "skip_until": { $0.source.skipUntil($0.input(1)) },
  "take_until_replacement": { $0.source.takeUntilReplacement($0.input(1)) },
  "take_for": { $0.source.takeFor($0.span, on: $0.scheduler) },
  "skip_for": { $0.source.skipFor($0.span, on: $0.scheduler) },
  "element_at": { $0.source.elementAt($0.number(1)) },
  "element_at_or_9": { $0.source.elementAt($0.number(1), default: .int(9)) },
  "first": { $0.source.first() },
  "first_odd": { $0.source.first(where: odd) },
  "first_failing_at_2": { $0.source.first(where: failingAt2(else: false)) },
  "last": { $0.source.last() },
  "last_odd": { $0.source.last(where: odd) },
  "last_failing_at_2": { $0.source.last(where: failingAt2(else: true)) },
  "single": { $0.source.single() },
  "single_odd": { $0.source.single(where: odd) },
  "single_failing_at_2": { $0.source.single(where: failingAt2(else: false)) },
  "find_odd": { $0.source.find(odd) },
  "find_failing_at_2": { $0.source.find(failingAt2(else: false)) },
  "ignore_elements": { $0.source.ignoreElements() },
  "ignore_2": { $0.source.ignore(.int(2)) },
  "distinct": { $0.source.distinct { "\($0)" } },
  "distinct_parity": { $0.source.distinct { $0.number % 2 } },
  "distinct_failing_at_2": { $0.source.distinct(by: parityFailingAt2) },
  "partition_odd": { $0.source.partition(odd).0 },
  "partition_not_odd": { $0.source.partition(odd).1 },
  "partition_failing_at_2": { $0.source.partition(failingAt2(else: true)).0 },
]

private let aggregating: MarbleOperations = [
  "default_if_empty_9": { $0.source.defaultIfEmpty(.int(9)) },
  "switch_if_empty": { $0.source.switchIfEmpty($0.input(1)) },
  "contains_2": { $0.source.contains(.int(2)).map { .flag($0) } },
  "any_odd": { $0.source.any(odd).map { .flag($0) } },
  "any_failing_at_2": { $0.source.any(failingAt2(else: false)).map { .flag($0) } },
  "all_odd": { $0.source.all(odd).map { .flag($0) } },
  "all_failing_at_2": { $0.source.all(failingAt2(else: true)).map { .flag($0) } },
  "is_empty": { $0.source.isEmpty().map { .flag($0) } },
  "count": { $0.source.count().map { .int($0) } },
  "min": { $0.source.min(by: isLess) },
  "min_backwards": { $0.source.min(by: larger) },
  "min_failing_at_2": { $0.source.min(by: largerFailingAt2) },
  "max": { $0.source.max(by: isLess) },
  "max_backwards": { $0.source.max(by: larger) },
  "max_failing_at_2": { $0.source.max(by: largerFailingAt2) },
  "sum": { $0.source.map(integer).sum().map { .int($0) } },
  "average": { $0.source.map(integer).average().map { .real($0) } },
]

/// Operators that choose among values, and aggregates.
let filteringOperations: MarbleOperations = choosing.merging(aggregating) { $1 }
