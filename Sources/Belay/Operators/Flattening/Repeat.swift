extension Signal {
  /// Subscribes again each time that the signal has completed, `count` times in all. With a count
  /// of 0 it completes at once.
  public final func `repeat`(_ count: Int = .max) -> Signal<Value> {
    count <= 0 ? .empty() : resubscribed("repeat", afterErrors: false, count)
  }

  /// Subscribes again each time that the signal has failed, `count` times in all, and at least
  /// once. Then the error is passed on.
  public final func retry(_ count: Int = .max) -> Signal<Value> {
    resubscribed("retry", afterErrors: true, count)
  }

  private func resubscribed(
    _ name: StaticString, afterErrors: Bool, _ count: Int
  ) -> Signal<Value> {
    JunctionSignal(name, below: self) {
      RepeatJunction($0, self, afterErrors: afterErrors, count, at: $1)
    }
  }
}

/// Runs its source again after completions or errors, and counts the runs.
private final class RepeatJunction<Value>: SequentialJunction<Value>, @unchecked Sendable {
  private var runs: Runs<Value>
  private let afterErrors: Bool

  init(
    _ downstream: Sink<Value>, _ source: Signal<Value>, afterErrors: Bool, _ count: Int,
    at home: Home
  ) {
    runs = Runs(of: source, count)
    self.afterErrors = afterErrors
    super.init(downstream, at: home)
  }

  override func start() { if let source = runs.next() { follow(with: source) } }

  override func following(_ end: End) -> Following<Value> {
    switch end {
    case .completed: if afterErrors { return .end(end) }
    case .failed: if !afterErrors { return .end(end) }
    case .interrupted: return .end(end)
    }
    return runs.next().map { .source($0) } ?? .end(end)
  }
}
