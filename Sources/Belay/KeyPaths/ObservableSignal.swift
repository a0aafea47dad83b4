import Observation

extension Signal {
  /// A signal of the value at a key path of Swift's own `@Observable` objects: now, and whenever a
  /// property that was read on the way to it has changed. Several changes before the scheduler runs
  /// count as one. It does not retain the object, and completes when the object dies (`Lifetime`).
  ///
  /// It reads the value at `scheduler`, because such an object reports only that it is about to
  /// change; the first one within `subscribe`, if that is called there. So change the object at the
  /// scheduler's home alone: a change that another thread makes may be read before it is stored, and
  /// then the last value sent is the one before it. The same holds for a scheduler that runs work at
  /// once.
  ///
  /// A subscription fails with `.canceled` if the scheduler has gone, and is interrupted if that goes
  /// later and a property changes.
  ///
  /// Swift's observation cannot be cancelled. The registration of a subscription at the object
  /// stays after its end, some 800 bytes, until one of the properties that were read changes or the
  /// object dies. It keeps nothing of the program's. Where many subscriptions come and go at an
  /// object that seldom changes, share one (`shareReplay(_:)`).
  public static func observing<Root: AnyObject & Observable>(
    _ object: Root, _ keyPath: KeyPath<Root, Value>, on scheduler: Scheduler
  ) -> Signal<Value> {
    var sourceOptions = SourceOptions(label: "observing")
    sourceOptions.isShared = true
    sourceOptions.prefersHops = true
    let record = Lifetime.of(object).record
    return .create(sourceOptions) { [weak object] subscriber in
      if !scheduler.takesWork {
        subscriber.error(Failure(.canceled))
        return nil
      }
      let tracker = ObservableTracker(subscriber, scheduler) {
        object.map { $0[keyPath: keyPath] }
      }
      record?.add(tracker)
      tracker.begin()
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

  /// Sends the first value: at once if the scheduler has no home, or this thread is there.
  func begin() {
    guard let home = scheduler.home, !home.isCurrent else { return send() }
    if home.onActor({ send() }) == nil { sendInTurn() }
  }

  private func sendInTurn() {
    if isClosed { return }
    // Also while the queue is full, because nothing else tells of the change.
    _ = scheduler.resolved.submitInAnyCase(TrackerWork(self))
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

  /// The scheduler has gone, so nothing is read any more.
  func interrupt() { subscriber.interrupt() }

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

/// Work that sends for a tracker. It does not keep the tracker, which keeps the scheduler.
private final class TrackerWork<Value>: Work, @unchecked Sendable {
  private weak var tracker: ObservableTracker<Value>?

  init(_ tracker: ObservableTracker<Value>) {
    self.tracker = tracker
    super.init()
    isLossHandled = true
  }

  override func perform() {
    let tracker = tracker
    self.tracker = nil
    tracker?.send()
  }

  override func drop() { tracker?.interrupt() }
}
