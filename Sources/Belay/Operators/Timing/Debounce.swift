extension Signal {
  /// Sends the last value when no other one has come for `span` (> 0, else `.invalid`). A
  /// completion first sends the value that waits; an error drops it. While values keep coming, a
  /// value needs no timer operation. (throttle in ReactiveObjC.)
  public final func debounce(_ span: Duration, on scheduler: Scheduler) -> Signal<Value> {
    .timed(by: span) { debounce($0, on: scheduler) }
  }

  /// The same for values for which `waits` returns true. Other values are sent at once, and drop
  /// the value that waits. An error that `waits` throws ends the signal.
  /// (throttle:valuesPassingTest: in ReactiveObjC.)
  public final func debounce(
    _ span: Duration, on scheduler: Scheduler,
    if waits: @escaping (Value) throws(ClosureError) -> Bool
  ) -> Signal<Value> {
    .timed(by: span) { debounce($0, on: scheduler, if: waits) }
  }

  package final func debounce(
    _ span: Int64, on scheduler: Scheduler, if waits: ((Value) throws(ClosureError) -> Bool)? = nil
  ) -> Signal<Value> {
    lift(bounded: "debounce", startsAnywhere: false) {
      DebounceStage($0, span, scheduler, waits, $1)
    }
  }
}

/// Keeps the latest value, and sets its timer anew with each.
private final class DebounceStage<Value>: TimedStage<Value, Value>, @unchecked Sendable {
  private let span: Int64
  private let waits: ((Value) throws(ClosureError) -> Bool)?
  private var latest = KeptValue<Value>()

  init(
    _ downstream: Sink<Value>, _ span: Int64, _ scheduler: Scheduler,
    _ waits: ((Value) throws(ClosureError) -> Bool)?, _ limit: QueueLimit
  ) {
    self.span = span
    self.waits = waits
    super.init(downstream, on: scheduler, limit)
  }

  override func next(_ value: Value) {
    if waits != nil && !isToWait(value) || isDisposed { return }
    latest.put(value)
    setInlined(after: span)
  }

  /// Answers whether the value has to wait, and sends it if not.
  @inline(never)
  private func isToWait(_ value: Value) -> Bool {
    do throws(ClosureError) {
      if let waits, try !waits(value) {
        latest.clear()
        send(value)
        return false
      }
      return true
    } catch {
      end(.failed(.carrying(error)))
      return false
    }
  }

  override func ring() { if let value = latest.take() { _ = release(value) } }

  override func end(_ end: End) {
    if case .completed = end, let value = latest.take(), !release(value) { return }
    send(end: end)
  }

  override func tearDown() {
    cancel()
    latest.clear()
  }
}
