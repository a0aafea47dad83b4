/// How a stream of bytes is cut into frames.
package enum Framing {
  /// By "\n" or "\r\n". With `inPieces`, a longer line is cut instead of refused.
  case lines(limit: Int, inPieces: Bool)
  case delimiter([UInt8], limit: Int)
  case fixed(Int)
  /// By a length of so many bytes in front.
  case lengthPrefixed(limit: Int, width: Int, isLittleEndian: Bool)
  /// Whole characters, however many there are.
  case utf8

  /// `lengthPrefixed` with a limit that leaves room for the length.
  package static func prefixed(width: Int, isLittleEndian: Bool, limit: Int) -> Framing {
    .lengthPrefixed(
      limit: min(max(0, limit), .max - 16), width: width, isLittleEndian: isLittleEndian)
  }
}

/// Cuts a stream of bytes into frames. It keeps the beginning of an unfinished one.
package struct Framer {
  private let framing: Framing
  private var unfinished: [UInt8] = []
  /// How much of `unfinished` has been searched.
  private var searched = 0

  package init(_ framing: Framing) { self.framing = framing }

  /// Whether bytes wait.
  var hasRest: Bool { !unfinished.isEmpty }

  /// A frame, how many bytes it takes, and how many of them have been searched if there is none.
  private enum Cut {
    case frame(Range<Int>, end: Int)
    case none(searched: Int)
    case refused(Code)
  }

  /// Adds `bytes`. `emit` answers whether to continue; if not, the remaining bytes wait for the next call.
  package mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ emit: (UnsafeRawBufferPointer) -> Bool
  ) -> Code {
    if unfinished.isEmpty {
      searched = 0
      let (code, used) = cut(bytes, emit)
      if used < bytes.count { unfinished = Array(bytes[used...]) }
      return code
    }
    // Not copied, however small the pieces are in which a long frame comes.
    var all = unfinished
    unfinished = []
    all.append(contentsOf: bytes)
    let (code, used) = all.withUnsafeBytes { cut($0, emit) }
    if used < all.count {
      if used > 0 { all.removeFirst(used) }
      unfinished = all
    }
    return code
  }

  /// Emits the frames. Answers how many bytes are used up.
  private mutating func cut(
    _ bytes: UnsafeRawBufferPointer, _ emit: (UnsafeRawBufferPointer) -> Bool
  ) -> (Code, Int) {
    var start = 0
    while start < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      switch first(of: rest, from: searched) {
      case .frame(let range, let end):
        searched = 0
        start += end
        if !emit(UnsafeRawBufferPointer(rebasing: rest[range])) { return (.ok, start) }
      case .none(let searched):
        self.searched = searched
        return (.ok, start)
      case .refused(let code): return (code, bytes.count)
      }
    }
    return (.ok, start)
  }

  private func first(of bytes: UnsafeRawBufferPointer, from start: Int) -> Cut {
    switch framing {
    case .lines(let limit, let inPieces):
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
      let length = withoutReturn(bytes, end ?? bytes.count)
      if length > limit {
        // A piece may end before its "\r", which is then the next one.
        return inPieces ? .frame(0..<limit, end: limit) : .refused(.tooLong)
      }
      guard let end else { return .none(searched: bytes.count) }
      return .frame(0..<length, end: end + 1)
    case .delimiter(let mark, let limit):
      var at = start
      while at + mark.count <= bytes.count {
        guard let next = bytes[at...].firstIndex(of: mark[0]), next + mark.count <= bytes.count
        else { break }
        if bytes[next..<(next + mark.count)].elementsEqual(mark) {
          return next > limit ? .refused(.tooLong) : .frame(0..<next, end: next + mark.count)
        }
        at = next + 1
      }
      let sure = bytes.count - mark.count + 1
      return sure > limit ? .refused(.tooLong) : .none(searched: max(0, sure))
    case .fixed(let size):
      return bytes.count < size ? .none(searched: 0) : .frame(0..<size, end: size)
    case .lengthPrefixed(let limit, let width, let isLittleEndian):
      if bytes.count < width { return .none(searched: 0) }
      var length: UInt64 = 0
      for index in 0..<width {
        // The number may have more bytes than 64 bits.
        if length >> 56 != 0 { return .refused(.tooLong) }
        length = length << 8 | UInt64(bytes[isLittleEndian ? width - 1 - index : index])
      }
      if length > UInt64(limit) { return .refused(.tooLong) }
      let end = width + Int(length)
      return bytes.count < end ? .none(searched: 0) : .frame(width..<end, end: end)
    case .utf8:
      let whole = UTF8Text.wholeCharacters(in: bytes)
      if !UTF8Text.isValid(UnsafeRawBufferPointer(rebasing: bytes[..<whole])) {
        return .refused(.notUTF8)
      }
      return whole == 0 ? .none(searched: 0) : .frame(0..<whole, end: whole)
    }
  }

  private func withoutReturn(_ bytes: UnsafeRawBufferPointer, _ end: Int) -> Int {
    end > 0 && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
  }

  /// Ends the stream: emits what is left if that can be a frame, and otherwise answers a failure.
  package mutating func finish(_ emit: (UnsafeRawBufferPointer) -> Bool) -> Code {
    if unfinished.isEmpty { return .ok }
    var rest = unfinished
    reset()
    switch framing {
    case .lengthPrefixed: return .cutShort
    case .utf8: return .notUTF8
    case .lines: if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
    case .delimiter(_, let limit): if rest.count > limit { return .tooLong }
    case .fixed: break
    }
    _ = rest.withUnsafeBytes { emit($0) }
    return .ok
  }

  /// Drops the unfinished frame.
  package mutating func reset() {
    unfinished = []
    searched = 0
  }
}
