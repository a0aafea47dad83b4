/// A stage that also acts at times of its own.
class TimedStage<Input, Output>: Stage<Input, Output>, @unchecked Sendable {
  private final let scheduler: Scheduler
  // Unmanaged, because Swift would count a copy for each value.
  private final var timer: Unmanaged<RearmableTimer>?
  private final var ownHome: Home?
  // Values that are sent while the timer's value is delivered come after it.
  private final let gate: Gate<Output>

  init(_ downstream: Sink<Output>, on scheduler: Scheduler, _ limit: QueueLimit) {
    self.scheduler = scheduler
    gate = Gate(downstream, limit)
    super.init(downstream)
  }

  deinit { timer?.drop() }

  /// Called when the time that was set has come.
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
    // Otherwise the timer could not call this from the scheduler's home.
    let reach = RearmableTimer.reach(home, from: scheduler)
    if reach.isFailure { return reach }
    ownHome = home
    timer = .passRetained(
      RearmableTimer(scheduler, at: home, in: root, of: self) { [unowned(unsafe) self] in
        self.ring()
      })
    return .ok
  }

  /// The bound of the values that wait.
  final var limit: QueueLimit { gate.limit }
  final var now: Instant { scheduler.now }
  /// The time from which a delay counts.
  final var delayStart: Instant { scheduler.delayStart(isRough: true) }
  final var isSet: Bool { timer?._withUnsafeGuaranteedRef { $0.isSet } ?? false }

  /// Makes the timer ring after `span`, and not at a time that was set before. If the scheduler
  /// refuses, the signal fails.
  final func set(after span: Int64) { setInlined(after: span) }

  /// The same, inlined for stages that do this with each value.
  @inline(__always)
  final func setInlined(after span: Int64) {
    guard let timer else { return }
    let due = delayStart.addingSaturated(max(0, span))
    endUnlessSet(timer._withUnsafeGuaranteedRef { $0.setInlined(at: due) })
  }

  final func set(at due: Instant) {
    guard let timer else { return }
    endUnlessSet(timer._withUnsafeGuaranteedRef { $0.set(at: due) })
  }

  @inline(__always)
  private final func endUnlessSet(_ code: Code) {
    if code.isFailure { send(end: .failed(Failure(code))) }
  }

  /// Makes sure that nothing is rung or sent any more.
  final func cancel() {
    timer?._withUnsafeGuaranteedRef { $0.cancel() }
    gate.empty()
  }

  override func end(_ end: End) { send(end: end) }

  /// Sends a value, which is borrowed.
  final func send(_ value: Output) { gate.send(value) }

  /// Sends the end, after the values that wait.
  final func send(end: End) { gate.send(end: end) }

  /// Connects the stage to `source`, later than it was attached.
  final func connect(to source: Signal<Input>) {
    guard let ownHome else { return }
    let code = source.connect(self, at: ownHome)
    if code.isFailure { send(end: .failed(Failure(code))) }
  }

  final func outliveSource() { if let ownHome { outliveSource(at: ownHome) } }

  /// Sends a value that the stage has kept, and discards it. Answers false if the subscription has
  /// ended by that.
  final func release(_ value: Output) -> Bool {
    send(value)
    discard(value)
    return !takesNoMore
  }
}
