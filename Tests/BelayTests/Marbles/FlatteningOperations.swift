@testable import Belay

private typealias Made = Signal<MarbleValue>
typealias Projection = (MarbleValue) throws(Failure) -> Signal<MarbleValue>

/// Value 1 means the first inner signal, and so on; from the word `index` on: how many, their names.
func inners(_ run: MarbleRun, _ index: Int) -> Projection {
  let signals = (0..<run.number(index)).map { run.input(index + 1 + $0) }
  return { (value: MarbleValue) throws(Failure) -> Made in
    try run.enter(value)
    guard signals.indices.contains(value.number - 1) else {
      throw Failure(.range, message: "no such inner signal")
    }
    return signals[value.number - 1]
  }
}

/// The first input's values as signals.
private func signals(_ run: MarbleRun, _ index: Int) -> Signal<Made> {
  let inner = inners(run, index)
  return run.input(0).map { (value: MarbleValue) throws(Failure) -> Made in try inner(value) }
}

private func halved(_ value: MarbleValue, _ timing: Made) -> Made {
  let half = value.number / 2
  return half == 0 ? .empty() : timing.map { _ in .int(half) }
}

/// A callback that answers the second input whatever it is called with.
private func secondInput<Event>(_ run: MarbleRun) -> (Event) throws(Failure) -> Made {
  let second = run.input(1)
  return { (_: Event) throws(Failure) -> Made in
    try run.enter()
    return second
  }
}

private func backedOff(_ run: MarbleRun, resetsOnValue: Bool) -> Made {
  let backoff = Backoff(
    from: .milliseconds(run.number(1)), factor: Double(run.number(2)),
    upTo: .milliseconds(run.number(3)), resetsOnValue: resetsOnValue)
  return run.input(0).retryBackoff(backoff, attempts: run.count(4), on: run.scheduler)
}

/// Signals made of values, one after another, after an error.
let flatteningOperations: MarbleOperations = [
  "flat_map": { $0.input(0).flatMap(limit: $0.count(1), inners($0, 2)) },
  "concat_map": { $0.input(0).concatMap(inners($0, 1)) },
  "switch_map": { $0.input(0).switchMap(inners($0, 1)) },
  "exhaust_map": { $0.input(0).exhaustMap(inners($0, 1)) },
  "merge_all": { signals($0, 2).mergeAll(limit: $0.count(1)) },
  "concat_all": { signals($0, 1).concatAll() },
  "switch_to_latest": { signals($0, 1).switchToLatest() },
  "expand": { run in
    let timing = run.input(1)
    return run.input(0).expand(limit: run.count(2)) { (value: MarbleValue) throws(Failure) in
      try run.enter(value)
      return halved(value, timing)
    }
  },
  "concat_three": { .concat([$0.input(0), $0.input(1), $0.input(2)]) },
  "repeat_taken": { $0.input(0).repeat().take($0.number(1)) },
  "retry_taken": { $0.input(0).retry().take($0.number(1)) },
  "retry_when": { $0.input(0).retryWhen(secondInput($0)) },
  "retry_when_twice": {
    $0.input(0).retryWhen { (errors: Signal<Failure>) throws(Failure) in errors.take(2) }
  },
  "repeat_when": { $0.input(0).repeatWhen(secondInput($0)) },
  "repeat_when_twice": {
    $0.input(0).repeatWhen { (ends: Signal<Void>) throws(Failure) in ends.take(2) }
  },
  "catch": { $0.input(0).catch(secondInput($0)) },
  "catch_to_9": { $0.input(0).catchTo(.int(9)) },
  "retry_backoff": { backedOff($0, resetsOnValue: false) },
  "retry_backoff_resetting": { backedOff($0, resetsOnValue: true) },
  "attempt": { run in
    run.input(0).attempt { (value: MarbleValue) throws(Failure) in try run.enter(value) }
  },
]
