extension Signal {
  /// The last value, once none has come for `span`. Completion sends what waits first; an error
  /// drops it. While values keep coming one costs no timer operation. (throttle in ReactiveObjC.)
  public final func debounce(_ span: Duration, on scheduler: Scheduler) -> Signal<Value> {
    debounce(span.nanoseconds, on: scheduler)
  }

  package final func debounce(_ span: Int64, on scheduler: Scheduler) -> Signal<Value> {
    lift("debounce", startsAnywhere: false) { DebounceStage($0, span, scheduler) }
  }
}

private final class DebounceStage<Value>: TimedStage<Value, Value>, @unchecked Sendable {
  private let span: Int64
  private var latest = Slot<Value>()

  init(_ downstream: Sink<Value>, _ span: Int64, _ scheduler: Scheduler) {
    self.span = span
    super.init(downstream, on: scheduler)
  }

  override func next(_ value: Value) {
    latest.put(value)
    set(after: span)
  }

  override func ring() { if let value = latest.take() { _ = release(value) } }

  override func end(_ end: End) {
    if case .completed = end, let value = latest.take(), !release(value) { return }
    finish(end)
  }

  override func tearDown() {
    cancel()
    latest.clear()
  }
}
