@testable import Belay

private func span(_ run: MarbleRun, _ index: Int) -> Duration { .milliseconds(run.number(index)) }

/// Operators about time and schedulers. Numbers are milliseconds.
let timingOperations: MarbleOperations = [
  "debounce_odd": { run in
    run.input(0).debounce(span(run, 1), on: run.scheduler) {
      (value: MarbleValue) throws(Failure) -> Bool in
      try run.enter(value)
      return value.number % 2 == 1
    }
  },
  "throttle": { run in
    run.input(0).throttle(
      span(run, 1), leading: run.number(2) != 0, trailing: run.number(3) != 0, on: run.scheduler)
  },
  "sample_time": { run in run.input(0).sample(every: span(run, 1), on: run.scheduler) },
  "timeout": { run in run.input(0).timeout(span(run, 1), on: run.scheduler) },
  "timeout_with": { run in
    run.input(0).timeout(span(run, 1), fallback: run.input(2), on: run.scheduler)
  },
  "throttle_while": { run in run.input(0).throttle(while: run.input(1).map { $0 == .flag(true) }) },
  "observe_on": { run in
    let policy = QueuePolicy(rawValue: Int32(run.number(1))) ?? .error
    let capacity = run.number(2) == 0 ? 1024 : run.number(2)
    return run.input(0).observe(on: run.scheduler, QueueOptions(policy, capacity: capacity))
  },
  "debounce_when": { $0.input(0).debounceWhen(inners($0, 1)) },
  "throttle_when": { $0.input(0).throttleWhen(inners($0, 1)) },
  "audit_when": { $0.input(0).auditWhen(inners($0, 1)) },
  "throttle_when_with": { run in
    run.input(0).throttleWhen(
      leading: run.number(1) != 0, trailing: run.number(2) != 0, inners(run, 3))
  },
  "timeout_when": { $0.input(0).timeoutWhen(inners($0, 1)) },
  "timeout_when_first": { $0.input(0).timeoutWhen(first: $0.input(1), inners($0, 2)) },
  "timeout_when_with": { run in
    run.input(0).timeoutWhen(first: run.input(1), fallback: run.input(2), inners(run, 3))
  },
  "delay_when": { $0.input(0).delayWhen(inners($0, 1)) },
  "subscribe_on": { run in run.input(0).subscribe(on: run.scheduler) },
]
