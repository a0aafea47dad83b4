extension Signal {
  /// Calls `action` once at the end of the subscription, for any end: after `completed` or `error`,
  /// at a disposal, or at an interruption.
  public final func finally(_ action: @escaping () -> Void) -> Signal<Value> {
    lift("finally") { FinallyStage($0, action) }
  }

  /// Calls `action` each time before the source is subscribed to.
  public final func initially(_ action: @escaping () -> Void) -> Signal<Value> {
    lift("initially", startsAnywhere: false) { InitiallyStage($0, action) }
  }
}

/// Calls the action when it is torn down.
private final class FinallyStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let action: () -> Void

  init(_ downstream: Sink<Value>, _ action: @escaping () -> Void) {
    self.action = action
    super.init(downstream)
  }

  override func next(_ value: Value) { pass(value) }
  override func tearDown() { action() }
}

/// Calls the action before it connects to the source.
private final class InitiallyStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let action: () -> Void

  init(_ downstream: Sink<Value>, _ action: @escaping () -> Void) {
    self.action = action
    super.init(downstream)
  }

  override func attach(to source: Signal<Value>, at home: Home) -> Code {
    upstream = SilentSource("initially", home)
    delivering { action() }
    return isDisposed ? .ok : source.connect(self, at: home)
  }

  override func next(_ value: Value) { pass(value) }
}
