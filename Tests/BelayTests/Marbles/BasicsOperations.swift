@testable import Belay

/// The foundation's operators.
let basicsOperations: MarbleOperations = [
  "same": { $0.input(0) },
  "map_doubled": { run in
    run.input(0).map { (value: MarbleValue) throws(Failure) -> MarbleValue in
      try run.enter(value)
      return .int(value.number * 2)
    }
  },
  "filter_odd": { run in
    run.input(0).filter { (value: MarbleValue) throws(Failure) -> Bool in
      try run.enter(value)
      return value.number % 2 == 1
    }
  },
  "take": { $0.input(0).take($0.number(1)) },
  "take_until": { $0.input(0).takeUntil($0.input(1)) },
  "merge": { $0.input(0).merge($0.input(1)) },
  "scan_sum": { run in
    run.input(0).scan(.int(0)) {
      (sum: MarbleValue, value: MarbleValue) throws(Failure) -> MarbleValue in
      try run.enter(value)
      return .int(sum.number + value.number)
    }
  },
  "buffer": { $0.input(0).buffer($0.number(1)).map { .list($0) } },
  "buffer_time": {
    $0.input(0).buffer(every: .milliseconds($0.number(1)), on: $0.scheduler).map { .list($0) }
  },
  "distinct_until_changed": { run in
    run.input(0).distinctUntilChanged {
      (one: MarbleValue, other: MarbleValue) throws(Failure) -> Bool in
      try run.enter(one, other)
      return one == other
    }
  },
  "start_with_7_8": { $0.input(0).startWith(.int(7), .int(8)) },
]
