@_spi(Engine) import Belay

extension Signal {
  #if !hasFeature(Embedded)
    /// Subscribes at `loop` and runs the loop until the first value, at most for `timeout`.
    ///
    /// - Returns: nil if the signal completed without a value.
    /// - Throws: the signal's error: the Swift error that came into the signal, as itself, or else the
    ///   `Failure`; `Code.timedOut`; `.canceled` if the signal was interrupted, or the loop was
    ///   stopped or closed; otherwise like `Loop.run`.
    public final func waitFirst(on loop: Loop, timeout: Duration? = nil) throws -> Value? {
      try answer(for: .first, on: loop, timeout)
    }

    /// The same for the last value before the completion.
    public final func waitLast(on loop: Loop, timeout: Duration? = nil) throws -> Value? {
      try answer(for: .last, on: loop, timeout)
    }

    private final func answer(
      for awaited: Awaited, on loop: Loop, _ timeout: Duration?
    ) throws -> Value? {
      do throws(Failure) { return try wait(for: awaited, on: loop, timeout?.nanoseconds) } catch {
        throw error.thrown
      }
    }
  #endif

  /// The caller discards the value. `timeout` is in nanoseconds; nil: without limit.
  package final func wait(
    for awaited: Awaited, on loop: Loop, _ timeout: Int64?
  ) throws(Failure) -> Value? {
    let core = loop.core
    var code =
      core.isAdopted ? Code.invalid : loop.isClosed ? .closed : core.isRunning ? .busy : core.bind()
    if code.isFailure { throw Failure(code) }
    let waiter = Waiter<Value>(awaited, at: core)
    code = start(waiter, owner: nil, at: core)
    if !code.isFailure && !waiter.isDisposed { code = run(loop, waiter, timeout) }
    if code.isFailure { throw Failure(code) }
    return try waiter.answer()
  }

  /// Fails if another thread has begun to run the loop.
  private final func run(_ loop: Loop, _ waiter: Waiter<Value>, _ timeout: Int64?) -> Code {
    // A callback may be running the loop in turn, or close this handle, whose timer then goes.
    waiter.whenOver = { loop.core.stopOutermost() }
    loop.user.members.add(waiter)
    // The timer also keeps the run going, which values from other threads do not.
    let clock = ClosureWork(label: "wait") { waiter.timeIsUp() }
    _ = loop.scheduler.submit(clock, after: timeout ?? .max)
    let (code, _) = loop.core.run(.default)
    waiter.whenOver = nil
    clock.dispose()
    waiter.dispose()
    return code
  }
}
