extension Signal {
  /// What `combine` makes of the first values of all `signals`, then of the second, and so on.
  /// Completes as soon as a signal that has completed has no value left that waits; ends with the
  /// first error and with what `combine` throws.
  ///
  /// What is ahead waits for the others, without a bound: as many values as the fastest signal
  /// leads the slowest.
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

  /// The same of two signals of any types.
  public static func zip<First, Second>(
    _ first: Signal<First>, _ second: Signal<Second>,
    _ combine: @escaping (First, Second) throws(Failure) -> Value
  ) -> Signal<Value> {
    typealias Element = OneOf<First, Second, Never>
    return JunctionSignal("zip", below: { first.name }) {
      ZipJunction<Element, Value>(
        $0, [Port(first, at: 0) { .first($0) }, Port(second, at: 1) { .second($0) }], count: 2,
        at: $1
      ) { (values) throws(Failure) -> Value in try combine(values[0].first, values[1].second) }
    }
  }

  /// The same of three signals of any types.
  public static func zip<First, Second, Third>(
    _ first: Signal<First>, _ second: Signal<Second>, _ third: Signal<Third>,
    _ combine: @escaping (First, Second, Third) throws(Failure) -> Value
  ) -> Signal<Value> {
    typealias Element = OneOf<First, Second, Third>
    return JunctionSignal("zip", below: { first.name }) {
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

  /// The first values of all `signals` as an array, then the second ones, and so on.
  public static func zip<Element>(_ signals: [Signal<Element>]) -> Signal<Value>
  where Value == [Element] {
    zip(signals) { (values) throws(Failure) -> [Element] in values }
  }

  /// The values of this signal and another in pairs. (zipWith: elsewhere.)
  public final func zip<Second>(_ second: Signal<Second>) -> Signal<(Value, Second)> {
    Signal<(Value, Second)>.zip(self, second) { (one, two) throws(Failure) -> (Value, Second) in
      (one, two)
    }
  }

  /// The values of this signal and two others in threes.
  public final func zip<Second, Third>(
    _ second: Signal<Second>, _ third: Signal<Third>
  ) -> Signal<(Value, Second, Third)> {
    Signal<(Value, Second, Third)>.zip(self, second, third) {
      (one, two, three) throws(Failure) -> (Value, Second, Third) in (one, two, three)
    }
  }

  /// `combine` is lent a row of values.
  package static func zip<Element>(
    _ signals: [Signal<Element>],
    lending combine: @escaping (UnsafeMutablePointer<Element>) throws(Failure) -> Value
  ) -> Signal<Value> {
    JunctionSignal("zip", below: { signals.first?.name ?? "" }) {
      ZipJunction($0, Port.all(signals), count: signals.count, at: $1, combine)
    }
  }
}

private final class ZipJunction<Element, Output>: PlacedJunction<Element, Output>,
  @unchecked Sendable
{
  private let count: Int
  private let queues: UnsafeMutablePointer<ValueQueue<Element>>
  private let ends: UnsafeMutablePointer<End?>
  private let row: UnsafeMutablePointer<Element>
  private let combine: (UnsafeMutablePointer<Element>) throws(Failure) -> Output
  /// How many queues have a value.
  private var ready = 0
  private var hasEnds = false

  init(
    _ downstream: Sink<Output>, _ ports: [Port<Element, Output>], count: Int, at home: Home,
    _ combine: @escaping (UnsafeMutablePointer<Element>) throws(Failure) -> Output
  ) {
    self.count = count
    queues = .allocate(capacity: count)
    queues.initialize(repeating: ValueQueue(), count: count)
    ends = .allocate(capacity: count)
    ends.initialize(repeating: nil, count: count)
    row = .allocate(capacity: count)
    self.combine = combine
    super.init(downstream, ports, at: home)
  }

  @_optimize(speed)
  override func take(_ value: Element, at place: Int) {
    queues[place].append(value)
    if queues[place].count > 1 { return }
    ready &+= 1
    if ready < count { return }
    for place in 0..<count {
      (row + place).initialize(to: queues[place].removeFirst())
      if queues[place].isEmpty { ready &-= 1 }
    }
    pass { () throws(Failure) -> Output in try combine(row) }
    for place in 0..<count { discard(row[place]) }
    row.deinitialize(count: count)
    if hasEnds && !isClosed { endIfExhausted() }
  }

  override func take(_ end: End, at place: Int) {
    if case .failed = end { return downstream.end(end) }
    ends[place] = end
    hasEnds = true
    endIfExhausted()
  }

  /// Ends when an input that has ended has nothing that waits.
  private func endIfExhausted() {
    var result: End?
    for place in 0..<count where queues[place].isEmpty {
      guard let end = ends[place] else { continue }
      if case .interrupted = end { result = end } else if case .none = result { result = end }
    }
    if let result { downstream.end(result) }
  }

  override func empty() {
    for place in 0..<count { queues[place].deallocate() }
    queues.deinitialize(count: count)
    queues.deallocate()
    ends.deinitialize(count: count)
    ends.deallocate()
    row.deallocate()
  }
}
