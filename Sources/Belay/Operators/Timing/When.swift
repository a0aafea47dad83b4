extension Signal {
  /// Sends the last value when the signal that `period` returns for it sends a value, unless another
  /// value has come before. A completion first sends the value that waits; an error drops it.
  /// (debounce in RxJS.)
  public final func debounceWhen<Other>(
    _ period: @escaping (Value) throws(ClosureError) -> Signal<Other>
  ) -> Signal<Value> {
    paced(.debounce, period)
  }

  /// Sends a value, and drops those that come until the signal that `period` returns for it sends a
  /// value or completes. (throttle in RxJS.)
  public final func throttleWhen<Other>(
    _ period: @escaping (Value) throws(ClosureError) -> Signal<Other>
  ) -> Signal<Value> {
    paced(.throttle, period)
  }

  /// A value begins a period, which ends when the signal that `period` returns for it sends a value.
  /// Then the last value that came is sent. A completion waits for it; an error drops it. (audit in
  /// RxJS.)
  public final func auditWhen<Other>(
    _ period: @escaping (Value) throws(ClosureError) -> Signal<Other>
  ) -> Signal<Value> {
    paced(.audit, period)
  }

  /// Fails with `.timedOut` when the signal that `period` returns for a value sends one before the
  /// next value comes.
  public final func timeoutWhen<Other>(
    _ period: @escaping (Value) throws(ClosureError) -> Signal<Other>
  ) -> Signal<Value> {
    paced(.timeout, period)
  }

  /// Sends each value when the signal that `period` returns for it sends one. Drops the value if that
  /// signal completes without one. The values may change their order. 1024 may
  /// wait, unless `setQueue` says otherwise; then this ends with `.again`.
  public final func delayWhen<Other>(
    _ period: @escaping (Value) throws(ClosureError) -> Signal<Other>
  ) -> Signal<Value> {
    flattened("delay_when", .waiting) {
      (value: Value) throws(ClosureError) -> Signal<Value> in
      let signal = try period(value).take(1)
      keep(value)
      return signal.mapTo(Kept(taking: value))
    }
  }

  package final func paced<Other>(
    _ pacing: Pacing, _ period: @escaping (Value) throws(ClosureError) -> Signal<Other>
  ) -> Signal<Value> {
    JunctionSignal(pacing.operatorName, below: self) {
      PacedJunction($0, self, pacing, at: $1, period)
    }
  }
}

/// What the period that a value begins is for.
package enum Pacing: Int {
  /// The value is sent at its end, unless another value begins a period before.
  case debounce
  /// Values that come during it are dropped.
  case throttle
  /// The last value is sent at its end.
  case audit
  /// The signal fails at its end, unless another value begins a period before.
  case timeout

  fileprivate var operatorName: StaticString {
    switch self {
    case .debounce: "debounce_when"
    case .throttle: "throttle_when"
    case .audit: "audit_when"
    case .timeout: "timeout_when"
    }
  }
}

/// Subscribes to a signal made of a value, whose first value ends the period.
private final class PacedJunction<Value, Other>: Junction<Value>, @unchecked Sendable {
  private var source: Signal<Value>?
  private let pacing: Pacing
  private let period: (Value) throws(ClosureError) -> Signal<Other>
  private var latest = KeptValue<Value>()
  /// Counts the periods. A period that is not the last one has no effect any more.
  private var count = 0
  /// Whether the last period is being started, or has not ended.
  private var isRunning = false
  private var input: Input<Other>?
  private var isSourceOver = false

  init(
    _ downstream: Sink<Value>, _ source: Signal<Value>, _ pacing: Pacing, at home: Home,
    _ period: @escaping (Value) throws(ClosureError) -> Signal<Other>
  ) {
    self.source = source
    self.pacing = pacing
    self.period = period
    super.init(downstream, at: home)
  }

  override func start() {
    // Drop the source now: subscribers must not retain a subject, whose last release interrupts.
    guard let source = self.source.take() else { return }
    connect(source, next: { self.handle($0) }, end: { self.sourceEnded($0) })
  }

  private func handle(_ value: Value) {
    let sendsFirst = pacing == .throttle || pacing == .timeout
    if !sendsFirst { latest.put(value) }
    if isRunning && (pacing == .throttle || pacing == .audit) { return }
    count += 1
    let number = count
    isRunning = true
    let old = input
    input = nil
    old?.dispose()
    if sendsFirst { send(value) }
    begin(value, number)
  }

  /// Starts the period with the given number, unless a value that came from inside has begun another.
  private func begin(_ value: Value, _ number: Int) {
    if isClosed || number != count { return }
    do throws(ClosureError) {
      let signal = try period(value).take(1)
      if isClosed || number != count { return }
      let input = connect(
        signal, next: { _ in if number == self.count { self.periodEnded(byValue: true) } },
        end: {
          if case .failed = $0 { return self.send(end: $0) }
          if number == self.count && self.isRunning { self.periodEnded(byValue: false) }
        })
      if number == count && isRunning && !isClosed { self.input = input } else { input.dispose() }
    } catch {
      send(end: .failed(.carrying(error)))
    }
  }

  private func periodEnded(byValue: Bool) {
    isRunning = false
    input = nil
    if byValue {
      if pacing == .timeout { return send(end: .failed(Failure(.timedOut))) }
      sendLatest()
    }
    // A value from inside cannot follow the source's end.
    if isSourceOver { send(end: .completed) }
  }

  private func sendLatest() {
    guard let value = latest.take() else { return }
    send(value)
    discard(value)
  }

  private func sourceEnded(_ end: End) {
    if case .completed = end {
      if pacing == .audit && isRunning && !latest.isEmpty {
        isSourceOver = true
        return
      }
      if pacing == .debounce { sendLatest() }
    }
    send(end: end)
  }

  override func tearDown() {
    source = nil
    input = nil
    latest.clear()
  }
}
