extension Signal {
  /// Sends the latest value each time that `notifier` sends one, if a value has come since the last
  /// time. Ends with the source, without sending a value that waits, or with an error of the
  /// notifier. The notifier's completion has no effect.
  public final func sample<Other>(_ notifier: Signal<Other>) -> Signal<Value> {
    let source = self
    return JunctionSignal("sample", below: source, with: [notifier]) {
      SampleJunction($0, source, notifier, at: $1)
    }
  }

  /// Sends the latest value every `period` (> 0, else `.invalid`), if a value has come since the
  /// last time. Ends with the source, without sending a value that waits.
  public final func sample(every period: Duration, on scheduler: Scheduler) -> Signal<Value> {
    .timed(by: period) { sample(every: $0, on: scheduler) }
  }

  package final func sample(every period: Int64, on scheduler: Scheduler) -> Signal<Value> {
    lift(bounded: "sample_time", startsAnywhere: false) {
      SampleTimeStage($0, period, scheduler, $1)
    }
  }
}

/// Keeps the latest value of the source, and sends it when the notifier sends.
private final class SampleJunction<Value, Other>: Junction<Value>, @unchecked Sendable {
  private var signals: (Signal<Value>, Signal<Other>)?
  private var latest = KeptValue<Value>()

  init(
    _ downstream: Sink<Value>, _ source: Signal<Value>, _ notifier: Signal<Other>, at home: Home
  ) {
    signals = (source, notifier)
    super.init(downstream, at: home)
  }

  override func start() {
    guard let (source, notifier) = signals else { return }
    signals = nil
    connect(source, next: { self.latest.put($0) }, end: { self.send(end: $0) })
    if isClosed { return }
    connect(
      notifier, next: { _ in self.sample() },
      end: { end in
        // Without the notifier, nothing can be sent any more.
        if case .completed = end { return }
        self.send(end: end)
      })
  }

  private func sample() {
    guard let value = latest.take() else { return }
    send(value)
    discard(value)
  }

  override func tearDown() {
    signals = nil
    latest.clear()
  }
}

/// Keeps the latest value, and sends it when its timer goes off.
private final class SampleTimeStage<Value>: TimedStage<Value, Value>, @unchecked Sendable {
  private let period: Int64
  private var due: Instant = 0
  private var latest = KeptValue<Value>()

  init(
    _ downstream: Sink<Value>, _ period: Int64, _ scheduler: Scheduler, _ limit: QueueLimit
  ) {
    self.period = period
    super.init(downstream, on: scheduler, limit)
  }

  override func attach(to source: Signal<Value>, at home: Home) -> Code {
    let code = super.attach(to: source, at: home)
    if code.isFailure || isDisposed { return code }
    due = delayStart.addingSaturated(period)
    delivering { set(at: due) }
    return code
  }

  override func next(_ value: Value) { latest.put(value) }

  override func ring() {
    if let value = latest.take(), !release(value) { return }
    // Missed periods are skipped, and the rhythm is kept.
    let missed = max(0, now - due) / period
    due = due.addingSaturated(period).addingSaturated(missed * period)
    set(at: due)
  }

  override func tearDown() {
    cancel()
    latest.clear()
  }
}
