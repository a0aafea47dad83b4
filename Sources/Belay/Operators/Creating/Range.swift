extension Signal where Value: FixedWidthInteger {
  /// Sends `count` numbers from `start` on, then completes. It sends fewer if the type has no more
  /// numbers.
  public static func range(_ start: Value, count: Int) -> Signal<Value> {
    PullSignal("range", isBatch: true) {
      var left = count
      var next: Value? = start
      return { () throws(ClosureError) -> Value? in
        guard left > 0, let value = next else { return nil }
        left -= 1
        let (sum, overflow) = value.addingReportingOverflow(1)
        next = overflow ? nil : sum
        return value
      }
    }
  }
}

extension Signal {
  /// Sends the numbers as `convert` makes values of them. `last` must not be less than `first`.
  package static func range(
    from first: Int64, through last: Int64, convert: @escaping (Int64) -> Value
  ) -> Signal<Value> {
    PullSignal("range", isBatch: true) {
      var next: Int64? = first
      return { () throws(ClosureError) -> Value? in
        guard let number = next else { return nil }
        next = number == last ? nil : number + 1
        return convert(number)
      }
    }
  }

  /// Sends the value `count` times, then completes; without a `count`, until it is disposed of.
  /// (repeatElement in other libraries.)
  public static func repeatValue(_ value: Value, count: Int? = nil) -> Signal<Value> {
    repeatValue(Kept(taking: value), count: count)
  }

  package static func repeatValue(_ kept: Kept<Value>, count: Int?) -> Signal<Value> {
    PullSignal("repeat_value", isBatch: true) {
      var left = count ?? 1
      return { () throws(ClosureError) -> Value? in
        if left <= 0 { return nil }
        if count != nil { left -= 1 }
        keep(kept.value)
        return kept.value
      }
    }
  }
}
