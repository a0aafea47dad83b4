extension Signal {
  /// Sends the last value when the signal that `period` returns for it sends a value, unless another
  /// value has come before. A completion first sends the value that waits; an error drops it.
  /// (debounce in RxJS.)
  public final func debounceWhen<Other>(
    _ period: @escaping (Value) throws(ClosureError) -> Signal<Other>
  ) -> Signal<Value> {
    paced(.debounce, period)
  }

  /// A value begins a period, which ends when the signal that `period` returns for it sends a value or
  /// completes. With `leading`, the value that begins a period is sent at once. With `trailing`, the
  /// last value that came during the period is sent when that signal sends a value, and begins the next
  /// period; a completion of that signal drops it. If a value waits when the source completes, the
  /// completion waits for the end of the period; an error drops the value. (throttle in RxJS.)
  public final func throttleWhen<Other>(
    leading: Bool = true, trailing: Bool = false,
    _ period: @escaping (Value) throws(ClosureError) -> Signal<Other>
  ) -> Signal<Value> {
    paced(.throttle(leading: leading, trailing: trailing), period)
  }

  /// A value begins a period, which ends when the signal that `period` returns for it sends a value.
  /// Then the last value that came is sent. A completion waits for it; an error drops it. (audit in
  /// RxJS.)
  public final func auditWhen<Other>(
    _ period: @escaping (Value) throws(ClosureError) -> Signal<Other>
  ) -> Signal<Value> {
    paced(.audit, period)
  }

  /// Fails with `.timedOut` when `first` sends a value before the source has sent one, or the signal
  /// that `period` returns for a value sends one before the next value comes. With a `fallback`,
  /// continues with that instead, without a limit. (timeout with a mapper in ReactiveX.)
  public final func timeoutWhen<Other>(
    first: Signal<Other>? = nil, fallback: Signal<Value>? = nil,
    _ period: @escaping (Value) throws(ClosureError) -> Signal<Other>
  ) -> Signal<Value> {
    paced(.timeout, first: first, fallback: fallback, period)
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

  /// `first` and `fallback` are for a timeout.
  package final func paced<Other>(
    _ pacing: Pacing, first: Signal<Other>? = nil, fallback: Signal<Value>? = nil,
    _ period: @escaping (Value) throws(ClosureError) -> Signal<Other>
  ) -> Signal<Value> {
    var others: ReferenceArray<AnySignal> = []
    if let first { others.append(first) }
    if let fallback { others.append(fallback) }
    return JunctionSignal(pacing.operatorName, below: self, with: others.array) {
      PacedJunction($0, self, pacing, first, fallback, at: $1, period)
    }
  }
}

/// The purpose of the period that a value begins.
package enum Pacing {
  /// The value is sent at its end, unless another value begins a period before.
  case debounce
  /// The first value of a period is sent if `leading`, and the last one at its end if `trailing`.
  case throttle(leading: Bool, trailing: Bool)
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

  /// Whether a value that begins a period is sent at once.
  fileprivate var sendsFirst: Bool {
    switch self {
    case .debounce, .audit: false
    case .throttle(let leading, _): leading
    case .timeout: true
    }
  }

  /// Whether a value that begins a period, or comes during it, waits for its end.
  fileprivate var keepsLast: Bool {
    switch self {
    case .debounce, .audit: true
    case .throttle(_, let trailing): trailing
    case .timeout: false
    }
  }

  /// Whether a value that comes during a period begins another.
  fileprivate var restarts: Bool {
    switch self {
    case .debounce, .timeout: true
    case .throttle, .audit: false
    }
  }
}

/// Subscribes to a signal made of a value, whose first value ends the period.
private final class PacedJunction<Value, Other>: Junction<Value>, @unchecked Sendable {
  private var source: Signal<Value>?
  private let pacing: Pacing
  private var first: Signal<Other>?
  private var fallback: Signal<Value>?
  private let period: (Value) throws(ClosureError) -> Signal<Other>
  private var latest = KeptValue<Value>()
  /// Counts the periods. A period that is not the last one has no effect any more.
  private var count = 0
  /// Whether the last period is being started, or has not ended.
  private var isRunning = false
  private var input: Input<Other>?
  private var sourceInput: Input<Value>?
  /// Whether the source has completed while a value waits.
  private var isSourceOver = false
  /// Whether the fallback has taken the source's place.
  private var isReplaced = false

  init(
    _ downstream: Sink<Value>, _ source: Signal<Value>, _ pacing: Pacing, _ first: Signal<Other>?,
    _ fallback: Signal<Value>?, at home: Home,
    _ period: @escaping (Value) throws(ClosureError) -> Signal<Other>
  ) {
    self.source = source
    self.pacing = pacing
    self.first = first
    self.fallback = fallback
    self.period = period
    super.init(downstream, at: home)
  }

  override func start() {
    // Drop the source now: subscribers must not retain a subject, whose last release interrupts.
    guard let source = self.source.take() else { return }
    let sourceInput = connect(source, next: { self.handle($0) }, end: { self.sourceEnded($0) })
    if isClosed { return }
    if isReplaced { return sourceInput.dispose() }
    self.sourceInput = sourceInput
    if let first = self.first.take(), count == 0 {
      isRunning = true
      wait(for: first.take(1), count)
    }
  }

  private func handle(_ value: Value) {
    if isReplaced { return }
    if isRunning && !pacing.restarts {
      if pacing.keepsLast { latest.put(value) }
      return
    }
    let number = newPeriod()
    // The end of the last period may have ended the subscription, or sent a later value.
    if isClosed { return }
    if pacing.sendsFirst {
      send(value)
    } else if pacing.keepsLast && number == count {
      latest.put(value)
    }
    begin(value, number)
  }

  /// Ends the last period without effect. Answers the number of the next one.
  private func newPeriod() -> Int {
    count += 1
    isRunning = true
    let number = count
    let old = input
    input = nil
    // May bring another value.
    old?.dispose()
    return number
  }

  /// Starts the period with the given number, unless a value that came from inside has begun another.
  private func begin(_ value: Value, _ number: Int) {
    if isClosed || number != count { return }
    do throws(ClosureError) {
      let signal = try period(value).take(1)
      if isClosed || number != count { return }
      wait(for: signal, number)
    } catch {
      send(end: .failed(.carrying(error)))
    }
  }

  private func wait(for signal: Signal<Other>, _ number: Int) {
    let input = connect(
      signal, next: { _ in if number == self.count { self.periodEnded(byValue: true) } },
      end: {
        if number != self.count { return }
        if case .failed = $0 { return self.send(end: $0) }
        if self.isRunning { self.periodEnded(byValue: false) }
      })
    if number == count && isRunning && !isClosed { self.input = input } else { input.dispose() }
  }

  private func periodEnded(byValue: Bool) {
    isRunning = false
    input = nil
    switch pacing {
    case .debounce, .audit: if byValue { sendLatest() }
    case .throttle:
      if !byValue {
        latest.clear()
      } else if isSourceOver {
        sendLatest()
      } else if let value = latest.take() {
        // First, because a value that is sent from inside belongs to the new period.
        let number = newPeriod()
        send(value)
        begin(value, number)
        return discard(value)
      }
    case .timeout: if byValue { return timedOut() }
    }
    // Unless a value from inside has begun another period, and the source's end waits for that.
    if isSourceOver && !isRunning { send(end: .completed) }
  }

  private func timedOut() {
    guard let fallback = self.fallback.take() else { return send(end: .failed(Failure(.timedOut))) }
    isReplaced = true
    count += 1
    let late = sourceInput
    sourceInput = nil
    late?.dispose()
    connect(fallback, next: { self.send($0) }, end: { self.send(end: $0) })
  }

  private func sendLatest() {
    guard let value = latest.take() else { return }
    send(value)
    discard(value)
  }

  private func sourceEnded(_ end: End) {
    if isReplaced { return }
    if case .completed = end, !pacing.restarts && isRunning && !latest.isEmpty {
      isSourceOver = true
      return
    }
    // The last value and the end may have to wait until a delivery is over. No period has an effect meanwhile.
    count += 1
    if case .completed = end, case .debounce = pacing { sendLatest() }
    send(end: end)
  }

  override func tearDown() {
    source = nil
    first = nil
    fallback = nil
    input = nil
    sourceInput = nil
    latest.clear()
  }
}
