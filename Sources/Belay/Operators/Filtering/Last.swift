extension Signal {
  /// Sends the last value, or the last one for which `isWanted` returns true, when the source has
  /// completed. Without such a value, fails with `.notFound`.
  public final func last(
    where isWanted: ((Value) throws(Failure) -> Bool)? = nil
  ) -> Signal<Value> {
    lift("last") { LastStage($0, isAlone: false, isWanted) }
  }

  /// Sends the only value, or the only one for which `isWanted` returns true, when the source has
  /// completed. Without such a value, fails with `.notFound`; with a second one, fails with
  /// `.range` at once.
  public final func single(
    where isWanted: ((Value) throws(Failure) -> Bool)? = nil
  ) -> Signal<Value> {
    lift("single") { LastStage($0, isAlone: true, isWanted) }
  }
}

/// Keeps the last wanted value until the completion.
private final class LastStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private var last: Value?
  private let isAlone: Bool
  private let isWanted: ((Value) throws(Failure) -> Bool)?

  init(
    _ downstream: Sink<Value>, isAlone: Bool, _ isWanted: ((Value) throws(Failure) -> Bool)?
  ) {
    self.isAlone = isAlone
    self.isWanted = isWanted
    super.init(downstream)
  }

  override func next(_ value: Value) {
    do throws(Failure) {
      if let isWanted {
        if try !isWanted(value) || isDisposed { return }
      }
      let before = last
      if isAlone, case .some = before {
        return pass(end: .failed(Failure(.range, message: "more than one value")))
      }
      keep(value)
      last = value
      if let before { discard(before) }
    } catch {
      pass(end: .failed(error))
    }
  }

  override func end(_ end: End) {
    guard case .completed = end else { return pass(end: end) }
    guard let last else { return pass(end: .failed(Failure(.notFound))) }
    self.last = nil
    pass(last: last)
    discard(last)
  }

  override func tearDown() {
    guard let last else { return }
    self.last = nil
    discard(last)
  }
}
