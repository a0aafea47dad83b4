extension Signal {
  /// Sends one value, then completes: whether this signal and `other` send equal values in the same
  /// order, and both complete. Sends false as soon as two values differ, or one signal sends more
  /// values than the other, which has completed. Ends with the first error, also one that
  /// `areEqual` throws.
  ///
  /// Values of the faster signal wait for the other one, 1024 of them unless `setQueue` says
  /// otherwise; then this ends with `.again`.
  public final func sequenceEqual(
    _ other: Signal<Value>, by areEqual: @escaping (Value, Value) throws(ClosureError) -> Bool
  ) -> Signal<Bool> {
    sequenceEqual(other, by: areEqual) { $0 }
  }

  package final func sequenceEqual<Output>(
    _ other: Signal<Value>, by areEqual: @escaping (Value, Value) throws(ClosureError) -> Bool,
    _ answer: @escaping (Bool) -> Output
  ) -> Signal<Output> {
    JunctionSignal("sequence_equal", below: self, with: [other]) {
      SequenceEqualJunction($0, Port.all([self, other]), at: $1, areEqual, answer)
    }
  }
}

extension Signal where Value: Equatable {
  /// Sends whether this signal and `other` send the same values in the same order, and both
  /// complete.
  public final func sequenceEqual(_ other: Signal<Value>) -> Signal<Bool> {
    sequenceEqual(other) { (one, two) throws(ClosureError) -> Bool in one == two }
  }
}

/// Compares the inputs value by value. The values of the faster input wait in its queue.
private final class SequenceEqualJunction<Value, Output>: IndexedJunction<Value, Output>,
  @unchecked Sendable
{
  private let areEqual: (Value, Value) throws(ClosureError) -> Bool
  private let answer: (Bool) -> Output
  private var first = FIFO<Value>()
  private var second = FIFO<Value>()
  private var ends: (End?, End?) = (nil, nil)

  init(
    _ downstream: Sink<Output>, _ ports: [Port<Value, Output>], at home: Home,
    _ areEqual: @escaping (Value, Value) throws(ClosureError) -> Bool,
    _ answer: @escaping (Bool) -> Output
  ) {
    self.areEqual = areEqual
    self.answer = answer
    super.init(downstream, ports, at: home)
  }

  override func handle(_ value: Value, at index: Int) {
    keep(value)
    if index == 0 { first.append(value) } else { second.append(value) }
    if !first.isEmpty && !second.isEmpty {
      let (one, two) = (first.removeFirst(), second.removeFirst())
      compare(one, two)
      discard(one)
      discard(two)
    } else if limit.refuses(after: first.count + second.count - 1) {
      pass(end: limit.refusal)
    }
    conclude()
  }

  override func handle(_ end: End, at index: Int) {
    if case .failed = end { return pass(end: end) }
    if index == 0 { ends.0 = end } else { ends.1 = end }
    conclude()
  }

  private func compare(_ one: Value, _ two: Value) {
    do throws(ClosureError) {
      if try !areEqual(one, two) { tell(false) }
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }

  /// Answers if the ends decide it. At most one queue has values.
  private func conclude() {
    if isClosed { return }
    switch (ends.0, ends.1) {
    case (.interrupted?, _) where first.isEmpty: pass(end: .interrupted)
    case (_, .interrupted?) where second.isEmpty: pass(end: .interrupted)
    case (.completed?, _) where first.isEmpty && !second.isEmpty: tell(false)
    case (_, .completed?) where second.isEmpty && !first.isEmpty: tell(false)
    case (.completed?, .completed?): tell(true)
    default: break
    }
  }

  private func tell(_ isEqual: Bool) {
    if isClosed { return }
    let output = answer(isEqual)
    pass(output)
    discard(output)
    pass(end: .completed)
  }

  override func empty() {
    first.discardAll()
    second.discardAll()
  }
}
