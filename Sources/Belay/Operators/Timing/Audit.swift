extension Signal {
  /// A value begins a time of `span`, at whose end the last that came is sent. One that waits when
  /// the source completes is sent when its time comes, then completed; an error drops it. What
  /// comes meanwhile costs no timer operation. (RxJS's auditTime; throttle latest.)
  public final func audit(_ span: Duration, on scheduler: Scheduler) -> Signal<Value> {
    audit(span.nanoseconds, on: scheduler)
  }

  package final func audit(_ span: Int64, on scheduler: Scheduler) -> Signal<Value> {
    lift("audit", startsAnywhere: false) { AuditStage($0, span, scheduler) }
  }
}

private final class AuditStage<Value>: TimedStage<Value, Value>, @unchecked Sendable {
  private let span: Int64
  private var latest = KeptValue<Value>()
  private var hasEnded = false

  init(_ downstream: Sink<Value>, _ span: Int64, _ scheduler: Scheduler) {
    self.span = span
    super.init(downstream, on: scheduler)
  }

  override func next(_ value: Value) {
    latest.put(value)
    if !isSet { set(after: span) }
  }

  override func ring() {
    if let value = latest.take(), !release(value) { return }
    // Unless a last value has come meanwhile.
    if hasEnded && latest.isEmpty { finish(.completed) }
  }

  override func end(_ end: End) {
    if case .completed = end, isSet, !latest.isEmpty {
      hasEnded = true
      return outliveSource()
    }
    finish(end)
  }

  override func tearDown() {
    cancel()
    latest.clear()
  }
}
