extension Signal {
  /// Fails with `.timedOut` when no event has come for `span` (> 0, else `.invalid`), since the
  /// subscription or the last value. With a `fallback`, continues with that instead, without a
  /// limit. While values keep coming, a value needs no timer operation.
  public final func timeout(
    _ span: Duration, fallback: Signal<Value>? = nil, on scheduler: Scheduler
  ) -> Signal<Value> {
    .timed(by: span) { timeout($0, fallback: fallback, on: scheduler) }
  }

  package final func timeout(
    _ span: Int64, fallback: Signal<Value>?, on scheduler: Scheduler
  ) -> Signal<Value> {
    let source = self
    let others: [AnySignal] = fallback.map { [$0] } ?? []
    return JunctionSignal("timeout", below: source, with: others) {
      TimeoutJunction($0, source, span, fallback, scheduler, at: $1)
    }
  }
}

/// Sets its timer anew with each value, and connects the fallback when the timer goes off.
private final class TimeoutJunction<Value>: Junction<Value>, @unchecked Sendable {
  private var source: Signal<Value>?
  private var fallback: Signal<Value>?
  private let span: Int64
  private let scheduler: Scheduler
  // Unmanaged, because Swift would count a copy for each value.
  private var timer: Unmanaged<RearmableTimer>?
  private var input: Input<Value>?

  init(
    _ downstream: Sink<Value>, _ source: Signal<Value>, _ span: Int64,
    _ fallback: Signal<Value>?, _ scheduler: Scheduler, at home: Home
  ) {
    self.source = source
    self.fallback = fallback
    self.span = span
    self.scheduler = scheduler
    super.init(downstream, at: home)
  }

  deinit { timer?.drop() }

  override func start() {
    guard let source = self.source.take() else { return }
    let reach = RearmableTimer.reach(ownHome, from: scheduler)
    if reach.isFailure { return downstream.deliverEnd(.failed(Failure(reach))) }
    let timer = RearmableTimer(scheduler, at: ownHome, in: downstream.root, of: self) {
      [unowned(unsafe) self] in
      self.expire()
    }
    self.timer = .passRetained(timer)
    let input = ClosureInput<Value>(
      downstream.root, of: self, above: downstream.level, in: self, next: { self.pass($0) },
      end: { self.send(end: $0) })
    // First, because the fallback may begin while the source is being connected.
    self.input = input
    connect(input, to: source)
    if self.input != nil && !timer.isSet { restart() }
  }

  private func pass(_ value: Value) {
    // First, because time that passes inside belongs to the new limit.
    restart()
    send(value)
  }

  private func restart() {
    guard let timer else { return }
    let code = timer._withUnsafeGuaranteedRef { $0.set(after: span) }
    if code.isFailure { send(end: .failed(Failure(code))) }
  }

  private func expire() {
    // The end of the source may have to wait until a delivery is over.
    guard let late = input, !late.isClosed else { return }
    guard let fallback = self.fallback.take() else { return send(end: .failed(Failure(.timedOut))) }
    input = nil
    late.dispose()
    connect(fallback, next: { self.send($0) }, end: { self.send(end: $0) })
  }

  override func tearDown() {
    timer?._withUnsafeGuaranteedRef { $0.cancel() }
    input = nil
    source = nil
    fallback = nil
  }
}
