import CBelay

/// Memory that content lies in while it is lent to another copy. It is freed as a whole.
public struct ExchangedStorage: ~Copyable {
  private var blocks: [UnsafeMutableRawPointer] = []
  /// The rest of the last block.
  private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Allocates nothing yet.
  public init() {}

  deinit { for block in blocks { block.deallocate() } }

  /// Memory of `count` bytes, aligned for numbers and pointers, until the storage is freed.
  public mutating func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    let alignment = 16
    let size = (max(count, 1) + alignment - 1) & ~(alignment - 1)
    if room.count < size {
      // They grow, because most values are small and some have a million parts.
      let block = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(size, 64 << min(blocks.count, 10)), alignment: alignment)
      room = block
      blocks.append(block.baseAddress.unsafelyUnwrapped)
    }
    let start = room.baseAddress.unsafelyUnwrapped
    room = UnsafeMutableRawBufferPointer(rebasing: room[size...])
    return start
  }

  /// A copy of `bytes` with a NUL behind it, which text needs.
  mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer {
    let copy = allocate(bytes.count + 1)
    if let start = bytes.baseAddress { copy.copyMemory(from: start, byteCount: bytes.count) }
    copy.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    return UnsafeRawPointer(copy)
  }

  /// Uninitialized memory for `count` contents.
  mutating func allocate<Content: BitwiseCopyable>(
    _ count: Int, of type: Content.Type
  ) -> UnsafeMutablePointer<Content> {
    allocate(count * MemoryLayout<Content>.stride).bindMemory(to: type, capacity: count)
  }
}
