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

  /// Connects `inner`, a new one, to `signal`. A failure to connect is its error.
  final func connect(_ inner: InnerInput<Value>, to signal: Signal<Value>) {
    inner.place = list(inner)
    let code = signal.connect(inner, at: ownHome)
    if code.isFailure { inner.deliverEnd(.failed(Failure(code))) }
  }
}

/// An input of an `InnerJunction`.
final class InnerInput<Value>: Sink<Value>, Listed, @unchecked Sendable {
  // The two hold each other until the input ends or is left.
  private var junction: InnerJunction<Value>?
  private let subscription: Link
  var place: UInt32 = 0

  init(_ junction: InnerJunction<Value>) {
    self.junction = junction
    subscription = junction.downstream.root
    super.init()
    level = junction.downstream.level + 1
  }

  package override var root: Link { subscription }

  override func next(_ value: Value) { junction?.innerNext(value) }

  override func end(_ end: End) {
    guard let junction, close() else { return }
    // Like a disposal: from the source on.
    if case .interrupted = end { disconnect(afterEnd: false) }
    junction.forget(self)
    junction.innerEnded(self, end)
    release()
  }

  /// Tears down what is above, after the end.
  func release() {
    disconnect(afterEnd: true)
    junction = nil
  }

  /// Disposes of what feeds this input; nothing is called.
  package override func dispose(noting quiescence: Quiescence?) {
    guard close() else { return }
    junction?.forget(self)
    disconnect(afterEnd: false)
    junction = nil
  }
}
