extension Signal {
  /// Passes values for `span` (not negative, else `.invalid`) after the subscription, then
  /// completes. (prefix(duration) in other libraries.)
  public final func takeFor(_ span: Duration, on scheduler: Scheduler) -> Signal<Value> {
    .timed(by: span, allowsZero: true) { takeFor($0, on: scheduler) }
  }

  /// Drops values for `span` (not negative, else `.invalid`) after the subscription.
  public final func skipFor(_ span: Duration, on scheduler: Scheduler) -> Signal<Value> {
    .timed(by: span, allowsZero: true) { skipFor($0, on: scheduler) }
  }

  package final func takeFor(_ span: Int64, on scheduler: Scheduler) -> Signal<Value> {
    lift(bounded: "take_for", startsAnywhere: false) {
      ForTimeStage($0, span, scheduler, takes: true, $1)
    }
  }

  package final func skipFor(_ span: Int64, on scheduler: Scheduler) -> Signal<Value> {
    lift(bounded: "skip_for", startsAnywhere: false) {
      ForTimeStage($0, span, scheduler, takes: false, $1)
    }
  }
}

/// Passes values before its timer goes off, or after it.
private final class ForTimeStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let span: Int64
  private let scheduler: Scheduler
  private let takes: Bool
  private var isOpen: Bool
  private var timer: RearmableTimer?
  private let gate: Gate<Value>

  init(
    _ downstream: Sink<Value>, _ span: Int64, _ scheduler: Scheduler, takes: Bool,
    _ limit: QueueLimit
  ) {
    self.span = span
    self.scheduler = scheduler
    self.takes = takes
    isOpen = takes
    gate = Gate(downstream, limit)
    super.init(downstream)
  }

  override func attach(to source: Signal<Value>, at home: Home) -> Code {
    let timer = RearmableTimer(scheduler, at: home, in: root, of: self) { [unowned(unsafe) self] in
      self.expire()
    }
    self.timer = timer
    upstream = SilentSource("time", home)
    var code = timer.start(after: span)
    // An immediate scheduler may have called already.
    if code.isFailure || isDisposed { return code.isFailure ? code : .ok }
    code = source.connect(self, at: home)
    if code.isFailure { timer.cancel() }
    return code
  }

  private func expire() {
    isOpen = !takes
    if takes { gate.send(end: .completed) }
  }

  override func next(_ value: Value) { if isOpen { gate.send(value) } }
  override func end(_ end: End) { gate.send(end: end) }

  override func tearDown() {
    timer?.cancel()
    gate.empty()
  }
}
