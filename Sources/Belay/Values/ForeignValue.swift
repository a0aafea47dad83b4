import CBelayShim

/// A value of another language: two words, whose references are counted by hand.
///
/// A small tag is a scalar's kind; any other tag is the address of the `Entity` that holds it.
public struct ForeignValue: Equatable, @unchecked Sendable {
  public var payload: UInt64
  public var tag: UInt64

  /// Tags below this are kinds, not addresses.
  public static let firstAddress: UInt64 = 4096

  @inline(__always)
  public init(payload: UInt64, tag: UInt64) {
    self.payload = payload
    self.tag = tag
  }

  /// The object behind the value, if it has one.
  @inline(__always)
  public var box: Unmanaged<Entity>? {
    tag < Self.firstAddress
      ? nil : Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: UInt(tag)).unsafelyUnwrapped)
  }
}

/// Takes a reference to `value`, if its type counts by hand. Swift's own values are kept by being
/// stored.
@inline(__always)
package func keep<Value>(_ value: Value) {
  if Value.self == ForeignValue.self {
    _ = unsafeBitCast(value, to: ForeignValue.self, ofType: Value.self).box?.retain()
  }
}

/// Gives back what `keep` took.
@inline(__always)
package func discard<Value>(_ value: Value) {
  if Value.self == ForeignValue.self {
    unsafeBitCast(value, to: ForeignValue.self, ofType: Value.self).box?.drop()
  }
}

/// A bit cast that compiles for every generic type; only reached when the types are the same.
@inline(__always)
package func unsafeBitCast<From, To>(_ value: From, to: To.Type, ofType: From.Type) -> To {
  withUnsafeBytes(of: value) { $0.loadUnaligned(as: To.self) }
}
