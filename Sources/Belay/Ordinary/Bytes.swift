/// Bytes that do not change, as streams and framing send them. A copy is a reference.
///
/// A piece that a stream has sent counts against its marks until the last copy of it has gone. To
/// keep bytes for long, copy them: `Array(bytes)`.
public struct Bytes: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
  @_spi(Engine) public let box: Entity

  package init(taking box: BytesBox) { self.box = box }

  /// The bytes of a collection.
  public init(_ bytes: some Collection<UInt8>) {
    self.init(
      taking: bytes.withContiguousStorageIfAvailable {
        BytesBox(copying: UnsafeRawBufferPointer($0))
      } ?? Array(bytes).withUnsafeBytes { BytesBox(copying: $0) })
  }

  /// A text in UTF-8.
  public init(_ text: String) { self.init(text.utf8) }
  /// The bytes of a literal.
  public init(arrayLiteral elements: UInt8...) { self.init(elements) }

  package var bytesBox: BytesBox { unsafeDowncast(box, to: BytesBox.self) }

  /// The first position, which is 0.
  public var startIndex: Int { 0 }
  /// How many bytes there are.
  public var endIndex: Int { bytesBox.bytes.count }
  /// The byte at a position.
  public subscript(position: Int) -> UInt8 { bytesBox.bytes[position] }

  /// Calls `body` with the bytes, which it must not keep.
  public func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(box) { try body(bytesBox.bytes) }
  }

  /// The text, if the bytes are UTF-8.
  public var text: String? {
    withUnsafeBytes { UTF8Text.isValid($0) ? String(decoding: $0, as: UTF8.self) : nil }
  }

  /// Whether they have the same bytes.
  public static func == (one: Bytes, other: Bytes) -> Bool {
    one.withUnsafeBytes { one in other.withUnsafeBytes { one.elementsEqual($0) } }
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { withUnsafeBytes { hasher.combine(bytes: $0) } }
}
