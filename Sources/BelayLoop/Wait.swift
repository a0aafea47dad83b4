import Belay

extension Signal {
  /// Subscribes at `loop` and runs it until the first value, for at most `timeout`.
  ///
  /// - Returns: nil when the signal completed without a value.
  /// - Throws: the signal's error; `Code.timedOut`, `.canceled` when it was interrupted or the loop
  ///   was stopped, and what `Loop.run` throws.
  public final func waitFirst(on loop: Loop, timeout: Duration? = nil) throws(Failure) -> Value? {
    try wait(for: .first, on: loop, timeout?.nanoseconds)
  }

  /// The same for the last value before the completion.
  public final func waitLast(on loop: Loop, timeout: Duration? = nil) throws(Failure) -> Value? {
    try wait(for: .last, on: loop, timeout?.nanoseconds)
  }

  /// The value's reference is the caller's to discard. `timeout` in nanoseconds; nil for none.
  package final func wait(
    for awaited: Awaited, on loop: Loop, _ timeout: Int64?
  ) throws(Failure) -> Value? {
    let core = loop.core
    if core.isAdopted { throw Failure(.invalid) }
    if loop.isClosed { throw Failure(.closed) }
    if core.isRunning { throw Failure(.busy) }
    let bound = core.bind()
    if bound.isFailure { throw Failure(bound) }
    let waiter = Waiter<Value>(awaited, at: core)
    let code = start(waiter, owner: nil, at: core)
    if code.isFailure { throw Failure(code) }
    if !waiter.isDisposed { run(loop, waiter, timeout) }
    return try waiter.answer()
  }

  private final func run(_ loop: Loop, _ waiter: Waiter<Value>, _ timeout: Int64?) {
    waiter.whenOver = { _ = loop.core.stop() }
    // It keeps the run going, too: what is sent by other threads does not.
    let clock = loop.scheduler.schedule(
      after: .nanoseconds(timeout ?? .max), { waiter.timeIsUp() })
    _ = loop.core.run(.default)
    waiter.whenOver = nil
    clock.dispose()
    waiter.dispose()
  }
}
