extension Signal {
  /// Sends each value, makes a signal of it, and treats that signal's values likewise; of at most
  /// `limit` signals at a time. Values that wait do so without bound; those that a
  /// signal sends at once follow in the order of their coming.
  public final func expand(
    limit: Int = .max, _ transform: @escaping (Value) throws(Failure) -> Signal<Value>
  ) -> Signal<Value> {
    JunctionSignal("expand", below: self) {
      ExpandJunction($0, self, .merge(limit: limit), at: $1, transform)
    }
  }
}

private final class ExpandJunction<Value>: FlattenJunction<Value, Value>, @unchecked Sendable {
  override func beginning(_ value: Value) { send(value) }
  override func innerNext(_ value: Value) { take(value) }
}
