extension Signal {
  /// Sends the result of `combine` for the latest values of all `signals`, each time that one of
  /// them sends, once all have sent. Completes with the last of them, or at once if there is none.
  /// Ends with the first error, also one that `combine` throws.
  public static func combineLatest<Element>(
    _ signals: [Signal<Element>],
    _ combine: @escaping ([Element]) throws(ClosureError) -> Value
  ) -> Signal<Value> {
    combined(.latest, "combine_latest", signals, combine)
  }

  /// The same for two signals of any types.
  public static func combineLatest<First, Second>(
    _ first: Signal<First>, _ second: Signal<Second>,
    _ combine: @escaping (First, Second) throws(ClosureError) -> Value
  ) -> Signal<Value> {
    combined(.latest, "combine_latest", first, second, combine)
  }

  /// The same for three signals of any types.
  public static func combineLatest<First, Second, Third>(
    _ first: Signal<First>, _ second: Signal<Second>, _ third: Signal<Third>,
    _ combine: @escaping (First, Second, Third) throws(ClosureError) -> Value
  ) -> Signal<Value> {
    combined(.latest, "combine_latest", first, second, third, combine)
  }

  /// Sends the latest values of all `signals` as an array.
  public static func combineLatest<Element>(_ signals: [Signal<Element>]) -> Signal<Value>
  where Value == [Element] {
    combineLatest(signals) { (values) throws(ClosureError) -> [Element] in values }
  }

  /// Sends the latest values of this signal and another one as a pair. (combineLatestWith: in
  /// ReactiveObjC.)
  public final func combineLatest<Second>(_ second: Signal<Second>) -> Signal<(Value, Second)> {
    Signal<(Value, Second)>.combineLatest(self, second) {
      (one, two) throws(ClosureError) -> (Value, Second) in (one, two)
    }
  }

  /// Sends the latest values of this signal and two others.
  public final func combineLatest<Second, Third>(
    _ second: Signal<Second>, _ third: Signal<Third>
  ) -> Signal<(Value, Second, Third)> {
    Signal<(Value, Second, Third)>.combineLatest(self, second, third) {
      (one, two, three) throws(ClosureError) -> (Value, Second, Third) in (one, two, three)
    }
  }

  /// Makes a function of signals from a function of values. Its signal sends the function's result
  /// for the latest values, each time that one of the signals sends, once all have sent.
  /// (rac_liftSelector: in ReactiveObjC.)
  public static func lift<First, Second>(
    _ function: @escaping (First, Second) throws(ClosureError) -> Value
  ) -> (Signal<First>, Signal<Second>) -> Signal<Value> {
    { combineLatest($0, $1, function) }
  }

  /// The same for a function with three arguments.
  public static func lift<First, Second, Third>(
    _ function: @escaping (First, Second, Third) throws(ClosureError) -> Value
  ) -> (Signal<First>, Signal<Second>, Signal<Third>) -> Signal<Value> {
    { combineLatest($0, $1, $2, function) }
  }

  /// `combine` borrows the values in the memory where they are stored.
  package static func combineLatest<Element>(
    _ name: StaticString, _ signals: [Signal<Element>],
    lending combine: @escaping (UnsafeMutablePointer<Element>) throws(ClosureError) -> Value
  ) -> Signal<Value> {
    combined(.latest, name, AnySignal.all(signals), Port.all(signals), lending: combine)
  }
}

/// Keeps the latest value of each input, and calls the combiner when all inputs have one.
final class CombineLatestJunction<Element, Output>: IndexedJunction<Element, Output>,
  @unchecked Sendable
{
  private var latest: LatestValues<Element>
  private let combine: (UnsafeMutablePointer<Element>) throws(ClosureError) -> Output
  private var remaining: Int
  private var isInterrupted = false
  /// Whether an input has ended without a value, so that nothing can be sent.
  private var isHopeless = false

  init(
    _ downstream: Sink<Output>, _ ports: [Port<Element, Output>], at home: Home,
    _ combine: @escaping (UnsafeMutablePointer<Element>) throws(ClosureError) -> Output
  ) {
    latest = LatestValues(count: ports.count)
    self.combine = combine
    remaining = ports.count
    super.init(downstream, ports, at: home)
  }

  @_optimize(speed)
  override func handle(_ value: Element, at index: Int) {
    latest.store(value, at: index)
    if latest.missing > 0 { return }
    pass { () throws(ClosureError) -> Output in try combine(latest.values) }
  }

  override func handle(_ end: End, at index: Int) {
    remaining -= 1
    switch end {
    case .failed: return pass(end: end)
    case .interrupted: isInterrupted = true
    case .completed: break
    }
    if !latest.has(index) { isHopeless = true }
    if isInterrupted && (remaining == 0 || isHopeless) {
      pass(end: .interrupted)
    } else if remaining == 0 {
      pass(end: .completed)
    }
  }

  override func empty() { latest.deallocate() }
}
