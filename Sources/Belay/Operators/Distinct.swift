extension Signal {
  /// Drops a value whose key was there before. Keeps one key for each that was different, as long as
  /// the subscription lasts. What `key` throws ends the signal.
  ///
  /// - Parameters:
  ///   - key: its result is owned.
  ///   - hash: equal for equal keys.
  package final func distinct<Key>(
    _ key: @escaping (Value) throws(Failure) -> Key, hash: @escaping (Key) -> UInt64,
    areEqual: @escaping (Key, Key) -> Bool
  ) -> Signal<Value> {
    lift("distinct") { SeenStage($0, key, hash, areEqual) }
  }

  /// Drops a value whose key was there before. Keeps one key for each that was different, as long as
  /// the subscription lasts. What `key` throws ends the signal.
  public final func distinct<Key: Hashable>(
    by key: @escaping (Value) throws(Failure) -> Key
  ) -> Signal<Value> {
    distinct(
      key, hash: { UInt64(truncatingIfNeeded: $0.hashValue) }, areEqual: { $0 == $1 })
  }
}

extension Signal where Value: Hashable {
  /// Drops a value that was there before. Keeps one of each, as long as the subscription lasts.
  /// (uniqueValues, removeAllDuplicates elsewhere.)
  public final func distinct() -> Signal<Value> { distinct { $0 } }
}

private final class SeenStage<Value, Key>: Stage<Value, Value>, @unchecked Sendable {
  private let key: (Value) throws(Failure) -> Key
  private let hash: (Key) -> UInt64
  private let areEqual: (Key, Key) -> Bool
  private var seen = SeenKeys<Key>()

  init(
    _ downstream: Sink<Value>, _ key: @escaping (Value) throws(Failure) -> Key,
    _ hash: @escaping (Key) -> UInt64, _ areEqual: @escaping (Key, Key) -> Bool
  ) {
    self.key = key
    self.hash = hash
    self.areEqual = areEqual
    super.init(downstream)
  }

  override func next(_ value: Value) {
    do throws(Failure) {
      let key = try key(value)
      // Asking may have ended the subscription.
      guard !isDisposed, seen.insert(key, hash(key), areEqual) else { return discard(key) }
      downstream.next(value)
    } catch {
      downstream.end(.failed(error))
    }
  }

  override func tearDown() {
    let keys = seen.keys
    seen = SeenKeys()
    for key in keys { discard(key) }
  }
}

/// Different keys, in the order of their coming, and a hash table over their numbers.
private struct SeenKeys<Key> {
  private(set) var keys: [Key] = []
  private var hashes: [UInt64] = []
  /// A key's number and one; 0 where there is none. A power of two of them, at most half in use.
  private var slots: [UInt32] = []

  /// Takes `key` over, unless it is known.
  mutating func insert(
    _ key: Key, _ hash: UInt64, _ areEqual: (Key, Key) -> Bool
  ) -> Bool {
    if keys.count * 2 >= slots.count { grow() }
    // Spread, for the low bits choose the slot.
    let hash = (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if hashes[index] == hash && areEqual(keys[index], key) { return false }
      slot = (slot + 1) & (slots.count - 1)
    }
    keys.append(key)
    hashes.append(hash)
    slots[slot] = UInt32(truncatingIfNeeded: keys.count)
    return true
  }

  private mutating func grow() {
    let count = Swift.max(8, slots.count * 2)
    slots = [UInt32](repeating: 0, count: count)
    for (index, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash >> 32) & (count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
      slots[slot] = UInt32(truncatingIfNeeded: index + 1)
    }
  }
}
