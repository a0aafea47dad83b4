extension Signal {
  /// Sends the smallest value when the source has completed; the first of equal ones; nothing if
  /// there were no values. An error that `areInIncreasingOrder` throws ends the signal.
  public final func min(
    by areInIncreasingOrder: @escaping (Value, Value) throws(ClosureError) -> Bool
  ) -> Signal<Value> {
    extreme("min") { (best: Value, value: Value) throws(ClosureError) -> Bool in
      try areInIncreasingOrder(value, best)
    }
  }

  /// Sends the largest value when the source has completed; the first of equal ones; nothing if
  /// there were no values. An error that `areInIncreasingOrder` throws ends the signal.
  public final func max(
    by areInIncreasingOrder: @escaping (Value, Value) throws(ClosureError) -> Bool
  ) -> Signal<Value> {
    extreme("max", areInIncreasingOrder)
  }

  /// Sends the value that is left when a better one has always replaced the one before.
  private final func extreme(
    _ operatorName: StaticString,
    _ isWorse: @escaping (Value, Value) throws(ClosureError) -> Bool
  ) -> Signal<Value> {
    lift(operatorName) { ComparingStage($0, replacesIf: true, sendsEach: false, isWorse) }
  }
}

extension Signal where Value: Comparable {
  /// Sends the smallest value when the source has completed; nothing if there were no values.
  public final func min() -> Signal<Value> { min { $0 < $1 } }

  /// Sends the largest value when the source has completed; nothing if there were no values.
  public final func max() -> Signal<Value> { max { $0 < $1 } }
}
