@testable import Belay

/// The foundation's operators.
let basicsOperations: MarbleOperations = [
  "same": { $0.input(0) },
  "scan_sum": { run in
    run.input(0).scan(.int(0)) {
      (sum: MarbleValue, value: MarbleValue) throws(Failure) -> MarbleValue in
      try run.enter(value)
      return .int(sum.number + value.number)
    }
  },
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
  // The closures' arguments are sent before the event, an error as 9.
  "do_telling": { run in
    let told = PublishSubject<MarbleValue>()
    return told.merge(
      run.input(0).do(
        next: { told.next($0) }, error: { _ in told.next(.int(9)) },
        completed: { told.completed() }, disposed: { told.completed() }))
  },
  "take_during": { run in
    var owner: Owner? = Owner()
    let signal = run.input(0).take(during: owner.unsafelyUnwrapped.record)
    let death = ClosureWork { owner = nil }
    _ = run.scheduler.submit(death, after: Int64(run.number(1)) * 1_000_000)
    return signal
  },

  "create_7": { _ in
    .create { subscriber in
      subscriber.next(.int(7))
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
]
