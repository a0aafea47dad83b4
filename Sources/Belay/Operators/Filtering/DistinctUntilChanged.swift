extension Signal {
  /// Drops values that equal the one before. An error that `areEqual` throws ends the signal.
  public final func distinctUntilChanged(
    by areEqual: @escaping (Value, Value) throws(Failure) -> Bool
  ) -> Signal<Value> {
    lift("distinct_until_changed") { DistinctStage($0, areEqual) }
  }
}

extension Signal where Value: Equatable {
  /// Drops values that equal the one before.
  public final func distinctUntilChanged() -> Signal<Value> {
    distinctUntilChanged { $0 == $1 }
  }
}

/// Keeps the last value, to compare the next one with it.
private final class DistinctStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private var last: Value?
  private let areEqual: (Value, Value) throws(Failure) -> Bool

  init(_ downstream: Sink<Value>, _ areEqual: @escaping (Value, Value) throws(Failure) -> Bool) {
    self.areEqual = areEqual
    super.init(downstream)
  }

  override func next(_ value: Value) {
    do throws(Failure) {
      if let last {
        // The comparison may end the subscription, which releases `last`.
        keep(last)
        defer { discard(last) }
        if try areEqual(last, value) || isDisposed { return }
      }
      keep(value)
      if let last { discard(last) }
      last = value
      pass(value)
    } catch {
      pass(end: .failed(error))
    }
  }

  override func tearDown() {
    guard let last else { return }
    self.last = nil
    discard(last)
  }
}
