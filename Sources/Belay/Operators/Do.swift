extension Signal {
  /// Calls the closures beside the flow, each before the event is passed on; `disposed` when the
  /// stage is torn down.
  public final func `do`(
    next: ((Value) -> Void)? = nil, error: ((Failure) -> Void)? = nil,
    completed: (() -> Void)? = nil, disposed: (() -> Void)? = nil
  ) -> Signal<Value> {
    lift("do") { DoStage($0, next, error, completed, disposed) }
  }
}

private final class DoStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let onNext: ((Value) -> Void)?
  private let onError: ((Failure) -> Void)?
  private let onCompleted: (() -> Void)?
  private let onDisposed: (() -> Void)?

  init(
    _ downstream: Sink<Value>, _ next: ((Value) -> Void)?, _ error: ((Failure) -> Void)?,
    _ completed: (() -> Void)?, _ disposed: (() -> Void)?
  ) {
    onNext = next
    onError = error
    onCompleted = completed
    onDisposed = disposed
    super.init(downstream)
  }

  override func next(_ value: Value) {
    onNext?(value)
    if !isDisposed { downstream.next(value) }
  }

  override func end(_ end: End) {
    switch end {
    case .completed: onCompleted?()
    case .failed(let failure): onError?(failure)
    case .interrupted: break
    }
    downstream.end(end)
  }

  override func tearDown() { onDisposed?() }
}
