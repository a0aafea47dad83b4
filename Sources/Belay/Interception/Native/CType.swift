/// The type of a C function's result: a `CType`, or `NoResult`.
public protocol CResult {
  /// The type of the result in Swift.
  associatedtype Returned
  /// Its letters in a shape (include/belay/interface.h).
  static var shape: String { get }
}

/// A type that C functions take by value: a number, a pointer, a bool or a struct.
///
/// A C struct or enum conforms by stating its shape: `extension point: CType { static var shape:
/// String { "{point=dd}" } }`. It must be trivial. If its size is not that of its shape, describing
/// a method throws.
public protocol CType: CResult where Returned == Self {}

/// `void`.
public enum NoResult: CResult {
  public typealias Returned = Void
  public static var shape: String { "v" }
}

/// A pointer type. C functions take its optional.
///
/// An `UnsafePointer<CChar>` is a C string. Signals send a pointer to a copy of it, which is valid
/// until the subscriber returns.
public protocol CPointer {
  /// How a pointer of this type is written in a function's shape.
  static var pointerShape: String { get }
}

extension CPointer {
  public static var pointerShape: String { "p" }
}

extension UnsafeRawPointer: CPointer {}
extension UnsafeMutableRawPointer: CPointer {}
extension UnsafeMutablePointer: CPointer {}
extension OpaquePointer: CPointer {}
extension UnsafePointer: CPointer {
  /// A C string for `CChar`, otherwise a pointer.
  public static var pointerShape: String { Pointee.self == CChar.self ? "*" : "p" }
}

extension Optional: CResult where Wrapped: CPointer {
  public typealias Returned = Self
  public static var shape: String { Wrapped.pointerShape }
}
extension Optional: CType where Wrapped: CPointer {}

extension Bool: CType { public static var shape: String { "B" } }
extension Int8: CType { public static var shape: String { "c" } }
extension UInt8: CType { public static var shape: String { "C" } }
extension Int16: CType { public static var shape: String { "s" } }
extension UInt16: CType { public static var shape: String { "S" } }
extension Int32: CType { public static var shape: String { "i" } }
extension UInt32: CType { public static var shape: String { "I" } }
extension Int64: CType { public static var shape: String { "q" } }
extension UInt64: CType { public static var shape: String { "Q" } }
extension Int: CType { public static var shape: String { "t" } }
extension UInt: CType { public static var shape: String { "T" } }
extension Float: CType { public static var shape: String { "f" } }
extension Double: CType { public static var shape: String { "d" } }
#if arch(x86_64) || arch(i386)
  extension Float80: CType { public static var shape: String { "D" } }
#endif

/// Throws `.invalid` for a type that is not a C function's. (A Swift closure has two words.)
func requireCFunction<Function>(_ type: Function.Type, _ name: String) throws(Failure) {
  if !String(reflecting: type).hasPrefix("@convention(c) ") {
    throw Failure(.invalid, message: "\(name) is not a C function")
  }
}
