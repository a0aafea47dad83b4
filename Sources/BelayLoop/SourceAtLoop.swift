@_spi(Engine) import Belay

/// What a subscription has at a loop that may not be its home: a watcher, or a file.
///
/// The loop lists it while it runs. When the loop closes, or refuses the start because it has
/// closed, this releases its subscriber, which interrupts the subscription.
@_spi(Engine) open class SourceAtLoop: @unchecked Sendable {
  package final let core: LoopCore
  private final var entry: SourceEntry?
  private final var isStopped = false

  package init(_ core: LoopCore) { self.core = core }

  /// Begins the work. Called at the loop.
  open func begin() {}

  /// Ends the work and releases the subscriber. Called at the loop, or on the thread whose start
  /// the loop has refused.
  open func end() {}

  /// Starts at the loop. Answers a disposable that stops it.
  package final func run() -> Disposable {
    let entry = SourceEntry(self)
    let code = core.perform({ self.start(entry) }, orElse: { self.stop() })
    if code.isFailure { stop() }
    return entry
  }

  private final func start(_ entry: SourceEntry) {
    self.entry = entry
    // A loop that is closing calls `stop` here.
    core.list(entry)
    if isStopped { return }
    // The loop does not list what has been disposed of. If the loop closed before the stop that
    // is on its way, nothing else would end this.
    if entry.isDisposed { stop() } else { begin() }
  }

  /// Stops it from within. Called at the loop.
  package final func stop() {
    if isStopped { return }
    isStopped = true
    if let entry { core.unlist(entry) }
    entry = nil
    end()
  }
}

/// A source's entry in its loop's list, and the disposable that stops it.
private final class SourceEntry: Resource, @unchecked Sendable {
  private let source: SourceAtLoop

  init(_ source: SourceAtLoop) {
    self.source = source
    super.init()
    Live.disposables.began()
  }

  deinit { Live.disposables.ended() }

  override func terminate() { source.core.perform { [source] in source.stop() } }
}
