extension Signal {
  /// Sends each value but the first, with the one before it. (combinePrevious in ReactiveSwift.)
  public final func pairwise() -> Signal<(previous: Value, current: Value)> {
    pairwise { (previous: $0, current: $1) }
  }

  /// Sends each value with the one before it, and the first one with `start`.
  public final func pairwise(from start: Value) -> Signal<(previous: Value, current: Value)> {
    pairwise(from: Kept(taking: start)) { (previous: $0, current: $1) }
  }

  /// `gather` borrows both values.
  package final func pairwise<Output>(
    from start: Kept<Value>? = nil, gather: @escaping (Value, Value) -> Output
  ) -> Signal<Output> {
    lift(start == nil ? "pairwise" : "pairwise_from") { PairwiseStage($0, start, gather) }
  }
}

/// Keeps the last value, to pass it with the next one.
private final class PairwiseStage<Value, Output>: Stage<Value, Output>, @unchecked Sendable {
  private var last = KeptValue<Value>()
  private let gather: (Value, Value) -> Output

  init(
    _ downstream: Sink<Output>, _ start: Kept<Value>?, _ gather: @escaping (Value, Value) -> Output
  ) {
    self.gather = gather
    if let start { last.put(start.value) }
    super.init(downstream)
  }

  // A start that fails does not tear the stage down, which holds `start` from the beginning.
  deinit { last.clear() }

  override func next(_ value: Value) {
    let before = last.take()
    last.put(value)
    guard let before else { return }
    let output = gather(before, value)
    discard(before)
    pass(output)
    discard(output)
  }

  override func tearDown() { last.clear() }
}
