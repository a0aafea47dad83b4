/// A stage that acts at a time of its own, too.
class TimedStage<Input, Output>: Stage<Input, Output>, @unchecked Sendable {
  private final let scheduler: Scheduler
  // Unmanaged, for a copy would be counted, for each value.
  private final var timer: Unmanaged<RearmableTimer>?
  private final var ownHome: Home?
  // What is sent while the time's value is delivered comes after it.
  private final let gate: Gate<Output>

  init(_ downstream: Sink<Output>, on scheduler: Scheduler) {
    self.scheduler = scheduler
    gate = Gate(downstream)
    super.init(downstream)
  }

  deinit { timer?.drop() }

  /// The time that was set has come.
  func ring() {}

  override func attach(to source: Signal<Input>, at home: Home) -> Code {
    let code = prepare(at: home)
    if code.isFailure { return code }
    let outcome = source.connect(self, at: home)
    if outcome.isFailure { cancel() }
    return outcome
  }

  /// Makes the timer.
  final func prepare(at home: Home) -> Code {
    // The time is told elsewhere, and would not find the way here.
    guard RearmableTimer.reaches(home, from: scheduler) else { return .noHome }
    ownHome = home
    timer = .passRetained(
      RearmableTimer(scheduler, at: home, in: root, of: self) { [unowned(unsafe) self] in
        self.ring()
      })
    return .ok
  }

  final var now: Instant { scheduler.now }
  /// What a delay counts from.
  final var delayStart: Instant { scheduler.delayStart(isRough: true) }
  final var isSet: Bool { timer?._withUnsafeGuaranteedRef { $0.isSet } ?? false }

  /// Rings after `span`, and not at a time set before. A scheduler that refuses ends the signal.
  final func set(after span: Int64) { setInlined(after: span) }

  /// The same, compiled into a stage that does so with each value.
  @inline(__always)
  final func setInlined(after span: Int64) {
    guard let timer else { return }
    let due = delayStart.addingSaturated(max(0, span))
    finishUnlessSet(timer._withUnsafeGuaranteedRef { $0.setInlined(at: due) })
  }

  final func set(at due: Instant) {
    guard let timer else { return }
    finishUnlessSet(timer._withUnsafeGuaranteedRef { $0.set(at: due) })
  }

  @inline(__always)
  private final func finishUnlessSet(_ code: Code) {
    if code.isFailure { finish(.failed(Failure(code))) }
  }

  /// Nothing is rung or sent any more.
  final func cancel() {
    timer?._withUnsafeGuaranteedRef { $0.cancel() }
    gate.empty()
  }

  override func end(_ end: End) { finish(end) }

  /// Sends a value, which is borrowed.
  final func send(_ value: Output) { gate.send(value) }

  /// Sends the end, after what waits.
  final func finish(_ end: End) { gate.finish(end) }

  /// Connects the stage to `source`, later than it was attached.
  final func connect(to source: Signal<Input>) {
    guard let ownHome else { return }
    let code = source.connect(self, at: ownHome)
    if code.isFailure { finish(.failed(Failure(code))) }
  }

  /// The source has ended and is let go of, while the subscription goes on for a time.
  final func outliveSource() {
    guard let ownHome else { return }
    let above = upstream
    upstream = SilentSource("ended", ownHome)
    above?.detach(self, afterEnd: true)
  }

  /// Sends a value that was kept for the stage; false when that ended the subscription.
  final func release(_ value: Output) -> Bool {
    send(value)
    discard(value)
    return !isDisposed
  }
}
