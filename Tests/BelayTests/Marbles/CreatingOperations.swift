@testable import Belay

/// Sources.
let creatingOperations: MarbleOperations = [
  "create_7": { _ in
    .create { subscriber in
      subscriber.send(.int(7))
      subscriber.completed()
      return nil
    }
  },
  "just_7": { _ in .just(.int(7)) },
  "from_7_8": { _ in .from([.int(7), .int(8)]) },
  "from_none": { _ in .from([]) },
  "empty": { _ in .empty() },
  "never": { _ in .never() },
  "error": { _ in .error(Failure(.range)) },
  "timer": {
    Signal<UInt64>.timer(after: .milliseconds($0.number(0)), on: $0.scheduler).map {
      .int(Int($0))
    }
  },
  "interval": {
    Signal<UInt64>.interval(.milliseconds($0.number(0)), on: $0.scheduler).map { .int(Int($0)) }
  },
  "defer": { run in
    let input = run.input(0)
    return .defer { () throws(Failure) -> Signal<MarbleValue> in
      try run.enter()
      return input
    }
  },
  "range": { Signal.range($0.number(0), count: $0.number(1)).map { .int($0) } },
  "generate_doubles": { run in
    .generate(
      1,
      while: { (state: Int) throws(Failure) -> Bool in
        try run.enter(.int(state))
        return state <= 8
      },
      next: { (state: Int) throws(Failure) -> Int in
        try run.enter(.int(state + 1))
        return state * 2
      }, result: { .int($0 + 1) })
  },
  "iterate_down": { run in
    var left = run.number(0)
    return .fromIterator { () throws(Failure) -> MarbleValue? in
      try run.enter(.int(left))
      if left == 0 { return nil }
      defer { left -= 1 }
      return .int(left)
    }
  },
  "repeat_7": { .repeatValue(.int(7), count: $0.number(0)) },
  "repeat_7_taken": { Signal.repeatValue(.int(7)).take($0.number(0)) },
  "using": { run in
    let input = run.input(0)
    return .using(
      { () throws(Failure) -> BooleanDisposable in
        try run.enter(.int(1))
        return BooleanDisposable()
      },
      { (_: BooleanDisposable) throws(Failure) -> Signal<MarbleValue> in
        try run.enter(.int(2))
        return input
      })
  },
  "start_7": { run in
    .start(on: run.scheduler) { () throws(Failure) -> MarbleValue in
      try run.enter()
      return .int(7)
    }
  },
  "start_eagerly_7": { run in
    .startEagerly(on: run.scheduler) { () throws(Failure) -> MarbleValue in
      try run.enter()
      return .int(7)
    }.delay(.milliseconds(2), on: run.scheduler)
  },
  "optional_7": { _ in .from(optional: .int(7)) },
  "optional_none": { _ in .from(optional: nil) },
  "result_7": { _ in .from(.success(.int(7))) },
  "result_failed": { _ in .from(.failure(Failure(.range))) },
]
