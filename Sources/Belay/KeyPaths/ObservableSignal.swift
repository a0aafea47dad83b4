import Observation

extension Signal {
  /// A signal of the value at a key path of Swift's own `@Observable` objects: now, and whenever a
  /// property that was read on the way to it has changed. It reads the value at `scheduler`,
  /// because such an object reports only that it is about to change. So change it on the scheduler's
  /// thread: a change on another thread may be read before it is stored, and then shows with the next
  /// one. Several changes before the scheduler runs count as one. It does not retain the object. It
  /// completes when the object dies (`Lifetime`), and is interrupted when the scheduler takes no more
  /// work.
  public static func observing<Root: AnyObject & Observable>(
    _ object: Root, _ keyPath: KeyPath<Root, Value>, on scheduler: Scheduler
  ) -> Signal<Value> {
    var sourceOptions = SourceOptions(label: "observing")
    sourceOptions.isShared = true
    sourceOptions.prefersHops = true
    let record = Lifetime.of(object).record
    return .create(sourceOptions) { [weak object] subscriber in
      let tracker = ObservableTracker(subscriber, scheduler) {
        object.map { $0[keyPath: keyPath] }
      }
      record?.add(tracker)
      tracker.send()
      return tracker
    }
  }
}

/// One subscription: reads the value, and reads it again after a property that it has read has
/// changed.
private final class ObservableTracker<Value>: Disposable, @unchecked Sendable {
  /// Nil after the interruption. The lock protects it.
  private var subscriber: Subscriber<Value>?
  private let scheduler: Scheduler
  private let read: () -> Value?
  private let lock = Lock()
  /// Whether a thread is reading and sending. Only one may, or an older value could come last.
  /// `isDue` says whether there was another change meanwhile. The lock protects both.
  private var isSending = false
  private var isDue = false

  init(_ subscriber: Subscriber<Value>, _ scheduler: Scheduler, _ read: @escaping () -> Value?) {
    self.subscriber = subscriber
    self.scheduler = scheduler
    self.read = read
    super.init()
  }

  override func dispose(noting quiescence: Quiescence?) {
    guard close() else { return }
    finalise()
    lock.withLock { subscriber }?.completed()
  }

  private func sendInTurn() {
    let work = ObservableRead(self)
    // Nothing would tell of a further change.
    if scheduler.resolved.submitInAnyCase(work).isFailure { work.dispose() }
  }

  /// Called when the scheduler has dropped the work.
  fileprivate func interrupt() {
    let last = lock.withLock { () -> Subscriber<Value>? in
      defer { subscriber = nil }
      return subscriber
    }
    // Its deinit sends, which must not be under the lock.
    extendLifetime(last)
  }

  func send() {
    let isMine = lock.withLock {
      isDue = isSending
      defer { isSending = true }
      return !isSending
    }
    if !isMine { return }
    sendOnce()
    let hasChanged = lock.withLock {
      isSending = false
      return isDue
    }
    if hasChanged { sendInTurn() }
  }

  private func sendOnce() {
    if isClosed { return }
    let value = withObservationTracking {
      read()
    } onChange: { [weak self] in
      self?.sendInTurn()
    }
    guard let subscriber = lock.withLock({ subscriber }) else { return }
    if let value { subscriber.send(value) } else { subscriber.completed() }
  }
}

/// Has a tracker read and send once. It does not keep the tracker, which keeps the scheduler.
private final class ObservableRead<Value>: Work, @unchecked Sendable {
  private weak var tracker: ObservableTracker<Value>?
  private var hasRun = false

  init(_ tracker: ObservableTracker<Value>) {
    self.tracker = tracker
    super.init()
    isLossHandled = true
  }

  override func perform() {
    hasRun = true
    tracker?.send()
  }

  override func drop() { if !hasRun { tracker?.interrupt() } }
}
