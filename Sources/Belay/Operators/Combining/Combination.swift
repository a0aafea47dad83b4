/// Which values of its inputs a junction combines.
enum Combination {
  /// The latest of each input.
  case latest
  /// The first of each input, then the second, and so on.
  case inOrder
}

extension Signal {
  /// The signal of combine_latest and zip. `combine` borrows the values in the memory where they are
  /// stored.
  static func combined<Element>(
    _ combination: Combination, _ operatorName: StaticString, _ signals: [AnySignal],
    _ ports: [Port<Element, Value>],
    lending combine: @escaping (UnsafeMutablePointer<Element>) throws(ClosureError) -> Value
  ) -> Signal<Value> {
    JunctionSignal(operatorName, beside: signals) {
      switch combination {
      case .latest: CombineLatestJunction($0, ports, at: $1, combine)
      case .inOrder: ZipJunction($0, ports, at: $1, combine)
      }
    }
  }

  /// The same for any number of signals of one type.
  static func combined<Element>(
    _ combination: Combination, _ operatorName: StaticString, _ signals: [Signal<Element>],
    _ combine: @escaping ([Element]) throws(ClosureError) -> Value
  ) -> Signal<Value> {
    let count = signals.count
    return combined(combination, operatorName, AnySignal.all(signals), Port.all(signals)) {
      (values) throws(ClosureError) -> Value in
      try combine(Array(UnsafeBufferPointer(start: values, count: count)))
    }
  }

  /// The same for two signals of any types.
  static func combined<First, Second>(
    _ combination: Combination, _ operatorName: StaticString,
    _ first: Signal<First>, _ second: Signal<Second>,
    _ combine: @escaping (First, Second) throws(ClosureError) -> Value
  ) -> Signal<Value> {
    let ports: [Port<OneOf<First, Second, Never>, Value>] = [
      Port(first, at: 0) { .first($0) }, Port(second, at: 1) { .second($0) },
    ]
    return combined(combination, operatorName, [first, second], ports) {
      (values) throws(ClosureError) -> Value in try combine(values[0].first, values[1].second)
    }
  }

  /// The same for three signals of any types.
  static func combined<First, Second, Third>(
    _ combination: Combination, _ operatorName: StaticString,
    _ first: Signal<First>, _ second: Signal<Second>, _ third: Signal<Third>,
    _ combine: @escaping (First, Second, Third) throws(ClosureError) -> Value
  ) -> Signal<Value> {
    let ports: [Port<OneOf<First, Second, Third>, Value>] = [
      Port(first, at: 0) { .first($0) }, Port(second, at: 1) { .second($0) },
      Port(third, at: 2) { .third($0) },
    ]
    return combined(combination, operatorName, [first, second, third], ports) {
      (values) throws(ClosureError) -> Value in
      try combine(values[0].first, values[1].second, values[2].third)
    }
  }
}

/// A value of one of several types, for a junction whose inputs have different types.
enum OneOf<First, Second, Third> {
  case first(First)
  case second(Second)
  case third(Third)

  // Each index has values of one type only, so the other cases cannot occur.
  var first: First {
    if case .first(let value) = self { return value }
    return Optional<First>.none.unsafelyUnwrapped
  }
  var second: Second {
    if case .second(let value) = self { return value }
    return Optional<Second>.none.unsafelyUnwrapped
  }
  var third: Third {
    if case .third(let value) = self { return value }
    return Optional<Third>.none.unsafelyUnwrapped
  }
}
