extension Signal {
  /// Sends the result of `combine` for the first values of all `signals`, then for the second ones,
  /// and so on. Completes as soon as a signal has completed and none of its values waits. Ends with
  /// the first error, also one that `combine` throws.
  ///
  /// Values of the faster signals wait for the others, without a bound.
  public static func zip<Element>(
    _ signals: [Signal<Element>],
    _ combine: @escaping ([Element]) throws(Failure) -> Value
  ) -> Signal<Value> {
    let count = signals.count
    return zip(
      signals,
      lending: { (values) throws(Failure) -> Value in
        try combine(Array(UnsafeBufferPointer(start: values, count: count)))
      })
  }

  /// The same for two signals of any types.
  public static func zip<First, Second>(
    _ first: Signal<First>, _ second: Signal<Second>,
    _ combine: @escaping (First, Second) throws(Failure) -> Value
  ) -> Signal<Value> {
    typealias Element = OneOf<First, Second, Never>
    return JunctionSignal("zip", beside: [first, second]) {
      ZipJunction<Element, Value>(
        $0, [Port(first, at: 0) { .first($0) }, Port(second, at: 1) { .second($0) }], count: 2,
        at: $1
      ) { (values) throws(Failure) -> Value in try combine(values[0].first, values[1].second) }
    }
  }

  /// The same for three signals of any types.
  public static func zip<First, Second, Third>(
    _ first: Signal<First>, _ second: Signal<Second>, _ third: Signal<Third>,
    _ combine: @escaping (First, Second, Third) throws(Failure) -> Value
  ) -> Signal<Value> {
    typealias Element = OneOf<First, Second, Third>
    return JunctionSignal("zip", beside: [first, second, third]) {
      ZipJunction<Element, Value>(
        $0,
        [
          Port(first, at: 0) { .first($0) }, Port(second, at: 1) { .second($0) },
          Port(third, at: 2) { .third($0) },
        ], count: 3, at: $1
      ) { (values) throws(Failure) -> Value in
        try combine(values[0].first, values[1].second, values[2].third)
      }
    }
  }

  /// Sends the first values of all `signals` as an array, then the second ones, and so on.
  public static func zip<Element>(_ signals: [Signal<Element>]) -> Signal<Value>
  where Value == [Element] {
    zip(signals) { (values) throws(Failure) -> [Element] in values }
  }

  /// Sends the values of this signal and another one in pairs. (zipWith: in ReactiveObjC.)
  public final func zip<Second>(_ second: Signal<Second>) -> Signal<(Value, Second)> {
    Signal<(Value, Second)>.zip(self, second) { (one, two) throws(Failure) -> (Value, Second) in
      (one, two)
    }
  }

  /// Sends the values of this signal and two others in triples.
  public final func zip<Second, Third>(
    _ second: Signal<Second>, _ third: Signal<Third>
  ) -> Signal<(Value, Second, Third)> {
    Signal<(Value, Second, Third)>.zip(self, second, third) {
      (one, two, three) throws(Failure) -> (Value, Second, Third) in (one, two, three)
    }
  }

  /// `combine` borrows an array of values.
  package static func zip<Element>(
    _ signals: [Signal<Element>],
    lending combine: @escaping (UnsafeMutablePointer<Element>) throws(Failure) -> Value
  ) -> Signal<Value> {
    JunctionSignal("zip", beside: AnySignal.all(signals)) {
      ZipJunction($0, Port.all(signals), count: signals.count, at: $1, combine)
    }
  }
}
