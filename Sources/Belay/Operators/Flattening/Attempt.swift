extension Signal {
  /// Calls `action` with each value before the value is passed on. An error that it throws ends the
  /// signal. (try: in ReactiveObjC.)
  public final func attempt(
    _ action: @escaping (Value) throws(ClosureError) -> Void
  ) -> Signal<Value> {
    attempt("attempt", action)
  }

  package final func attempt(
    _ operatorName: StaticString, _ action: @escaping (Value) throws(ClosureError) -> Void
  ) -> Signal<Value> {
    filter(as: operatorName) { (value: Value) throws(ClosureError) -> Bool in
      try action(value)
      return true
    }
  }
}
