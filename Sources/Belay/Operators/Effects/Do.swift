import CBelayShim

extension Signal {
  /// Calls a closure for each event before the event is passed on, and `disposed` when the stage is
  /// torn down. An error that a closure throws takes the place of the event.
  public final func `do`(
    next: ((Value) throws(ClosureError) -> Void)? = nil,
    error: ((Failure) throws(ClosureError) -> Void)? = nil,
    completed: (() throws(ClosureError) -> Void)? = nil, disposed: (() -> Void)? = nil
  ) -> Signal<Value> {
    lift("do") { DoStage($0, next, error, completed, disposed) }
  }
}

extension Signal {
  /// Raises SIGTRAP before it passes an event on for which a closure returns true. That stops in a
  /// debugger, and ends a process without one.
  public final func breakpoint(
    next: ((Value) -> Bool)? = nil, error: ((Failure) -> Bool)? = nil,
    completed: (() -> Bool)? = nil
  ) -> Signal<Value> {
    func stop(_ isWanted: Bool?) { if isWanted ?? false { belay_shim_trap() } }
    return lift("breakpoint") {
      DoStage($0, { stop(next?($0)) }, { stop(error?($0)) }, { stop(completed?()) }, nil)
    }
  }

  /// Raises SIGTRAP before it passes an error on.
  public final func breakpointOnError() -> Signal<Value> { breakpoint(error: { _ in true }) }
}

/// Calls a closure for each event before it passes the event on.
private final class DoStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let onNext: ((Value) throws(ClosureError) -> Void)?
  private let onError: ((Failure) throws(ClosureError) -> Void)?
  private let onCompleted: (() throws(ClosureError) -> Void)?
  private let onDisposed: (() -> Void)?

  init(
    _ downstream: Sink<Value>, _ next: ((Value) throws(ClosureError) -> Void)?,
    _ error: ((Failure) throws(ClosureError) -> Void)?,
    _ completed: (() throws(ClosureError) -> Void)?, _ disposed: (() -> Void)?
  ) {
    onNext = next
    onError = error
    onCompleted = completed
    onDisposed = disposed
    super.init(downstream)
  }

  override func next(_ value: Value) {
    do throws(ClosureError) {
      try onNext?(value)
      pass(value)
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }

  override func end(_ end: End) {
    do throws(ClosureError) {
      switch end {
      case .completed: try onCompleted?()
      case .failed(let failure): try onError?(failure)
      case .interrupted: break
      }
      pass(end: end)
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }

  override func tearDown() { onDisposed?() }
}
