extension Signal {
  /// Drops values that equal the one before. An error that `areEqual` throws ends the signal.
  public final func distinctUntilChanged(
    by areEqual: @escaping (Value, Value) throws(ClosureError) -> Bool
  ) -> Signal<Value> {
    lift("distinct_until_changed") {
      ComparingStage($0, replacesIf: false, sendsEach: true, areEqual)
    }
  }
}

extension Signal where Value: Equatable {
  /// Drops values that equal the one before.
  public final func distinctUntilChanged() -> Signal<Value> {
    distinctUntilChanged { $0 == $1 }
  }
}

/// The stage of distinct_until_changed, min and max: keeps one value, and compares each new one with
/// it.
final class ComparingStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private var kept = KeptValue<Value>()
  /// The result of `compare` with which the new value replaces the kept one.
  private let replacesIf: Bool
  /// Whether each value that is kept is sent, or only the last one, at the completion.
  private let sendsEach: Bool
  private let compare: (Value, Value) throws(ClosureError) -> Bool

  init(
    _ downstream: Sink<Value>, replacesIf: Bool, sendsEach: Bool,
    _ compare: @escaping (Value, Value) throws(ClosureError) -> Bool
  ) {
    self.replacesIf = replacesIf
    self.sendsEach = sendsEach
    self.compare = compare
    super.init(downstream)
  }

  override func next(_ value: Value) {
    do throws(ClosureError) {
      if let last = kept.held {
        // The comparison may end the subscription, which releases `last`.
        keep(last)
        defer { discard(last) }
        if try compare(last, value) != replacesIf || isDisposed { return }
      }
      kept.put(value)
      if sendsEach { pass(value) }
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }

  override func end(_ end: End) {
    guard !sendsEach, case .completed = end, let value = kept.take() else { return pass(end: end) }
    pass(last: value)
    discard(value)
  }

  override func tearDown() { kept.clear() }
}
