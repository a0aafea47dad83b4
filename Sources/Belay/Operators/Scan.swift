extension Signal {
  /// Sends `step(accumulated, value)` for each value, beginning with `seed`, which itself is not
  /// sent. What `step` throws ends the signal.
  public final func scan<Output>(
    _ seed: Output, _ step: @escaping (Output, Value) throws(Failure) -> Output
  ) -> Signal<Output> {
    scan(Kept(taking: seed), step)
  }

  package final func scan<Output>(
    _ seed: Kept<Output>, _ step: @escaping (Output, Value) throws(Failure) -> Output
  ) -> Signal<Output> {
    lift("scan") { ScanStage($0, seed, step) }
  }
}

private final class ScanStage<Input, Output>: Stage<Input, Output>, @unchecked Sendable {
  private var accumulated: Kept<Output>?
  private let step: (Output, Input) throws(Failure) -> Output

  init(
    _ downstream: Sink<Output>, _ seed: Kept<Output>,
    _ step: @escaping (Output, Input) throws(Failure) -> Output
  ) {
    accumulated = seed
    self.step = step
    super.init(downstream)
  }

  override func next(_ value: Input) {
    guard let before = accumulated else { return }
    do throws(Failure) {
      let after = Kept(taking: try step(before.value, value))
      // The step may have ended the subscription.
      if isDisposed { return }
      accumulated = after
      downstream.next(after.value)
    } catch {
      downstream.end(.failed(error))
    }
  }

  override func tearDown() { accumulated = nil }
}
