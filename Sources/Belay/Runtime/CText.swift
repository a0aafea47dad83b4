/// A copy of a text with a NUL after it, for C.
package final class CText {
  package let pointer: UnsafePointer<CChar>
  private let count: Int

  package init(_ text: String) {
    let bytes = Array(text.utf8)
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    for (index, byte) in bytes.enumerated() { copy[index] = CChar(bitPattern: byte) }
    copy[bytes.count] = 0
    pointer = UnsafePointer(copy)
    count = bytes.count
  }

  deinit { pointer.deallocate() }

  package func matches(_ text: String) -> Bool {
    text.utf8.count == count
      && text.utf8.elementsEqual(
        UnsafeBufferPointer(start: pointer, count: count).lazy.map { UInt8(bitPattern: $0) })
  }
}
