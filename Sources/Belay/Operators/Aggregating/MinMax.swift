extension Signal {
  /// Sends the smallest value when the source has completed; the first of equal ones; nothing if
  /// there were no values. An error that `areInIncreasingOrder` throws ends the signal.
  public final func min(
    by areInIncreasingOrder: @escaping (Value, Value) throws(Failure) -> Bool
  ) -> Signal<Value> {
    lift("min") { MinMaxStage($0, areInIncreasingOrder) }
  }

  /// Sends the largest value when the source has completed; the first of equal ones; nothing if
  /// there were no values. An error that `areInIncreasingOrder` throws ends the signal.
  public final func max(
    by areInIncreasingOrder: @escaping (Value, Value) throws(Failure) -> Bool
  ) -> Signal<Value> {
    lift("max") {
      MinMaxStage($0) { (one: Value, two: Value) throws(Failure) -> Bool in
        try areInIncreasingOrder(two, one)
      }
    }
  }
}

extension Signal where Value: Comparable {
  /// Sends the smallest value when the source has completed; nothing if there were no values.
  public final func min() -> Signal<Value> { min { $0 < $1 } }

  /// Sends the largest value when the source has completed; nothing if there were no values.
  public final func max() -> Signal<Value> { max { $0 < $1 } }
}

/// Keeps the best value so far, and sends it at the completion.
private final class MinMaxStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private var best: Value?
  private let isBetter: (Value, Value) throws(Failure) -> Bool

  init(_ downstream: Sink<Value>, _ isBetter: @escaping (Value, Value) throws(Failure) -> Bool) {
    self.isBetter = isBetter
    super.init(downstream)
  }

  override func next(_ value: Value) {
    do throws(Failure) {
      if let best {
        // The comparison may end the subscription, which releases `best`.
        keep(best)
        defer { discard(best) }
        if try !isBetter(value, best) || isDisposed { return }
      }
      keep(value)
      if let best { discard(best) }
      best = value
    } catch {
      pass(end: .failed(error))
    }
  }

  override func end(_ end: End) {
    guard case .completed = end, let best else { return pass(end: end) }
    self.best = nil
    pass(last: best)
    discard(best)
  }

  override func tearDown() {
    guard let best else { return }
    self.best = nil
    discard(best)
  }
}
