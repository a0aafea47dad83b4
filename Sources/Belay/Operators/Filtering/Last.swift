extension Signal {
  /// Sends the last value, or the last one for which `isWanted` returns true, when the source has
  /// completed. Without such a value, fails with `.notFound`.
  public final func last(
    where isWanted: ((Value) throws(ClosureError) -> Bool)? = nil
  ) -> Signal<Value> {
    lift("last") { LastStage($0, isAlone: false, isWanted) }
  }

  /// Sends the only value, or the only one for which `isWanted` returns true, when the source has
  /// completed. Without such a value, fails with `.notFound`; with a second one, fails with
  /// `.range` at once.
  public final func single(
    where isWanted: ((Value) throws(ClosureError) -> Bool)? = nil
  ) -> Signal<Value> {
    lift("single") { LastStage($0, isAlone: true, isWanted) }
  }
}

/// Keeps the last wanted value until the completion.
private final class LastStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private var last = KeptValue<Value>()
  private let isAlone: Bool
  private let isWanted: ((Value) throws(ClosureError) -> Bool)?

  init(
    _ downstream: Sink<Value>, isAlone: Bool, _ isWanted: ((Value) throws(ClosureError) -> Bool)?
  ) {
    self.isAlone = isAlone
    self.isWanted = isWanted
    super.init(downstream)
  }

  override func next(_ value: Value) {
    do throws(ClosureError) {
      if let isWanted {
        if try !isWanted(value) || isDisposed { return }
      }
      if isAlone && !last.isEmpty {
        return pass(end: .failed(Failure(.range, message: "more than one value")))
      }
      last.put(value)
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }

  override func end(_ end: End) {
    guard case .completed = end else { return pass(end: end) }
    guard let value = last.take() else { return pass(end: .failed(Failure(.notFound))) }
    pass(last: value)
    discard(value)
  }

  override func tearDown() { last.clear() }
}
