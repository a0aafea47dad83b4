extension Signal {
  /// After an error, continues with the signal that `recover` returns for it. An error of that
  /// signal is passed on, and so is one that `recover` throws. (catchError, onErrorResumeNext,
  /// flatMapError in other libraries.)
  public final func `catch`(
    _ recover: @escaping (Failure) throws(ClosureError) -> Signal<Value>
  ) -> Signal<Value> {
    JunctionSignal("catch", below: self) { CatchJunction($0, self, at: $1, recover) }
  }

  /// Sends `value` instead of an error, then completes. (onErrorReturn, catchAndReturn,
  /// replaceError in other libraries.)
  public final func catchTo(_ value: Value) -> Signal<Value> { catchTo(Kept(taking: value)) }

  package final func catchTo(_ value: Kept<Value>) -> Signal<Value> {
    lift("catch_to") { CatchToStage($0, value) }
  }
}

/// Runs the source, and after an error the signal that its closure returns.
private final class CatchJunction<Value>: SequentialJunction<Value>, @unchecked Sendable {
  private var source: Signal<Value>?
  private var recover: ((Failure) throws(ClosureError) -> Signal<Value>)?

  init(
    _ downstream: Sink<Value>, _ source: Signal<Value>, at home: Home,
    _ recover: @escaping (Failure) throws(ClosureError) -> Signal<Value>
  ) {
    self.source = source
    self.recover = recover
    super.init(downstream, at: home)
  }

  override func start() {
    guard let source = self.source.take() else { return }
    follow(with: source)
  }

  override func following(_ end: End) throws(ClosureError) -> Following<Value> {
    guard case .failed(let failure) = end, let recover else { return .end(end) }
    self.recover = nil
    return .source(try recover(failure))
  }

  override func tearDown() {
    recover = nil
    super.tearDown()
  }
}

/// Sends its value instead of an error, then completes.
private final class CatchToStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let value: Kept<Value>

  init(_ downstream: Sink<Value>, _ value: Kept<Value>) {
    self.value = value
    super.init(downstream)
  }

  override func next(_ value: Value) { pass(value) }

  override func end(_ end: End) {
    guard case .failed = end else { return pass(end: end) }
    pass(last: value.value)
  }
}
