import CBelayShim

/// A value for other languages: two words, whose references are counted by hand.
///
/// A tag below 4096 is the kind of a scalar. Any other tag is the address of the `Entity` that has
/// the value.
// In Embedded mode the core's own signals carry it (OwnValues.swift), and it must be public.
#if !hasFeature(Embedded)
  @_spi(Engine)
#endif
public struct ForeignValue: Equatable, @unchecked Sendable {
  public var payload: UInt64
  public var tag: UInt64

  /// Tags below this are kinds and not addresses.
  public static let firstAddress: UInt64 = 4096

  @inline(__always)
  public init(payload: UInt64, tag: UInt64) {
    self.payload = payload
    self.tag = tag
  }

  /// The object of the value, if it has one.
  @inline(__always)
  public var box: Unmanaged<Entity>? {
    tag < Self.firstAddress
      ? nil : Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: UInt(tag)).unsafelyUnwrapped)
  }
}

/// Retains what `value` refers to, if references of its type are counted by hand. Swift counts its
/// own values by itself.
@inline(__always)
package func keep<Value>(_ value: Value) {
  if Value.self == ForeignValue.self {
    _ = unsafeBitCast(value, to: ForeignValue.self, ofType: Value.self).box?.retain()
  }
}

/// Releases what `keep` has retained.
@inline(__always)
package func discard<Value>(_ value: Value) {
  if Value.self == ForeignValue.self {
    unsafeBitCast(value, to: ForeignValue.self, ofType: Value.self).box?.drop()
  }
}

/// A bit cast that compiles for every generic type. It is only reached when the types are the same.
@inline(__always)
package func unsafeBitCast<From, To>(_ value: From, to: To.Type, ofType: From.Type) -> To {
  withUnsafeBytes(of: value) { $0.loadUnaligned(as: To.self) }
}
