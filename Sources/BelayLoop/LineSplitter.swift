/// Cuts a stream of bytes into lines, without their ends. It keeps an unfinished line.
struct LineSplitter {
  /// A longer line is cut into pieces.
  static let longest = 1 << 20

  private var unfinished: [UInt8] = []

  /// Adds `bytes`. `emit` answers whether to continue; if not, the remaining bytes are dropped.
  @inline(never)
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ emit: (UnsafeRawBufferPointer) -> Bool
  ) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let piece = UnsafeRawBufferPointer(rebasing: rest[..<end])
      rest = rest[(end + 1)...]
      let goesOn: Bool
      if unfinished.isEmpty {
        goesOn = emitInPieces(piece, emit)
      } else {
        unfinished.append(contentsOf: piece)
        let line = unfinished
        unfinished.removeAll(keepingCapacity: line.count <= 4096)
        goesOn = line.withUnsafeBytes { emitInPieces($0, emit) }
      }
      if !goesOn { return }
    }
    unfinished.append(contentsOf: rest)
    while unfinished.count > Self.longest {
      let piece = Array(unfinished[..<Self.longest])
      unfinished.removeFirst(Self.longest)
      if !piece.withUnsafeBytes({ emit($0) }) { return }
    }
  }

  /// Emits the unfinished line, if there is one.
  @inline(never)
  mutating func flush(_ emit: (UnsafeRawBufferPointer) -> Bool) {
    if unfinished.isEmpty { return }
    let line = unfinished
    unfinished = []
    _ = line.withUnsafeBytes { emitInPieces($0, emit) }
  }

  /// Drops the unfinished line.
  mutating func reset() { unfinished = [] }

  @inline(never)
  private func emitInPieces(
    _ line: UnsafeRawBufferPointer, _ emit: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    var line = line
    if line.last == UInt8(ascii: "\r") { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
    while line.count > Self.longest {
      if !emit(UnsafeRawBufferPointer(rebasing: line[..<Self.longest])) { return false }
      line = UnsafeRawBufferPointer(rebasing: line[Self.longest...])
    }
    return emit(line)
  }
}
