extension Signal {
  /// Sends the values of one signal after the other. Each signal is subscribed to when the one
  /// before has completed.
  public static func concat(_ signals: [Signal<Value>]) -> Signal<Value> {
    concat("concat", signals, beside: AnySignal.all(signals))
  }

  /// Sends the values of this signal, then those of `others`. (append in other libraries.)
  public final func concat(_ others: Signal<Value>...) -> Signal<Value> {
    .concat([self] + others)
  }

  /// Drops the values of this signal, and sends those of `next` when it has completed. (andThen in
  /// other libraries.)
  public final func then<Output>(_ next: Signal<Output>) -> Signal<Output> {
    let first: Signal<Output> = lift("ignored") { IgnoringStage($0) }
    return .concat("then", [first, next], beside: [self, next])
  }

  private static func concat(
    _ name: StaticString, _ signals: [Signal<Value>], beside listened: [AnySignal]
  ) -> Signal<Value> {
    JunctionSignal(name, beside: listened) { ConcatJunction($0, signals, at: $1) }
  }
}

/// Runs its signals one after the other.
private final class ConcatJunction<Value>: SequentialJunction<Value>, @unchecked Sendable {
  /// The signals to come, the next one last.
  private var signals = ReferenceArray<Signal<Value>>()

  init(_ downstream: Sink<Value>, _ signals: [Signal<Value>], at home: Home) {
    super.init(downstream, at: home)
    for signal in signals.reversed() { self.signals.append(signal) }
  }

  override func start() {
    guard let first = signals.popLast() else { return downstream.deliverEnd(.completed) }
    follow(with: first)
  }

  override func following(_ end: End) -> Following<Value> {
    guard case .completed = end, let next = signals.popLast() else { return .end(end) }
    return .source(next)
  }

  override func tearDown() {
    signals = []
    super.tearDown()
  }
}

/// Drops all values, so that it can have any type of output.
private final class IgnoringStage<Input, Output>: Stage<Input, Output>, @unchecked Sendable {
  override func next(_ value: Input) {}
}
