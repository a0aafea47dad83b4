extension Signal {
  /// No values, only the end. (ignoreOutput, ignoreValues elsewhere.)
  public final func ignoreElements() -> Signal<Value> {
    filter(as: "ignore_elements") { _ in false }
  }

  /// Drops values that equal `unwanted`, as `areEqual` has it.
  package final func ignore(
    _ unwanted: Kept<Value>, by areEqual: @escaping (Value, Value) -> Bool
  ) -> Signal<Value> {
    filter(as: "ignore") { !areEqual($0, unwanted.value) }
  }

  /// Two signals: the values for which `isFirst` returns true, and the others. Each subscription to
  /// either subscribes to this signal, and asks by itself; what `isFirst` throws ends it.
  public final func partition(
    _ isFirst: @escaping (Value) throws(Failure) -> Bool
  ) -> (Signal<Value>, Signal<Value>) {
    let yes = filter(as: "partition", isFirst)
    let no = filter(as: "partition") { (value: Value) throws(Failure) -> Bool in
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
