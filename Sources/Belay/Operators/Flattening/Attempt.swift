extension Signal {
  /// Calls `action` with each value before the value is passed on. An error that it throws ends the
  /// signal. (try: in ReactiveObjC.)
  public final func attempt(
    _ action: @escaping (Value) throws(Failure) -> Void
  ) -> Signal<Value> {
    attempt("attempt", action)
  }

  package final func attempt(
    _ operatorName: StaticString, _ action: @escaping (Value) throws(Failure) -> Void
  ) -> Signal<Value> {
    lift(operatorName) { AttemptStage($0, action) }
  }
}

/// Calls its closure with each value before it passes the value on.
private final class AttemptStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let action: (Value) throws(Failure) -> Void

  init(_ downstream: Sink<Value>, _ action: @escaping (Value) throws(Failure) -> Void) {
    self.action = action
    super.init(downstream)
  }

  override func next(_ value: Value) {
    do throws(Failure) {
      try action(value)
      pass(value)
    } catch {
      pass(end: .failed(error))
    }
  }
}
