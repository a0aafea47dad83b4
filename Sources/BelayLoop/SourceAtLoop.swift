import Belay

/// What one subscription, whose home may be elsewhere, has at a loop: a watcher, or a file.
///
/// The loop lists it while it runs. When the loop closes, or has been closed before the start got
/// there, it lets go of its subscriber, which interrupts the subscription.
class SourceAtLoop: @unchecked Sendable {
  final let core: LoopCore
  private final var resident: ClosureResident?
  private final var isStopped = false

  init(_ core: LoopCore) { self.core = core }

  /// At the loop.
  func begin() {}

  /// At the loop, or where it has refused the start: gives up what it has there, and its subscriber.
  func end() {}

  /// Starts it; answers what stops it.
  final func run() -> Disposable {
    let code = core.perform({ self.start() }, orElse: { self.stop() })
    if code.isFailure { stop() }
    return AnonymousDisposable { self.core.perform { self.stop() } }
  }

  private final func start() {
    let resident = ClosureResident { self.stop() }
    self.resident = resident
    // A loop that is closing ends it.
    core.list(resident)
    if !isStopped { begin() }
  }

  private final func stop() {
    if isStopped { return }
    isStopped = true
    if let resident { core.unlist(resident) }
    resident = nil
    end()
  }
}
