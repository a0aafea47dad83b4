/// Room for one value, which is kept.
struct KeptValue<Value> {
  private var held: Value?

  var isEmpty: Bool { held == nil }

  /// Keeps `value` in the place of what is there.
  @inline(__always)
  mutating func put(_ value: Value) {
    keep(value)
    let old = held
    held = value
    if let old { discard(old) }
  }

  /// What is there; it is the caller's to discard.
  mutating func take() -> Value? {
    let value = held
    held = nil
    return value
  }

  mutating func clear() { if let value = take() { discard(value) } }
}
