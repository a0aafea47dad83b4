extension Signal {
  /// Sends the values of the last `span` (not negative, else `.invalid`) before the completion, at
  /// the completion. Keeps the values of that time. (takeLastWithTime in other libraries.)
  public final func takeLastFor(_ span: Duration, on scheduler: Scheduler) -> Signal<Value> {
    .timed(by: span, allowsZero: true) { lastFor($0, on: scheduler, takes: true) }
  }

  /// Sends all values but those of the last `span` (not negative, else `.invalid`) before the
  /// completion: each one with the first event that comes `span` later. Keeps the values of that
  /// time. (skipLastWithTime in other libraries.)
  public final func skipLastFor(_ span: Duration, on scheduler: Scheduler) -> Signal<Value> {
    .timed(by: span, allowsZero: true) { lastFor($0, on: scheduler, takes: false) }
  }

  package final func lastFor(
    _ span: Int64, on scheduler: Scheduler, takes: Bool
  ) -> Signal<Value> {
    lift(bounded: takes ? "take_last_for" : "skip_last_for") {
      LastForStage($0, span, scheduler, takes, $1)
    }
  }
}

/// Keeps the values of a time. Sends them at the completion, or passes each one when it is older.
private final class LastForStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let span: Int64
  private let scheduler: Scheduler
  private let takes: Bool
  private let limit: QueueLimit
  private var values = FIFO<(time: Instant, value: Value)>()

  init(
    _ downstream: Sink<Value>, _ span: Int64, _ scheduler: Scheduler, _ takes: Bool,
    _ limit: QueueLimit
  ) {
    self.limit = limit
    self.span = span
    self.scheduler = scheduler
    self.takes = takes
    super.init(downstream)
  }

  override func next(_ value: Value) {
    let now = scheduler.now
    leave(at: now)
    if takesNoMore { return }
    switch limit.admit(after: values.count) {
    case .accepted: break
    case .replacesOldest: release(passing: false)
    case .dropped: return
    case .refused: return pass(end: limit.refusal)
    }
    keepGathered(value)
    values.append((now, value))
    if span <= 0 { leave(at: now) }
  }

  /// Passes or drops the values that are as old as `span`.
  private func leave(at now: Instant) {
    while !takesNoMore, let oldest = values.first, now - oldest.time >= span {
      release(passing: !takes)
    }
  }

  private func release(passing: Bool) {
    let oldest = values.removeFirst().value
    if passing { pass(oldest) }
    discard(oldest)
  }

  override func end(_ end: End) {
    if case .completed = end {
      leave(at: scheduler.now)
      while takes && !values.isEmpty && !takesNoMore { release(passing: true) }
      if takesNoMore { return }
    }
    pass(end: end)
  }

  override func tearDown() {
    while !values.isEmpty { release(passing: false) }
    values.removeAll()
  }
}
