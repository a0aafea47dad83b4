/// A NUL-terminated text for C. Its address is fixed while this lives.
package final class CText: @unchecked Sendable {
  package let pointer: UnsafePointer<CChar>

  /// Copies `count` bytes, which need not be UTF-8.
  package init(_ bytes: UnsafePointer<CChar>, count: Int) {
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: count + 1)
    copy.update(from: bytes, count: count)
    copy[count] = 0
    pointer = UnsafePointer(copy)
  }

  package convenience init(_ text: Text) {
    let bytes = Array(text.utf8)
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { copy[index] = CChar(bitPattern: byte) }
    self.init(copy, count: bytes.count)
    copy.deallocate()
  }

  /// Copies a C string.
  package convenience init(copying text: UnsafePointer<CChar>) {
    self.init(text, count: Self.length(of: text))
  }

  deinit { pointer.deallocate() }

  package static func length(of text: UnsafePointer<CChar>) -> Int {
    var count = 0
    while text[count] != 0 { count += 1 }
    return count
  }

  package var text: Text { Text(cString: pointer) }

  /// The address, as `Attachment.isNamed` takes it.
  package var address: UInt { UInt(bitPattern: pointer) }

  /// Whether the text at `address` is equal, byte for byte.
  func isSame(at address: UInt) -> Bool {
    UnsafePointer(bitPattern: address).map { isSame(as: $0) } ?? false
  }

  /// Whether the texts are equal, byte for byte.
  package func isSame(as other: UnsafePointer<CChar>) -> Bool {
    var index = 0
    while pointer[index] == other[index] {
      if pointer[index] == 0 { return true }
      index += 1
    }
    return false
  }
}

extension Text {
  /// A copy for C, where this names something.
  ///
  /// - Throws: `.invalid` for a text that has a NUL, because C would read a shorter name.
  package func cText() throws(Failure) -> CText {
    if utf8.contains(0) { throw Failure(.invalid, message: "the text has a NUL: " + self) }
    return CText(self)
  }
}

extension [Text] {
  /// The same for each.
  package func cTexts() throws(Failure) -> ReferenceArray<CText> {
    var texts: ReferenceArray<CText> = []
    for text in self { texts.append(try text.cText()) }
    return texts
  }
}
