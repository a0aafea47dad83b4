// Text is Swift's String, except in the Embedded build. There String would bring 20 KB of Unicode
// tables that nothing here needs.

/// Text in UTF-8, with the bytes that it was given.
public struct Text: Equatable, Sendable, ExpressibleByStringInterpolation {
  public private(set) var utf8: [UInt8]

  public init(stringLiteral literal: StaticString) {
    self.init(
      decoding: UnsafeBufferPointer(
        start: literal.utf8Start, count: literal.utf8CodeUnitCount), as: UTF8.self)
  }

  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }

  public init(cString: UnsafePointer<CChar>) {
    var end = cString
    while end.pointee != 0 { end += 1 }
    self.init(
      decoding: UnsafeRawBufferPointer(start: cString, count: end - cString), as: UTF8.self)
  }

  package init(decoding bytes: [UInt8], as: UTF8.Type) { utf8 = bytes }

  package init(decoding bytes: UnsafeRawBufferPointer, as: UTF8.Type) { utf8 = Array(bytes) }

  package init(decoding bytes: UnsafeBufferPointer<UInt8>, as: UTF8.Type) {
    self.init(decoding: UnsafeRawBufferPointer(bytes), as: UTF8.self)
  }

  package init(_ number: UInt, radix: Int) {
    utf8 = []
    append(UInt64(number), radix: UInt64(radix))
  }

  @inline(never)
  package static func + (one: Text, two: Text) -> Text {
    var sum = one
    sum += two
    return sum
  }

  @inline(never)
  package static func += (one: inout Text, two: Text) { one.utf8 += two.utf8 }

  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (utf8 + [0]).withUnsafeBytes {
      body($0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
    }
  }

  fileprivate mutating func append(_ number: UInt64, radix: UInt64) {
    if number >= radix { append(number / radix, radix: radix) }
    let digit = UInt8(truncatingIfNeeded: number % radix)
    utf8.append(digit < 10 ? 48 + digit : 87 + digit)
  }

  /// Puts literals, texts and whole numbers together.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = Text(decoding: [], as: UTF8.self)

    public init(literalCapacity: Int, interpolationCount: Int) {}

    @inline(never)
    public mutating func appendLiteral(_ literal: StaticString) {
      if literal.utf8CodeUnitCount > 0 { text += Text(stringLiteral: literal) }
    }
    public mutating func appendInterpolation(_ other: Text) { text += other }

    public mutating func appendInterpolation<Number: BinaryInteger>(_ number: Number) {
      let magnitude = UInt64(number.magnitude)
      if number < 0 { text += "-" }
      text.append(magnitude, radix: 10)
    }
  }
}
