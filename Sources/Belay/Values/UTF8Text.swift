/// Checks whether bytes are UTF-8.
package enum UTF8Text {
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      index += 1
      if lead < 0x80 { continue }
      let (count, range) = continuation(of: lead)
      if count == 0 || bytes.count - index < count { return false }
      // Overlong forms, surrogates and the last plane restrict only the first of them.
      if !range.contains(bytes[index]) { return false }
      for offset in 1..<max(count, 1) where bytes[index + offset] & 0xC0 != 0x80 { return false }
      index += count
    }
    return true
  }

  /// How many bytes there are without a character that is cut at the end.
  static func wholeCharacters(in bytes: UnsafeRawBufferPointer) -> Int {
    for back in 1...3 where back <= bytes.count {
      let lead = bytes.count - back
      if bytes[lead] & 0xC0 == 0x80 { continue }
      let (count, range) = continuation(of: bytes[lead])
      let isCut = count >= back && (back == 1 || range.contains(bytes[lead + 1]))
      return isCut ? lead : bytes.count
    }
    return bytes.count
  }

  /// How many bytes follow a lead byte, and the range of the first of them.
  private static func continuation(of lead: UInt8) -> (Int, ClosedRange<UInt8>) {
    switch lead {
    case 0xC2...0xDF: (1, 0x80...0xBF)
    case 0xE0: (2, 0xA0...0xBF)
    case 0xED: (2, 0x80...0x9F)
    case 0xE1...0xEF: (2, 0x80...0xBF)
    case 0xF0: (3, 0x90...0xBF)
    case 0xF4: (3, 0x80...0x8F)
    case 0xF1...0xF3: (3, 0x80...0xBF)
    default: (0, 0x80...0xBF)
    }
  }
}
