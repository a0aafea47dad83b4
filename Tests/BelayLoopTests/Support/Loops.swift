import Belay
import BelayLoop
import Testing

/// Closes `loop`, on which nothing should be left.
func closeEmpty(_ loop: Loop, _ place: SourceLocation = #_sourceLocation) {
  var left: [String]?
  #expect(loop.close { left = $0.map { $0.text } } == .ok, sourceLocation: place)
  #expect(left == [], sourceLocation: place)
}

/// The same for a loop of the main actor, the next job of which may come on another thread.
@MainActor func closeEmptyOnMain(
  _ loop: Loop, _ place: SourceLocation = #_sourceLocation
) {
  #expect(loop.bind() == .ok, sourceLocation: place)
  closeEmpty(loop, place)
}

extension Loop {
  /// One turn that does not wait.
  func turn() throws { try run(.nowait) }

  /// Runs until somebody stops it, at most for a time that is never reached.
  func runUntilStopped(_ place: SourceLocation = #_sourceLocation) throws {
    let guarding = scheduler.schedule(after: .seconds(60)) { [unowned self] in
      Issue.record("what was waited for has not come", sourceLocation: place)
      stop()
    }
    try run()
    guarding.dispose()
  }
}

/// A thread that runs a loop until it is told to stop.
final class Worker: @unchecked Sendable {
  let loop: Loop
  private let routine: Routine

  init(capacity: Int = 1024) {
    let made = Box<Loop?>(nil)
    let ready = Gate()
    routine = Routine {
      var options = LoopOptions(label: "worker")
      options.isPersistent = true
      options.capacity = capacity
      made.value = try? Loop(options)
      guard let loop = made.value else { return ready.open() }
      ready.open()
      _ = try? loop.run()
      loop.close { _ in }
    }
    ready.wait()
    guard let loop = made.value else { fatalError("no loop") }
    self.loop = loop
  }

  /// Options for a source whose home is the worker's.
  var options: SourceOptions {
    var options = SourceOptions()
    options.home = loop.home
    return options
  }

  /// Runs `work` there and waits for it. While the queue is full it tries again.
  func run(_ work: @escaping @Sendable () -> Void) {
    let over = Gate()
    var code = Code.again
    while code == .again {
      code = loop.post {
        work()
        over.open()
      }
    }
    #expect(code == .ok)
    if code == .ok { over.wait() }
  }

  /// Waits until what has been posted so far has been done.
  func meet() { run {} }

  func stop() {
    loop.stop()
    join()
  }

  /// Joins the thread of a worker whose loop has been closed.
  func join() { routine.join() }
}
