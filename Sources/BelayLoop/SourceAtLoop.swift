@_spi(Engine) import Belay

/// The part of a subscription at a loop that may not be its home: a watcher, or a file.
///
/// The loop lists it while it runs. When the loop closes, or refuses the start because it has
/// closed, this releases its subscriber, which interrupts the subscription.
@_spi(Engine) open class SourceAtLoop: @unchecked Sendable {
  package final let core: LoopCore
  private final var entry: SourceEntry?
  fileprivate final var isStopped = false

  package init(_ core: LoopCore) { self.core = core }

  /// Where what it sends may count; nil if it does not run.
  package final var pieces: ByteSource? { isStopped ? nil : entry }

  /// Disposes of `part`. A subscription that is at the loop, and is waited for, waits for that, too.
  package final func leave(_ part: Disposable?) {
    if let part { Quiescence.dispose(part, of: entry ?? part) }
  }

  /// Begins the work, or goes on with it after it was held back. Called at the loop.
  open func begin() {}

  /// Ends the work and releases the subscriber. Called at the loop, or on the thread whose start
  /// the loop has refused.
  open func end() {}

  /// Starts at the loop. Answers a disposable that stops it.
  fileprivate final func run() -> Disposable {
    let entry = SourceEntry(self)
    let code = core.perform({ self.start(entry) }, orElse: { self.stop() })
    if code.isFailure { stop() }
    return entry
  }

  private final func start(_ entry: SourceEntry) {
    // The loop's thread may have disposed of it before the loop came to this.
    if isStopped { return }
    if core.hasLostHandles { return stop() }
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
    end()
    entry = nil
  }
}

/// A source whose timers and work have the name of its subscription.
@_spi(Engine) open class NamedSource: SourceAtLoop, @unchecked Sendable {
  private final var label, site: StaticSite?

  /// The name. It is set when the subscription begins, because that may be at another home.
  package fileprivate(set) final var origin: Origin {
    get { Origin(label: label, site: site) }
    set { (label, site) = (newValue.label, newValue.site) }
  }
}

extension LoopCore {
  /// A cold signal that has what `make` makes at this loop for each subscription; nil if that has failed.
  /// A subscription at a home that cannot get what this loop sends fails with `.noHome`.
  package func source<Value>(
    _ label: StaticString, _ make: @escaping (Subscriber<Value>) -> SourceAtLoop?
  ) -> Signal<Value> {
    .create(SourceOptions(label: label)) { [self] subscriber in
      if isOpen && !subscriber.isReached(from: self) {
        subscriber.error(Failure(.noHome))
        return nil
      }
      let source = make(subscriber)
      (source as? NamedSource)?.origin = subscriber.origin
      return source?.run()
    }
  }
}

/// A source's entry in its loop's list, and the disposable that stops it.
private final class SourceEntry: ByteSource, @unchecked Sendable {
  private let source: SourceAtLoop

  init(_ source: SourceAtLoop) {
    self.source = source
    super.init(countsGathered: false)
    Live.disposables.began()
  }

  deinit { Live.disposables.ended() }

  override func goesOn() {
    if !endHoldingBack() { return }
    // At the next turn, because the code that has let the pieces go may be in the middle of something.
    _ = source.core.post({ [source] in if !source.isStopped { source.begin() } }, orElse: {})
  }

  override func terminate() { source.core.perform { [source] in source.stop() } }
}
