extension Signal {
  /// Drops a value that equals the one before it; what `areEqual` throws ends the signal.
  public final func distinctUntilChanged(
    by areEqual: @escaping (Value, Value) throws(Failure) -> Bool
  ) -> Signal<Value> {
    lift("distinct_until_changed") { DistinctStage($0, areEqual) }
  }
}

extension Signal where Value: Equatable {
  /// Drops a value that equals the one before it.
  public final func distinctUntilChanged() -> Signal<Value> {
    distinctUntilChanged { $0 == $1 }
  }
}

private final class DistinctStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private var last: Kept<Value>?
  private let areEqual: (Value, Value) throws(Failure) -> Bool

  init(_ downstream: Sink<Value>, _ areEqual: @escaping (Value, Value) throws(Failure) -> Bool) {
    self.areEqual = areEqual
    super.init(downstream)
  }

  override func next(_ value: Value) {
    do throws(Failure) {
      if let last, try areEqual(last.value, value) { return }
      if isDisposed { return }
      keep(value)
      last = Kept(taking: value)
      downstream.next(value)
    } catch {
      downstream.end(.failed(error))
    }
  }

  override func tearDown() { last = nil }
}
