/// The kind of a foreign value. The numbers are those of `belay_kind`.
// Public where `ForeignValue` is.
#if !hasFeature(Embedded)
  @_spi(Engine)
#endif
public enum ValueKind: UInt32, Sendable {
  case null
  case bool
  case int8
  case int16
  case int32
  case int64
  case uint8
  case uint16
  case uint32
  case uint64
  case float
  case double
  case pointer
  case failure
  case string
  case bytes
  case structure
  case array
  case signal
  case subscriber
  case disposable
  case bag
  case owner
  case weak
  case loop
  case scheduler
  case error
  case stream

  /// The name, as a static string.
  public var name: StaticString {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int8: "int8"
    case .int16: "int16"
    case .int32: "int32"
    case .int64: "int64"
    case .uint8: "uint8"
    case .uint16: "uint16"
    case .uint32: "uint32"
    case .uint64: "uint64"
    case .float: "float"
    case .double: "double"
    case .pointer: "pointer"
    case .failure: "failure"
    case .string: "string"
    case .bytes: "bytes"
    case .structure: "struct"
    case .array: "array"
    case .signal: "signal"
    case .subscriber: "subscriber"
    case .disposable: "disposable"
    case .bag: "bag"
    case .owner: "owner"
    case .weak: "weak"
    case .loop: "loop"
    case .scheduler: "scheduler"
    case .error: "error"
    case .stream: "stream"
    }
  }

  var isSignedInteger: Bool { self >= .int8 && self <= .int64 }
  var isUnsignedInteger: Bool { self >= .uint8 && self <= .uint64 }
}

extension ValueKind: Comparable {
  public static func < (one: ValueKind, other: ValueKind) -> Bool {
    one.rawValue < other.rawValue
  }
}
