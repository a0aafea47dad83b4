/// A copy of a text with a NUL after it, for C.
package final class CText {
  package let pointer: UnsafePointer<CChar>
  private let count: Int

  package convenience init(_ text: Text) { self.init(bytes: Array(text.utf8)[...]) }

  /// A copy of C's own; need not be UTF-8.
  package convenience init(copying text: UnsafePointer<CChar>) {
    var count = 0
    while text[count] != 0 { count += 1 }
    self.init(
      bytes: UnsafeBufferPointer(start: text, count: count).map { UInt8(bitPattern: $0) }[...])
  }

  package init(bytes: ArraySlice<UInt8>) {
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    for (index, byte) in bytes.enumerated() { copy[index] = CChar(bitPattern: byte) }
    copy[bytes.count] = 0
    pointer = UnsafePointer(copy)
    count = bytes.count
  }

  deinit { pointer.deallocate() }

  package var bytes: [UInt8] {
    UnsafeBufferPointer(start: pointer, count: count).map { UInt8(bitPattern: $0) }
  }

  package var text: Text { Text(cString: pointer) }

  package func matches(_ text: Text) -> Bool { text.utf8.elementsEqual(bytes) }
}
