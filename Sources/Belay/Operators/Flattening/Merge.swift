extension Signal {
  /// Sends the values of all `signals` as they come. Completes with the last of them, and ends with
  /// the first error.
  public static func merge(_ signals: [Signal<Value>]) -> Signal<Value> {
    JunctionSignal("merge", beside: AnySignal.all(signals)) {
      MergeJunction($0, signals, at: $1)
    }
  }

  /// Sends the values of this signal and of `others` as they come.
  public final func merge(_ others: Signal<Value>...) -> Signal<Value> { .merge([self] + others) }
}

/// Connects all inputs, and counts those that have not ended.
private final class MergeJunction<Value>: Junction<Value>, @unchecked Sendable {
  private var signals: [Signal<Value>]
  private var remaining: Int
  private var isInterrupted = false

  init(_ downstream: Sink<Value>, _ signals: [Signal<Value>], at home: Home) {
    self.signals = signals
    remaining = signals.count
    super.init(downstream, at: home)
  }

  override func start() {
    // Drop the signals now: subscribers must not retain a subject, whose last release interrupts.
    let signals = self.signals
    self.signals = []
    if signals.isEmpty { return downstream.deliverEnd(.completed) }
    for signal in signals where !isClosed {
      connect(signal, next: { self.send($0) }, end: { self.inputEnded($0) })
    }
  }

  private func inputEnded(_ end: End) {
    remaining -= 1
    switch end {
    case .failed: finish(end)
    case .interrupted, .completed:
      if case .interrupted = end { isInterrupted = true }
      if remaining == 0 { finish(isInterrupted ? .interrupted : .completed) }
    }
  }
}
