extension Signal {
  /// Sends values and the completion `span` later, in their order. An error is passed on at once,
  /// and drops the values that wait. 1024 values may wait, unless `setQueue` says
  /// otherwise; then this ends with `.again`.
  public final func delay(_ span: Duration, on scheduler: Scheduler) -> Signal<Value> {
    delay(span.nanoseconds, on: scheduler)
  }

  package final func delay(_ span: Int64, on scheduler: Scheduler) -> Signal<Value> {
    lift(bounded: "delay", startsAnywhere: false) {
      DelayStage($0, Swift.max(0, span), scheduler, $1)
    }
  }

  /// Subscribes to the source after `span`.
  public final func delaySubscription(
    _ span: Duration, on scheduler: Scheduler
  ) -> Signal<Value> {
    delaySubscription(span.nanoseconds, on: scheduler)
  }

  package final func delaySubscription(
    _ span: Int64, on scheduler: Scheduler
  ) -> Signal<Value> {
    lift(bounded: "delay_subscription", startsAnywhere: false) {
      DelaySubscriptionStage($0, Swift.max(0, span), scheduler, $1)
    }
  }
}

/// Queues values with their times. The timer is set to the first of them.
private final class DelayStage<Value>: TimedStage<Value, Value>, @unchecked Sendable {
  private let span: Int64
  private var waiting = FIFO<(due: Instant, value: Value)>()
  private var completionDue: Instant?

  init(
    _ downstream: Sink<Value>, _ span: Int64, _ scheduler: Scheduler, _ limit: QueueLimit
  ) {
    self.span = span
    super.init(downstream, on: scheduler, limit)
  }

  override func next(_ value: Value) {
    switch limit.admit(after: waiting.count) {
    case .accepted: break
    case .replacesOldest: discard(waiting.removeFirst().value)
    case .dropped: return
    case .refused: return send(end: limit.refusal)
    }
    keep(value)
    let due = delayStart.addingSaturated(span)
    waiting.append((due, value))
    if !isSet { set(at: due) }
  }

  override func ring() {
    let now = now
    // Values that come meanwhile are for the next time, however short the delay is.
    var count = waiting.count
    while count > 0, let first = waiting.first, first.due <= now {
      count -= 1
      _ = waiting.popFirst()
      if !release(first.value) { return }
    }
    if let first = waiting.first {
      set(at: first.due)
    } else if let completionDue {
      if completionDue > now { set(at: completionDue) } else { send(end: .completed) }
    }
  }

  override func end(_ end: End) {
    guard case .completed = end else { return send(end: end) }
    let due = delayStart.addingSaturated(span)
    completionDue = due
    outliveSource()
    if !isSet { set(at: due) }
  }

  override func tearDown() {
    cancel()
    while let entry = waiting.popFirst() { discard(entry.value) }
    waiting.removeAll()
  }
}

/// Connects to the source when its timer goes off.
private final class DelaySubscriptionStage<Value>: TimedStage<Value, Value>, @unchecked Sendable {
  private let span: Int64
  private var source: Signal<Value>?

  init(
    _ downstream: Sink<Value>, _ span: Int64, _ scheduler: Scheduler, _ limit: QueueLimit
  ) {
    self.span = span
    super.init(downstream, on: scheduler, limit)
  }

  override func attach(to source: Signal<Value>, at home: Home) -> Code {
    let code = prepare(at: home)
    if code.isFailure { return code }
    upstream = SilentSource("delay_subscription", home)
    self.source = source
    delivering { set(after: span) }
    return .ok
  }

  override func next(_ value: Value) { send(value) }

  override func ring() {
    guard let source = self.source.take() else { return }
    connect(to: source)
  }

  override func tearDown() {
    cancel()
    source = nil
  }
}
