import Observation

extension Signal {
  /// What a key path of an `@Observable` object of Swift's own leads to: now, and, at
  /// `scheduler`, whenever anything that is read on the way to it has changed; changes that come
  /// before the scheduler's turn are one. (Such an object tells only that it is about to
  /// change.) Does not keep the object, and completes when it dies (`Lifetime`).
  public static func observing<Root: AnyObject & Observable>(
    _ object: Root, _ keyPath: KeyPath<Root, Value>, on scheduler: Scheduler
  ) -> Signal<Value> {
    var source = SourceOptions(label: "observing")
    source.isShared = true
    source.prefersHops = true
    let record = Lifetime.of(object).record
    return .create(source) { [weak object] subscriber in
      let tracker = ObservableTracker(subscriber, scheduler) {
        object.map { $0[keyPath: keyPath] }
      }
      record?.add(tracker)
      tracker.send()
      return tracker
    }
  }
}

/// One subscription: reads, and reads again after what it read has changed.
private final class ObservableTracker<Value>: Disposable, @unchecked Sendable {
  private let subscriber: Subscriber<Value>
  private let scheduler: Scheduler
  private let read: () -> Value?
  private let lock = Lock()
  /// Under the lock: what is read is sent by one thread at a time, or an older value might be the
  /// last; whether it has changed again meanwhile.
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

  private func sendInTurn() { scheduler.schedule { self.send() } }

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
    if let value { subscriber.sendOrFail(value) } else { subscriber.completed() }
  }
}
