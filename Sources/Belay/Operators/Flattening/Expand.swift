extension Signal {
  /// Sends each value, makes a signal of it, and does the same with that signal's values. At most
  /// `limit` signals run at a time. 1024 other values may wait, unless `setQueue` says otherwise;
  /// then this ends with `.again`. Values that a signal
  /// sends at once follow in their order.
  public final func expand(
    limit: Int = .max, _ transform: @escaping (Value) throws(ClosureError) -> Signal<Value>
  ) -> Signal<Value> {
    JunctionSignal("expand", below: self) {
      ExpandJunction($0, self, .merge(limit: limit), at: $1, transform)
    }
  }
}

/// Sends each value, and takes the values of inner signals like those of its source.
private final class ExpandJunction<Value>: FlattenJunction<Value, Value>, @unchecked Sendable {
  override func beginning(_ value: Value) { send(value) }
  override func innerNext(_ value: Value) { handle(value) }
}
