/// A junction that treats all its inputs alike. Inputs may be added while it runs.
///
/// An event may reach it after it is closed: a teardown may send into an input that has not been
/// disposed of yet, and an interruption tears down before the junction learns of it. `send` drops
/// such an event.
class InnerJunction<Value>: Junction<Value>, @unchecked Sendable {
  /// Handles a value of an input. The value is borrowed.
  func innerNext(_ value: Value) { send(value) }

  /// Handles the end of `inner`, which has left the list of inputs. The chain above it is torn down
  /// when this returns, or when `inner.release()` is called.
  func innerEnded(_ inner: InnerInput<Value>, _ end: End) { send(end: end) }
}

/// An input of an `InnerJunction`.
final class InnerInput<Value>: Input<Value>, @unchecked Sendable {
  // They retain each other until the input ends or is disposed of.
  private var junction: InnerJunction<Value>?

  init(_ junction: InnerJunction<Value>) {
    self.junction = junction
    super.init(junction.downstream.root, above: junction.downstream.level, in: junction)
  }

  override func next(_ value: Value) { junction?.innerNext(value) }
  override func ended(_ end: End) { junction?.innerEnded(self, end) }
  override func letGo() { junction = nil }

  /// Tears down the chain above, after its end.
  func release() { release(afterEnd: true) }
}
