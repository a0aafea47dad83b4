import Observation

extension Signal {
  /// A signal of the value at a key path of Swift's own `@Observable` objects: now, and whenever a
  /// property that was read on the way to it has changed. It reads the value at `scheduler`,
  /// because such an object reports only that it is about to change. Several changes before the
  /// scheduler runs count as one. It does not retain the object, and completes when the object dies
  /// (`Lifetime`).
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
  private let subscriber: Subscriber<Value>
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
    subscriber.completed()
  }

  /// The work does not keep this, which keeps the scheduler.
  private func sendInTurn() { scheduler.schedule { [weak self] in self?.send() } }

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
    if let value { subscriber.send(value) } else { subscriber.completed() }
  }
}
