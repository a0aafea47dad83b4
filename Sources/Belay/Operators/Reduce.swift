extension Signal {
  /// At completion sends what `step` has made of all values, beginning with `seed`: of none the seed
  /// itself. What `step` throws ends the signal. (aggregate, accumulate elsewhere.)
  public final func reduce<Output>(
    _ seed: Output, _ step: @escaping (Output, Value) throws(Failure) -> Output
  ) -> Signal<Output> {
    reduce(Kept(taking: seed), step)
  }

  package final func reduce<Output>(
    _ seed: Kept<Output>, _ step: @escaping (Output, Value) throws(Failure) -> Output
  ) -> Signal<Output> {
    lift("reduce") { ReduceStage($0, seed, step) }
  }
}

private final class ReduceStage<Input, Output>: Stage<Input, Output>, @unchecked Sendable {
  private var accumulated: Output?
  private let step: (Output, Input) throws(Failure) -> Output

  init(
    _ downstream: Sink<Output>, _ seed: Kept<Output>,
    _ step: @escaping (Output, Input) throws(Failure) -> Output
  ) {
    keep(seed.value)
    accumulated = seed.value
    self.step = step
    super.init(downstream)
  }

  override func next(_ value: Input) {
    guard let before = accumulated else { return }
    keep(before)
    defer { discard(before) }
    do throws(Failure) {
      let after = try step(before, value)
      // The step may have ended the subscription.
      guard accumulated != nil else { return discard(after) }
      accumulated = after
      discard(before)
    } catch {
      downstream.end(.failed(error))
    }
  }

  override func end(_ end: End) {
    if case .completed = end, let result = accumulated {
      accumulated = nil
      downstream.next(result)
      discard(result)
    }
    if !isDisposed { downstream.end(end) }
  }

  override func tearDown() {
    guard let last = accumulated else { return }
    accumulated = nil
    discard(last)
  }
}
