extension Signal {
  /// Sends at most one value every `span` (> 0, else `.invalid`). With `leading`, the first value
  /// is sent and begins the period. With `trailing`, the last value that came during the period is
  /// sent at its end and begins the next one. If a value waits when the source completes, it is
  /// sent at its time, and the completion follows; an error drops it. Values during the period need
  /// no timer operation. (RxJS's throttleTime.)
  public final func throttle(
    _ span: Duration, leading: Bool = true, trailing: Bool = false, on scheduler: Scheduler
  ) -> Signal<Value> {
    .timed(by: span) { throttle($0, leading: leading, trailing: trailing, on: scheduler) }
  }

  package final func throttle(
    _ span: Int64, leading: Bool, trailing: Bool, on scheduler: Scheduler
  ) -> Signal<Value> {
    lift(bounded: "throttle", startsAnywhere: false) {
      ThrottleStage(
        $0, span, leading: leading, trailing: trailing, renews: true, scheduler, $1)
    }
  }
}

/// Keeps the latest value while its timer runs, if that is sent at the end. Also the stage of `audit`.
final class ThrottleStage<Value>: TimedStage<Value, Value>, @unchecked Sendable {
  private let span: Int64
  private let leading: Bool
  private let trailing: Bool
  /// Whether the value that is sent at the end of a period begins the next one.
  private let renews: Bool
  private var waiting = KeptValue<Value>()
  private var hasEnded = false

  init(
    _ downstream: Sink<Value>, _ span: Int64, leading: Bool, trailing: Bool, renews: Bool,
    _ scheduler: Scheduler, _ limit: QueueLimit
  ) {
    self.span = span
    self.leading = leading
    self.trailing = trailing
    self.renews = renews
    super.init(downstream, on: scheduler, limit)
  }

  override func next(_ value: Value) {
    if isSet || !leading {
      if trailing { waiting.put(value) }
      if !isSet { set(after: span) }
      return
    }
    // First, because a value that is sent from inside comes during the period.
    set(after: span)
    send(value)
  }

  override func ring() {
    if let value = waiting.take() {
      // First, because a value that is sent from inside belongs to the new period.
      if renews && !hasEnded { set(after: span) }
      if isDisposed { return discard(value) }
      if !release(value) { return }
    }
    // Another last value may have come meanwhile.
    if hasEnded && waiting.isEmpty { send(end: .completed) }
  }

  override func end(_ end: End) {
    if case .completed = end, isSet, !waiting.isEmpty {
      hasEnded = true
      return outliveSource()
    }
    send(end: end)
  }

  override func tearDown() {
    cancel()
    waiting.clear()
  }
}
