/// A junction whose inputs come and go while it runs, all treated alike.
///
/// It may be closed when an input tells it something: a teardown may send into an input that is
/// still to be left, and an interruption tears down before it is told. Nothing is sent on then.
class InnerJunction<Value>: Junction<Value>, @unchecked Sendable {
  /// A value of `inner`, borrowed.
  func innerNext(_ value: Value) { send(value) }

  /// `inner` has ended and is listed no more. What is above it is torn down after this returns, or
  /// when `inner.release()` is called.
  func innerEnded(_ inner: InnerInput<Value>, _ end: End) { finish(end) }
}

/// An input of an `InnerJunction`.
final class InnerInput<Value>: Input<Value>, @unchecked Sendable {
  // The two hold each other until the input ends or is left.
  private var junction: InnerJunction<Value>?

  init(_ junction: InnerJunction<Value>) {
    self.junction = junction
    super.init(junction.downstream.root, above: junction.downstream.level, in: junction)
  }

  override func next(_ value: Value) { junction?.innerNext(value) }
  override func ended(_ end: End) { junction?.innerEnded(self, end) }
  override func letGo() { junction = nil }

  /// Tears down what is above, after the end.
  func release() { release(afterEnd: true) }
}
