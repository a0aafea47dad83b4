extension Signal {
  /// Sends the values of all `signals` as they come. Completes with the last of them, and ends with
  /// the first error.
  public static func merge(_ signals: [Signal<Value>]) -> Signal<Value> {
    JunctionSignal("merge", beside: AnySignal.all(signals)) {
      MergeJunction($0, signals, at: $1, delaysError: false)
    }
  }

  /// Sends the values of this signal and of `others` as they come.
  public final func merge(_ others: Signal<Value>...) -> Signal<Value> { .merge([self] + others) }
}

/// Connects all inputs, and counts those that have not ended.
final class MergeJunction<Value>: InnerJunction<Value>, @unchecked Sendable {
  private var signals: [Signal<Value>]
  private var remaining: Int
  /// Whether an error waits until all inputs have ended.
  private let delaysError: Bool
  /// The first error; else an interruption, if there was one; else the completion.
  private var outcome = End.completed

  init(
    _ downstream: Sink<Value>, _ signals: [Signal<Value>], at home: Home, delaysError: Bool
  ) {
    self.signals = signals
    remaining = signals.count
    self.delaysError = delaysError
    super.init(downstream, at: home)
  }

  override func start() {
    // Drop the signals now: subscribers must not retain a subject, whose last release interrupts.
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
    if case .failed = end, !delaysError { remaining = 0 }
    if remaining == 0 { send(end: outcome) }
  }
}
