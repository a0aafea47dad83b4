extension Signal {
  /// Passes values while `isTaken` returns true. At the first value for which it returns false it
  /// completes; if `inclusive`, after passing that value. An error that it throws ends the signal.
  /// (prefix(while:) in other libraries.)
  public final func takeWhile(
    inclusive: Bool = false, _ isTaken: @escaping (Value) throws(ClosureError) -> Bool
  ) -> Signal<Value> {
    lift("take_while") { TakeWhileStage($0, inclusive, isTaken) }
  }
}

/// Passes values while its closure returns true, then completes.
private final class TakeWhileStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let isInclusive: Bool
  private let isTaken: (Value) throws(ClosureError) -> Bool
  // `isTaken` is not called for values that are sent from inside the last one's delivery.
  private var isThrough = false

  init(
    _ downstream: Sink<Value>, _ isInclusive: Bool,
    _ isTaken: @escaping (Value) throws(ClosureError) -> Bool
  ) {
    self.isInclusive = isInclusive
    self.isTaken = isTaken
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if isThrough { return }
    do throws(ClosureError) {
      let passes = try isTaken(value)
      if isDisposed { return }
      if passes { return pass(value) }
      isThrough = true
      if isInclusive { pass(value) }
      pass(end: .completed)
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }
}
