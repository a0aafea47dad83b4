extension Signal {
  /// Sends the result of `combine` for each value of this signal and the latest one of `other`.
  /// Values that come before `other` has sent are dropped. Ends with this signal, or with an error:
  /// of either signal, or one that `combine` throws. (withLatest in other libraries.)
  public final func withLatestFrom<Other, Output>(
    _ other: Signal<Other>, _ combine: @escaping (Value, Other) throws(ClosureError) -> Output
  ) -> Signal<Output> {
    typealias Element = OneOf<Value, Other, Never>
    return JunctionSignal("with_latest_from", below: self, with: [other]) {
      WithLatestFromJunction<Element, Output>(
        $0, [Port(other, at: 1) { .second($0) }, Port(self, at: 0) { .first($0) }], at: $1
      ) { (values) throws(ClosureError) -> Output in try combine(values[0].first, values[1].second)
      }
    }
  }

  /// The same with two others.
  public final func withLatestFrom<Second, Third, Output>(
    _ second: Signal<Second>, _ third: Signal<Third>,
    _ combine: @escaping (Value, Second, Third) throws(ClosureError) -> Output
  ) -> Signal<Output> {
    typealias Element = OneOf<Value, Second, Third>
    return JunctionSignal("with_latest_from", below: self, with: [second, third]) {
      WithLatestFromJunction<Element, Output>(
        $0,
        [
          Port(second, at: 1) { .second($0) }, Port(third, at: 2) { .third($0) },
          Port(self, at: 0) { .first($0) },
        ], at: $1
      ) { (values) throws(ClosureError) -> Output in
        try combine(values[0].first, values[1].second, values[2].third)
      }
    }
  }

  /// Sends each value of this signal with the latest one of `other`.
  public final func withLatestFrom<Other>(_ other: Signal<Other>) -> Signal<(Value, Other)> {
    withLatestFrom(other) { (one, two) throws(ClosureError) -> (Value, Other) in (one, two) }
  }

  /// Sends each value of this signal with the latest ones of two others.
  public final func withLatestFrom<Second, Third>(
    _ second: Signal<Second>, _ third: Signal<Third>
  ) -> Signal<(Value, Second, Third)> {
    withLatestFrom(second, third) {
      (one, two, three) throws(ClosureError) -> (Value, Second, Third) in (one, two, three)
    }
  }

  /// The same with any number of others. `combine` gets this signal's value, then theirs.
  public final func withLatestFrom<Output>(
    _ others: [Signal<Value>], _ combine: @escaping ([Value]) throws(ClosureError) -> Output
  ) -> Signal<Output> {
    let count = others.count + 1
    return withLatestFrom(
      others,
      lending: { (values) throws(ClosureError) -> Output in
        try combine(Array(UnsafeBufferPointer(start: values, count: count)))
      })
  }

  /// `combine` borrows the values in the memory where they are stored.
  package final func withLatestFrom<Output>(
    _ others: [Signal<Value>],
    lending combine: @escaping (UnsafeMutablePointer<Value>) throws(ClosureError) -> Output
  ) -> Signal<Output> {
    JunctionSignal("with_latest_from", below: self, with: AnySignal.all(others)) { sink, home in
      var ports: [Port<Value, Output>] = []
      for other in others { ports.append(Port(other, at: ports.count + 1)) }
      ports.append(Port(self, at: 0))
      return WithLatestFromJunction(sink, ports, at: home, combine)
    }
  }
}

/// Index 0 is the source's, which is connected last.
private final class WithLatestFromJunction<Element, Output>: IndexedJunction<Element, Output>,
  @unchecked Sendable
{
  private var latest: LatestValues<Element>
  private let combine: (UnsafeMutablePointer<Element>) throws(ClosureError) -> Output

  init(
    _ downstream: Sink<Output>, _ ports: [Port<Element, Output>], at home: Home,
    _ combine: @escaping (UnsafeMutablePointer<Element>) throws(ClosureError) -> Output
  ) {
    latest = LatestValues(count: ports.count)
    self.combine = combine
    super.init(downstream, ports, at: home)
  }

  override func handle(_ value: Element, at index: Int) {
    if index > 0 { return latest.store(value, at: index) }
    if latest.missing > (latest.has(0) ? 0 : 1) { return }
    latest.store(value, at: 0)
    pass { () throws(ClosureError) -> Output in try combine(latest.values) }
  }

  override func handle(_ end: End, at index: Int) {
    switch end {
    case .failed: pass(end: end)
    case .completed: if index == 0 { pass(end: end) }
    // Without a value of that input, no value of the source can be sent.
    case .interrupted: if index == 0 || !latest.has(index) { pass(end: end) }
    }
  }

  override func empty() { latest.deallocate() }
}
