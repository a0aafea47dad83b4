extension Signal {
  /// Sends each value but the first, with the one before it. (combinePrevious in ReactiveSwift.)
  public final func pairwise() -> Signal<(previous: Value, current: Value)> {
    pairwise { (previous: $0, current: $1) }
  }

  /// `gather` borrows both values.
  package final func pairwise<Output>(
    gather: @escaping (Value, Value) -> Output
  ) -> Signal<Output> {
    lift("pairwise") { PairwiseStage($0, gather) }
  }
}

/// Keeps the last value, to pass it with the next one.
private final class PairwiseStage<Value, Output>: Stage<Value, Output>, @unchecked Sendable {
  private var last: Value?
  private let gather: (Value, Value) -> Output

  init(_ downstream: Sink<Output>, _ gather: @escaping (Value, Value) -> Output) {
    self.gather = gather
    super.init(downstream)
  }

  override func next(_ value: Value) {
    let before = last
    keep(value)
    last = value
    guard let before else { return }
    let output = gather(before, value)
    discard(before)
    pass(output)
    discard(output)
  }

  override func tearDown() {
    guard let last else { return }
    self.last = nil
    discard(last)
  }
}
