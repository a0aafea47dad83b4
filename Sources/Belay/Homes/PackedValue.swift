/// A value on its way to another thread. A value of up to two words is stored in place, a larger
/// one in a box.
package struct PackedValue {
  private var words: (UInt64, UInt64) = (0, 0)

  package init() {}

  /// Packs `value` and keeps it.
  @inline(__always)
  package init<Value>(_ value: Value) {
    keep(value)
    withUnsafeMutableBytes(of: &words) { bytes in
      if Self.fits(Value.self) {
        bytes.baseAddress.unsafelyUnwrapped.initializeMemory(as: Value.self, to: value)
      } else {
        bytes.baseAddress.unsafelyUnwrapped.initializeMemory(
          as: PackedBox<Value>.self, to: PackedBox(value))
      }
    }
  }

  /// Takes the value out. This may be done once; the caller discards the value.
  @inline(__always)
  package mutating func open<Value>(as type: Value.Type) -> Value {
    withUnsafeMutableBytes(of: &words) { bytes in
      let start = bytes.baseAddress.unsafelyUnwrapped
      if Self.fits(Value.self) {
        return start.assumingMemoryBound(to: Value.self).move()
      }
      return start.assumingMemoryBound(to: PackedBox<Value>.self).move().value
    }
  }

  @inline(__always)
  private static func fits<Value>(_ type: Value.Type) -> Bool {
    MemoryLayout<Value>.size <= MemoryLayout<(UInt64, UInt64)>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<UInt64>.alignment
  }
}

/// Holds a value that does not fit into two words.
private final class PackedBox<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}
