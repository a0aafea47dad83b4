@_spi(Engine) import Belay

/// What a subscription has at a loop that may not be its home: a watcher, or a file.
///
/// The loop lists it while it runs. When the loop closes, or refuses the start because it has
/// closed, this releases its subscriber, which interrupts the subscription.
@_spi(Engine) open class SourceAtLoop: @unchecked Sendable {
  package final let core: LoopCore
  private final var resident: ClosureResident?
  private final var isStopped = false

  package init(_ core: LoopCore) { self.core = core }

  /// Begins the work. Called at the loop.
  open func begin() {}

  /// Ends the work and releases the subscriber. Called at the loop, or on the thread whose start
  /// the loop has refused.
  open func end() {}

  /// Starts at the loop. Answers a disposable that stops it.
  package final func run() -> Disposable {
    let code = core.perform({ self.start() }, orElse: { self.stop() })
    if code.isFailure { stop() }
    return AnonymousDisposable { self.core.perform { self.stop() } }
  }

  private final func start() {
    let resident = ClosureResident { self.stop() }
    self.resident = resident
    // A loop that is closing calls `stop` here.
    core.list(resident)
    if !isStopped { begin() }
  }

  /// Stops it from within. Called at the loop.
  package final func stop() {
    if isStopped { return }
    isStopped = true
    if let resident { core.unlist(resident) }
    resident = nil
    end()
  }
}
