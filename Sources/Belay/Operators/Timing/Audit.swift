extension Signal {
  /// A value begins a period of `span` (> 0, else `.invalid`). At its end, the last value that came
  /// is sent. If a value waits when the source completes, it is sent at its time, and the
  /// completion follows; an error drops it. Values during the period need no timer operation.
  /// (RxJS's auditTime; throttle latest.)
  public final func audit(_ span: Duration, on scheduler: Scheduler) -> Signal<Value> {
    .timed(by: span) { audit($0, on: scheduler) }
  }

  package final func audit(_ span: Int64, on scheduler: Scheduler) -> Signal<Value> {
    lift(bounded: "audit", startsAnywhere: false) { AuditStage($0, span, scheduler, $1) }
  }
}

/// Keeps the latest value while its timer runs.
private final class AuditStage<Value>: TimedStage<Value, Value>, @unchecked Sendable {
  private let span: Int64
  private var latest = KeptValue<Value>()
  private var hasEnded = false

  init(
    _ downstream: Sink<Value>, _ span: Int64, _ scheduler: Scheduler, _ limit: QueueLimit
  ) {
    self.span = span
    super.init(downstream, on: scheduler, limit)
  }

  override func next(_ value: Value) {
    latest.put(value)
    if !isSet { set(after: span) }
  }

  override func ring() {
    if let value = latest.take(), !release(value) { return }
    // Another last value may have come meanwhile.
    if hasEnded && latest.isEmpty { send(end: .completed) }
  }

  override func end(_ end: End) {
    if case .completed = end, isSet, !latest.isEmpty {
      hasEnded = true
      return outliveSource()
    }
    send(end: end)
  }

  override func tearDown() {
    cancel()
    latest.clear()
  }
}
