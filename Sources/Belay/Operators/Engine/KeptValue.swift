/// At most one value, which is retained.
struct KeptValue<Value> {
  private(set) var held: Value?

  var isEmpty: Bool { held == nil }

  /// Stores `value`, and discards the value before it.
  @inline(__always)
  mutating func put(_ value: Value) {
    keep(value)
    let old = held
    held = value
    if let old { discard(old) }
  }

  /// Takes the value out. The caller discards it.
  mutating func take() -> Value? {
    let value = held
    held = nil
    return value
  }

  mutating func clear() { if let value = take() { discard(value) } }
}
