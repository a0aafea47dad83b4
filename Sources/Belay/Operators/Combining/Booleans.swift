extension Signal where Value == Bool {
  /// Sends whether the latest values of all `signals` are true, each time that one of them sends,
  /// once all have sent.
  public static func and(_ signals: [Signal<Bool>]) -> Signal<Bool> {
    let count = signals.count
    return combineLatest("and", signals) { (values) throws(ClosureError) -> Bool in
      UnsafeBufferPointer(start: values, count: count).allSatisfy { $0 }
    }
  }

  /// Sends whether the latest value of any of `signals` is true, each time that one of them sends,
  /// once all have sent.
  public static func or(_ signals: [Signal<Bool>]) -> Signal<Bool> {
    let count = signals.count
    return combineLatest("or", signals) { (values) throws(ClosureError) -> Bool in
      UnsafeBufferPointer(start: values, count: count).contains(true)
    }
  }

  /// Sends whether this signal and all `others` are true.
  public final func and(_ others: Signal<Bool>...) -> Signal<Bool> { .and([self] + others) }

  /// Sends whether this signal or one of `others` is true.
  public final func or(_ others: Signal<Bool>...) -> Signal<Bool> { .or([self] + others) }

  /// Sends the opposite of each value. (negate, toggle in other libraries.)
  public final func not() -> Signal<Bool> {
    map(as: "not") { (value) throws(ClosureError) -> Bool in !value }
  }
}
