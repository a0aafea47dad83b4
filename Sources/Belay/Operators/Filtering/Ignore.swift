extension Signal {
  /// Passes no values, but only the end. (ignoreOutput, ignoreValues in other libraries.)
  public final func ignoreElements() -> Signal<Value> {
    filter(as: "ignore_elements") { _ in false }
  }

  /// Drops values for which `areEqual` says that they equal `unwanted`.
  package final func ignore(
    _ unwanted: Kept<Value>, by areEqual: @escaping (Value, Value) -> Bool
  ) -> Signal<Value> {
    filter(as: "ignore") { !areEqual($0, unwanted.value) }
  }

  /// Makes two signals: one of the values for which `isFirst` returns true, and one of the others.
  /// Each subscription to either of them subscribes to this signal and calls `isFirst` by itself.
  /// An error that it throws ends the subscription.
  public final func partition(
    _ isFirst: @escaping (Value) throws(ClosureError) -> Bool
  ) -> (Signal<Value>, Signal<Value>) {
    let yes = filter(as: "partition", isFirst)
    let no = filter(as: "partition") { (value: Value) throws(ClosureError) -> Bool in
      try !isFirst(value)
    }
    return (yes, no)
  }
}

extension Signal where Value: Equatable {
  /// Drops values that equal `unwanted`. (ignore: in ReactiveObjC.)
  public final func ignore(_ unwanted: Value) -> Signal<Value> {
    ignore(Kept(taking: unwanted)) { $0 == $1 }
  }
}
