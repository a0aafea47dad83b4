@testable import Belay

extension MarbleRun {
  fileprivate func small(_ value: MarbleValue) throws(Failure) -> Bool {
    try enter(value)
    return value.number < 4
  }

  fileprivate func parity(_ value: MarbleValue) throws(Failure) -> Int {
    try enter(value)
    return value.number % 2
  }
}

/// Operators that choose among values.
let filteringOperations: MarbleOperations = [
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
  "distinct_until_changed": { run in
    run.input(0).distinctUntilChanged {
      (one: MarbleValue, other: MarbleValue) throws(Failure) -> Bool in
      try run.enter(one, other)
      return one == other
    }
  },
  "take_during": { run in
    var owner: Owner? = Owner()
    let signal = run.input(0).take(during: owner.unsafelyUnwrapped.record)
    let death = ClosureWork { owner = nil }
    _ = run.scheduler.submit(death, after: Int64(run.number(1)) * 1_000_000)
    return signal
  },
  "partition_odd": { $0.source.partition($0.odd).0 },
  "partition_not_odd": { $0.source.partition($0.odd).1 },
]
