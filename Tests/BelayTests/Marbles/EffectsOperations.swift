@testable import Belay

/// Operators that act beside the flow of values.
let effectsOperations: MarbleOperations = [
  // The closures' arguments are sent before the event, an error as 9.
  "do_telling": { run in
    let told = PublishSubject<MarbleValue>()
    return told.merge(
      run.input(0).do(
        next: { told.next($0) }, error: { _ in told.next(.int(9)) },
        completed: { told.completed() }, disposed: { told.completed() }))
  },
  "breakpoint": { run in
    run.input(0).breakpoint(next: { $0 == .int(9) }, error: { _ in false }, completed: { false })
  },
  "finally": { run in run.input(0).finally {} },
  "initially": { run in run.input(0).initially {} },
  "log": { run in run.input(0).log("log", to: { _ in }) },
]
