// The declarations are those of combine_latest, because the two differ in their `Combination` alone.
extension Signal {
  /// Sends the result of `combine` for the first values of all `signals`, then for the second ones,
  /// and so on. Completes as soon as a signal has completed and none of its values waits. Ends with
  /// the first error, also one that `combine` throws.
  ///
  /// Values of the faster signals wait for the others: 1024 of each signal, unless `setQueue` says
  /// otherwise. Then this ends with `.again`.
  public static func zip<Element>(
    _ signals: [Signal<Element>],
    _ combine: @escaping ([Element]) throws(ClosureError) -> Value
  ) -> Signal<Value> {
    combined(.inOrder, "zip", signals, combine)
  }

  /// The same for two signals of any types.
  public static func zip<First, Second>(
    _ first: Signal<First>, _ second: Signal<Second>,
    _ combine: @escaping (First, Second) throws(ClosureError) -> Value
  ) -> Signal<Value> {
    combined(.inOrder, "zip", first, second, combine)
  }

  /// The same for three signals of any types.
  public static func zip<First, Second, Third>(
    _ first: Signal<First>, _ second: Signal<Second>, _ third: Signal<Third>,
    _ combine: @escaping (First, Second, Third) throws(ClosureError) -> Value
  ) -> Signal<Value> {
    combined(.inOrder, "zip", first, second, third, combine)
  }

  /// Sends the first values of all `signals` as an array, then the second ones, and so on.
  public static func zip<Element>(_ signals: [Signal<Element>]) -> Signal<Value>
  where Value == [Element] {
    zip(signals) { (values) throws(ClosureError) -> [Element] in values }
  }

  /// Sends the values of this signal and another one in pairs. (zipWith: in ReactiveObjC.)
  public final func zip<Second>(_ second: Signal<Second>) -> Signal<(Value, Second)> {
    Signal<(Value, Second)>.zip(self, second) {
      (one, two) throws(ClosureError) -> (Value, Second) in
      (one, two)
    }
  }

  /// Sends the values of this signal and two others in triples.
  public final func zip<Second, Third>(
    _ second: Signal<Second>, _ third: Signal<Third>
  ) -> Signal<(Value, Second, Third)> {
    Signal<(Value, Second, Third)>.zip(self, second, third) {
      (one, two, three) throws(ClosureError) -> (Value, Second, Third) in (one, two, three)
    }
  }

  /// `combine` borrows an array of values.
  package static func zip<Element>(
    _ signals: [Signal<Element>],
    lending combine: @escaping (UnsafeMutablePointer<Element>) throws(ClosureError) -> Value
  ) -> Signal<Value> {
    combined(.inOrder, "zip", AnySignal.all(signals), Port.all(signals), lending: combine)
  }
}
