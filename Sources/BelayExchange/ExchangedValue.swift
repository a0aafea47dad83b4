@_spi(Engine) import Belay
import CBelay

/// How many arrays a value that passes may be in: each takes stack.
private let mostNesting = 100

/// The largest size of content, in bytes. A larger one could never have been allocated.
private let largest = 1 << 40

/// A value that can pass from one copy of Belay to another: a number, a Boolean, a string, bytes, an
/// optional, or an array of such values.
public protocol ExchangedValue {
  /// Reads a value of another copy, which is lent for the call. The content is not trusted: another
  /// program may have made it. Any thread.
  ///
  /// - Parameters:
  ///   - content: what the other copy describes.
  ///   - depth: how many arrays the value is in.
  /// - Throws: `.wrongKind` if the content is of another kind, `.range` if this type cannot hold it
  ///   or it is in more than 100 arrays, `.invalid` for an impossible size or no data, `.notUTF8`.
  static func read(_ content: belay_exchange_value, at depth: Int) throws(Failure) -> Self

  /// The content of this value, which lasts as long as `storage`. The target of its pointers is
  /// copied into `storage`. Any thread.
  ///
  /// - Parameters:
  ///   - storage: memory for what the content points to.
  ///   - depth: how many arrays the value is in.
  /// - Throws: `.range` if it is in more than 100 arrays.
  func content(
    in storage: inout ExchangedStorage, at depth: Int
  ) throws(Failure) -> belay_exchange_value
}

/// Bytes that pass as such. An array of `UInt8` passes as an array of numbers.
public struct ExchangedBytes: ExchangedValue, Equatable, Sendable {
  /// The content.
  public var bytes: [UInt8]

  /// Wraps `bytes`.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  public static func read(
    _ content: belay_exchange_value, at depth: Int
  ) throws(Failure) -> ExchangedBytes {
    try require(content, .bytes)
    return ExchangedBytes(Array(try run(of: content)))
  }

  public func content(
    in storage: inout ExchangedStorage, at depth: Int
  ) throws(Failure) -> belay_exchange_value {
    made(.bytes, data: bytes.withUnsafeBytes { storage.copy($0) }, count: bytes.count)
  }
}

extension String: ExchangedValue {
  public static func read(
    _ content: belay_exchange_value, at depth: Int
  ) throws(Failure) -> String {
    try require(content, .string)
    let bytes = try run(of: content)
    guard UTF8Text.isValid(bytes) else { throw Failure(.notUTF8) }
    return String(decoding: bytes, as: UTF8.self)
  }

  public func content(
    in storage: inout ExchangedStorage, at depth: Int
  ) throws(Failure) -> belay_exchange_value {
    var text = self
    return text.withUTF8 {
      made(
        .string, data: storage.copy(UnsafeRawBufferPointer($0)), count: $0.count)
    }
  }
}

extension Bool: ExchangedValue {
  public static func read(
    _ content: belay_exchange_value, at depth: Int
  ) throws(Failure) -> Bool {
    try require(content, .bool)
    return content.bits != 0
  }

  public func content(
    in storage: inout ExchangedStorage, at depth: Int
  ) throws(Failure) -> belay_exchange_value {
    made(.bool, bits: self ? 1 : 0)
  }
}

extension Double: ExchangedValue {
  public static func read(
    _ content: belay_exchange_value, at depth: Int
  ) throws(Failure) -> Double {
    if content.kind == ValueKind.float.rawValue {
      return Double(Float(bitPattern: UInt32(truncatingIfNeeded: content.bits)))
    }
    try require(content, .double)
    return Double(bitPattern: content.bits)
  }

  public func content(
    in storage: inout ExchangedStorage, at depth: Int
  ) throws(Failure) -> belay_exchange_value {
    made(.double, bits: bitPattern)
  }
}

extension Float: ExchangedValue {
  public static func read(
    _ content: belay_exchange_value, at depth: Int
  ) throws(Failure) -> Float {
    try require(content, .float)
    return Float(bitPattern: UInt32(truncatingIfNeeded: content.bits))
  }

  public func content(
    in storage: inout ExchangedStorage, at depth: Int
  ) throws(Failure) -> belay_exchange_value {
    made(.float, bits: UInt64(bitPattern))
  }
}

