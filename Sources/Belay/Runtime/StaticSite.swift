/// A static, NUL-terminated string of one word: a label, or a line of code as "file:line".
public struct StaticSite: @unchecked Sendable {
  package let pointer: UnsafePointer<CChar>

  /// A C string that is never freed.
  @inline(__always)
  package init(at pointer: UnsafePointer<CChar>) { self.pointer = pointer }

  @inline(__always)
  package init?(at pointer: UnsafePointer<CChar>?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  /// A string literal.
  public init(_ literal: StaticString) {
    pointer = UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// A copy of the string.
  public var text: Text { Text(cString: pointer) }
}
