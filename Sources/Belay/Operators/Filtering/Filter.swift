extension Signal {
  /// Passes only the values for which `isIncluded` returns true. An error that it throws ends the
  /// signal.
  public final func filter(
    _ isIncluded: @escaping (Value) throws(ClosureError) -> Bool
  ) -> Signal<Value> {
    filter(as: "filter", isIncluded)
  }

  /// The same under another operator's name.
  final func filter(
    as operatorName: StaticString, _ isIncluded: @escaping (Value) throws(ClosureError) -> Bool
  ) -> Signal<Value> {
    lift(operatorName) { FilterStage($0, isIncluded) }
  }
}

/// Passes the values for which its closure returns true.
private final class FilterStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let isIncluded: (Value) throws(ClosureError) -> Bool

  init(_ downstream: Sink<Value>, _ isIncluded: @escaping (Value) throws(ClosureError) -> Bool) {
    self.isIncluded = isIncluded
    super.init(downstream)
  }

  override func next(_ value: Value) {
    do throws(ClosureError) {
      if try isIncluded(value) { pass(value) }
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }
}
