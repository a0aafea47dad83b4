extension Signal {
  /// Sends `step(accumulated, value)` for each value, beginning with `seed`, which itself is not
  /// sent. An error that `step` throws ends the signal.
  public final func scan<Output>(
    _ seed: Output, _ step: @escaping (Output, Value) throws(ClosureError) -> Output
  ) -> Signal<Output> {
    scan(Kept(taking: seed), step)
  }

  package final func scan<Output>(
    _ seed: Kept<Output>, _ step: @escaping (Output, Value) throws(ClosureError) -> Output
  ) -> Signal<Output> {
    lift("scan") { FoldStage($0, seed, sendsEach: true, step) }
  }
}

/// The stage of scan and reduce: combines the values so far with each new one.
final class FoldStage<Input, Output>: Stage<Input, Output>, @unchecked Sendable {
  private var accumulated: Output?
  /// Whether each result is sent, or only the last one, at the completion.
  private let sendsEach: Bool
  private let step: (Output, Input) throws(ClosureError) -> Output

  init(
    _ downstream: Sink<Output>, _ seed: Kept<Output>, sendsEach: Bool,
    _ step: @escaping (Output, Input) throws(ClosureError) -> Output
  ) {
    keep(seed.value)
    accumulated = seed.value
    self.sendsEach = sendsEach
    self.step = step
    super.init(downstream)
  }

  // A start that fails does not tear the stage down, which holds the seed from the beginning.
  deinit { if let accumulated { discard(accumulated) } }

  override func next(_ value: Input) {
    guard let before = accumulated else { return }
    keep(before)
    defer { discard(before) }
    do throws(ClosureError) {
      let after = try step(before, value)
      // `step` may have ended the subscription, or caused another value, whose result is replaced.
      guard let replaced = accumulated else { return discard(after) }
      accumulated = after
      discard(replaced)
      if !sendsEach { return }
      // Kept, because a send from inside may replace `accumulated`.
      keep(after)
      pass(after)
      discard(after)
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }

  override func end(_ end: End) {
    guard !sendsEach, case .completed = end, let result = accumulated else {
      return pass(end: end)
    }
    accumulated = nil
    pass(last: result)
    discard(result)
  }

  override func tearDown() {
    guard let last = accumulated else { return }
    accumulated = nil
    discard(last)
  }
}
