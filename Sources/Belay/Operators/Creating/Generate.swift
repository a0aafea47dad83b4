extension Signal {
  /// A loop: beginning with `initial`, sends the `result` for each state, and continues with the
  /// state that `next` returns while `isIncluded` returns true. An error that a closure throws ends
  /// the signal.
  public static func generate<State>(
    _ initial: State, while isIncluded: @escaping (State) throws(ClosureError) -> Bool,
    next: @escaping (State) throws(ClosureError) -> State,
    result: @escaping (State) throws(ClosureError) -> Value
  ) -> Signal<Value> {
    generate(Kept(taking: initial), while: isIncluded, next: next, result: result)
  }

  package static func generate<State>(
    _ initial: Kept<State>, while isIncluded: @escaping (State) throws(ClosureError) -> Bool,
    next: @escaping (State) throws(ClosureError) -> State,
    result: @escaping (State) throws(ClosureError) -> Value
  ) -> Signal<Value> {
    PullSignal("generate") {
      let state = Running(initial)
      return { () throws(ClosureError) -> Value? in
        try state.advance(next)
        return try isIncluded(state.value) ? result(state.value) : nil
      }
    }
  }

  /// Sends what `next` returns, until it returns nil, which completes the signal. All subscriptions
  /// call the same closure; use `defer` for one closure each. An error that it throws ends the
  /// signal.
  public static func fromIterator(_ next: @escaping () throws(ClosureError) -> Value?) -> Signal<
    Value
  > {
    PullSignal("from_iterator") { next }
  }

  /// Sends the sequence's elements, then completes. The elements are taken one by one while the
  /// subscription lasts. Each subscription iterates anew.
  public static func from<Items: Sequence>(_ items: Items) -> Signal<Value>
  where Items.Element == Value {
    PullSignal("from") {
      var iterator = items.makeIterator()
      return { () throws(ClosureError) -> Value? in iterator.next() }
    }
  }
}

/// The state of one subscription to a `generate`.
private final class Running<State> {
  private(set) var value: State
  private var hasBegun = false

  init(_ initial: Kept<State>) {
    keep(initial.value)
    value = initial.value
  }

  deinit { discard(value) }

  func advance(_ next: (State) throws(ClosureError) -> State) throws(ClosureError) {
    guard hasBegun else {
      hasBegun = true
      return
    }
    let after = try next(value)
    discard(value)
    value = after
  }
}
