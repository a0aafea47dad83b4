extension Signal {
  /// While the latest value of `condition` is true, holds the latest value back, and sends it when
  /// the condition becomes false. Before the condition's first value, all values pass. Ends with
  /// the source, without sending a value that waits, or with an error of the condition. The
  /// condition's completion has no effect. (ReactiveSwift's throttle(while:).)
  public final func throttle(while condition: Signal<Bool>) -> Signal<Value> {
    throttle(while: condition) { $0 }
  }

  package final func throttle<Other>(
    while condition: Signal<Other>, _ isTrue: @escaping (Other) throws(ClosureError) -> Bool
  ) -> Signal<Value> {
    let source = self
    return JunctionSignal("throttle_while", below: source, with: [condition]) {
      ThrottleWhileJunction($0, source, condition, isTrue, at: $1)
    }
  }
}

/// Keeps the latest value of the source while the condition is true.
private final class ThrottleWhileJunction<Value, Other>: Junction<Value>, @unchecked Sendable {
  private var signals: (Signal<Value>, Signal<Other>)?
  private let isTrue: (Other) throws(ClosureError) -> Bool
  private var isThrottling = false
  private var latest = KeptValue<Value>()

  init(
    _ downstream: Sink<Value>, _ source: Signal<Value>, _ condition: Signal<Other>,
    _ isTrue: @escaping (Other) throws(ClosureError) -> Bool, at home: Home
  ) {
    signals = (source, condition)
    self.isTrue = isTrue
    super.init(downstream, at: home)
  }

  override func start() {
    guard let (source, condition) = signals else { return }
    signals = nil
    connect(condition, next: { self.conditionChanged($0) }, end: { self.conditionEnded($0) })
    if isClosed { return }
    connect(source, next: { self.pass($0) }, end: { self.send(end: $0) })
  }

  private func pass(_ value: Value) { if isThrottling { latest.put(value) } else { send(value) } }

  private func conditionChanged(_ value: Other) {
    do throws(ClosureError) {
      isThrottling = try isTrue(value)
    } catch {
      return send(end: .failed(.carrying(error)))
    }
    guard !isThrottling, let value = latest.take() else { return }
    send(value)
    discard(value)
  }

  private func conditionEnded(_ end: End) {
    switch end {
    case .completed: break
    case .failed: send(end: end)
    // If values are held back now, they will be for ever.
    case .interrupted: if isThrottling { send(end: end) }
    }
  }

  override func tearDown() {
    signals = nil
    latest.clear()
  }
}
