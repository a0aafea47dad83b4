@testable import Belay

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
  fileprivate func small(_ value: MarbleValue) throws(Failure) -> Bool {
    try enter(value)
    return value.number < 4
  }

  fileprivate func larger(_ one: MarbleValue, _ two: MarbleValue) throws(Failure) -> Bool {
    try enter(one, two)
    return one.number > two.number
  }

  fileprivate func parity(_ value: MarbleValue) throws(Failure) -> Int {
    try enter(value)
    return value.number % 2
  }
}

/// Operators that choose among values.
private let choosing: MarbleOperations = [
  "take_while_small": { $0.source.takeWhile($0.small) },
  "take_while_small_inclusive": { $0.source.takeWhile(inclusive: true, $0.small) },
  "skip_while_small": { $0.source.skipWhile($0.small) },
  "element_at_or_9": { $0.source.elementAt($0.number(1), default: .int(9)) },
  "first": { $0.source.first() },
  "first_odd": { $0.source.first(where: $0.odd) },
  "last": { $0.source.last() },
  "last_odd": { $0.source.last(where: $0.odd) },
  "single": { $0.source.single() },
  "single_odd": { $0.source.single(where: $0.odd) },
  "ignore_2": { $0.source.ignore(.int(2)) },
  "distinct": { $0.source.distinct { "\($0)" } },
  "distinct_parity": { $0.source.distinct(by: $0.parity) },
  "partition_odd": { $0.source.partition($0.odd).0 },
  "partition_not_odd": { $0.source.partition($0.odd).1 },
]

private let aggregating: MarbleOperations = [
  "contains_2": { $0.source.contains(.int(2)).map { .flag($0) } },
  "min": { $0.source.min(by: isLess) },
  "min_backwards": { $0.source.min(by: $0.larger) },
  "max": { $0.source.max(by: isLess) },
  "max_backwards": { $0.source.max(by: $0.larger) },
  "average": { $0.source.map(integer).average().map { .real($0) } },
  "sum": { $0.source.map(integer).sum().map { .int($0) } },
]

/// Operators that choose among values, and aggregates.
let filteringOperations: MarbleOperations = choosing.merging(aggregating) { $1 }
