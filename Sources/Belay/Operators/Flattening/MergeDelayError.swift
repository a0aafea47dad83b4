extension Signal {
  /// Sends the values of all `signals` as they come. An error waits until the others have ended;
  /// the first of several is passed on.
  public static func mergeDelayError(_ signals: [Signal<Value>]) -> Signal<Value> {
    JunctionSignal("merge_delay_error", beside: AnySignal.all(signals)) {
      MergeDelayErrorJunction($0, signals, at: $1)
    }
  }

  /// Sends the values of this signal and of `others` as they come. An error waits until all have
  /// ended.
  public final func mergeDelayError(_ others: Signal<Value>...) -> Signal<Value> {
    .mergeDelayError([self] + others)
  }
}

/// Connects all inputs, and keeps the first error until all have ended.
private final class MergeDelayErrorJunction<Value>: InnerJunction<Value>, @unchecked Sendable {
  private var signals: [Signal<Value>]
  private var remaining: Int
  private var outcome = End.completed

  init(_ downstream: Sink<Value>, _ signals: [Signal<Value>], at home: Home) {
    self.signals = signals
    remaining = signals.count
    super.init(downstream, at: home)
  }

  override func start() {
    let signals = self.signals
    self.signals = []
    if signals.isEmpty { return downstream.deliverEnd(.completed) }
    for signal in signals where !isClosed { connect(InnerInput(self), to: signal) }
  }

  override func innerEnded(_ inner: InnerInput<Value>, _ end: End) {
    remaining -= 1
    switch (outcome, end) {
    case (.failed, _), (_, .completed): break
    default: outcome = end
    }
    if remaining == 0 { finish(outcome) }
  }
}
