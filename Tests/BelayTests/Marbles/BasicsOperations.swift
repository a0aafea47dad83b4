@testable import Belay

/// The foundation's operators.
let basicsOperations: MarbleOperations = [
  "same": { $0.input(0) },
  "map_doubled": { $0.input(0).map { .int($0.number * 2) } },
  "map_failing_at_2": {
    $0.input(0).map { (value: MarbleValue) throws(Failure) -> MarbleValue in
      if value.number == 2 { throw Failure(.range, message: "two") }
      return value
    }
  },
  "filter_odd": { $0.input(0).filter { $0.number % 2 == 1 } },
  "take": { $0.input(0).take($0.number(1)) },
  "take_until": { $0.input(0).takeUntil($0.input(1)) },
  "merge": { $0.input(0).merge($0.input(1)) },
  "scan_sum": { $0.input(0).scan(.int(0)) { .int($0.number + $1.number) } },
  "buffer": { $0.input(0).buffer($0.number(1)).map { .list($0) } },
  "buffer_time": {
    $0.input(0).buffer(every: .milliseconds($0.number(1)), on: $0.scheduler).map { .list($0) }
  },
  "distinct_until_changed": { $0.input(0).distinctUntilChanged() },
  "start_with_7_8": { $0.input(0).startWith(.int(7), .int(8)) },
]