/// nil passes as null.
extension Optional: ExchangedValue where Wrapped: ExchangedValue {
  public static func read(
    _ content: belay_exchange_value, at depth: Int
  ) throws(Failure) -> Wrapped? {
    if content.kind == ValueKind.null.rawValue { return nil }
    return try Wrapped.read(content, at: depth)
  }

  public func content(
    in storage: inout ExchangedStorage, at depth: Int
  ) throws(Failure) -> belay_exchange_value {
    guard let self else { return made(.null) }
    return try self.content(in: &storage, at: depth)
  }
}

extension Array: ExchangedValue where Element: ExchangedValue {
  public static func read(
    _ content: belay_exchange_value, at depth: Int
  ) throws(Failure) -> [Element] {
    try require(content, .array)
    guard depth < mostNesting else { throw Failure(.range) }
    let items = try run(of: content, stride: MemoryLayout<belay_exchange_value>.stride)
    var result: [Element] = []
    result.reserveCapacity(content.size)
    for item in items.assumingMemoryBound(to: belay_exchange_value.self) {
      result.append(try Element.read(item, at: depth + 1))
    }
    return result
  }

  public func content(
    in storage: inout ExchangedStorage, at depth: Int
  ) throws(Failure) -> belay_exchange_value {
    guard depth < mostNesting else { throw Failure(.range) }
    let items = storage.allocate(count, of: belay_exchange_value.self)
    for index in indices {
      (items + index).initialize(to: try self[index].content(in: &storage, at: depth + 1))
    }
    return made(.array, data: items, count: count)
  }
}

// MARK: Integers

// An integer of any kind can be read as any type that can hold it, because the languages differ in what
// they send.

extension Int: ExchangedValue {}
extension Int8: ExchangedValue {}
extension Int16: ExchangedValue {}
extension Int32: ExchangedValue {}
extension Int64: ExchangedValue {}
extension UInt: ExchangedValue {}
extension UInt8: ExchangedValue {}
extension UInt16: ExchangedValue {}
extension UInt32: ExchangedValue {}
extension UInt64: ExchangedValue {}

extension ExchangedValue where Self: FixedWidthInteger {
  /// Reads an integer of any width.
  public static func read(
    _ content: belay_exchange_value, at depth: Int
  ) throws(Failure) -> Self {
    let read: Self?
    switch ValueKind(rawValue: content.kind) {
    case .int8, .int16, .int32, .int64: read = Self(exactly: Int64(bitPattern: content.bits))
    case .uint8, .uint16, .uint32, .uint64: read = Self(exactly: content.bits)
    default: throw Failure(.wrongKind)
    }
    guard let read else { throw Failure(.range) }
    return read
  }

  /// An integer of this type's width.
  public func content(
    in storage: inout ExchangedStorage, at depth: Int
  ) throws(Failure) -> belay_exchange_value {
    let kind: ValueKind =
      switch (Self.bitWidth, Self.isSigned) {
      case (8, true): .int8
      case (16, true): .int16
      case (32, true): .int32
      case (8, false): .uint8
      case (16, false): .uint16
      case (32, false): .uint32
      case (_, false): .uint64
      default: .int64
      }
    return made(kind, bits: UInt64(truncatingIfNeeded: self))
  }
}

// MARK: Parts

private func require(_ content: belay_exchange_value, _ kind: ValueKind) throws(Failure) {
  if content.kind != kind.rawValue { throw Failure(.wrongKind) }
}

/// The bytes of content with parts of `stride` bytes, if it can be true.
private func run(
  of content: belay_exchange_value, stride: Int = 1
) throws(Failure) -> UnsafeRawBufferPointer {
  let size = content.size
  guard size == 0 || content.data != nil && size > 0 && size <= largest / stride else {
    throw Failure(.invalid)
  }
  return UnsafeRawBufferPointer(start: content.data, count: size * stride)
}

private func made(
  _ kind: ValueKind, bits: UInt64 = 0, data: UnsafeRawPointer? = nil, count: Int = 0
) -> belay_exchange_value {
  var content = belay_exchange_value()
  content.kind = kind.rawValue
  content.bits = bits
  content.data = data
  content.size = count
  return content
}
