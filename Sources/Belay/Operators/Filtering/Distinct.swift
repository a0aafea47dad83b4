extension Signal {
  /// Drops values whose key has come before. Keeps each different key as long as the subscription
  /// lasts. An error that `key` throws ends the signal.
  ///
  /// - Parameters:
  ///   - key: the stage takes over its result.
  ///   - hash: is equal for equal keys.
  package final func distinct<Key>(
    _ key: @escaping (Value) throws(ClosureError) -> Key, hash: @escaping (Key) -> UInt64,
    areEqual: @escaping (Key, Key) -> Bool
  ) -> Signal<Value> {
    lift("distinct") { SeenStage($0, key, hash, areEqual) }
  }

  /// Drops values whose key has come before. Keeps each different key as long as the subscription
  /// lasts. An error that `key` throws ends the signal.
  public final func distinct<Key: Hashable>(
    by key: @escaping (Value) throws(ClosureError) -> Key
  ) -> Signal<Value> {
    distinct(
      key, hash: { UInt64(truncatingIfNeeded: $0.hashValue) }, areEqual: { $0 == $1 })
  }
}

extension Signal where Value: Hashable {
  /// Drops values that have come before. Keeps each different value as long as the subscription
  /// lasts. (uniqueValues, removeAllDuplicates in other libraries.)
  public final func distinct() -> Signal<Value> { distinct { $0 } }
}

/// Keeps the keys of all values that have come.
private final class SeenStage<Value, Key>: Stage<Value, Value>, @unchecked Sendable {
  private let key: (Value) throws(ClosureError) -> Key
  private let hash: (Key) -> UInt64
  private let areEqual: (Key, Key) -> Bool
  private var seen = KeyTable<Key>()

  init(
    _ downstream: Sink<Value>, _ key: @escaping (Value) throws(ClosureError) -> Key,
    _ hash: @escaping (Key) -> UInt64, _ areEqual: @escaping (Key, Key) -> Bool
  ) {
    self.key = key
    self.hash = hash
    self.areEqual = areEqual
    super.init(downstream)
  }

  override func next(_ value: Value) {
    do throws(ClosureError) {
      let key = try key(value)
      // `key` may have ended the subscription.
      guard !isDisposed, seen.number(of: key, hash(key), areEqual).isNew else {
        return discard(key)
      }
      settleGathered(key)
      pass(value)
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }

  override func tearDown() {
    let keys = seen.keys
    seen = KeyTable()
    for key in keys { discard(key) }
  }
}
