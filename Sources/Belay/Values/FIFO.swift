/// Elements in the order in which they were added, in a ring that grows and whose memory is used
/// again.
///
/// Its holder empties it at the end, by `discardAll` or `removeAll`: Embedded Swift 6.3 does not find the
/// deinit of such a type in another module. The holder discards the values that it has kept (`keep`).
struct FIFO<Element>: ~Copyable {
  private var ring: UnsafeMutablePointer<Element>?
  /// A power of two, or 0.
  private var capacity: UInt32 = 0
  private var head: UInt32 = 0
  private var held: UInt32 = 0

  init() {}

  var count: Int { Int(held) }
  var isEmpty: Bool { held == 0 }
  var first: Element? { held == 0 ? nil : pointer(0).pointee }

  @inline(__always)
  private func pointer(_ index: UInt32) -> UnsafeMutablePointer<Element> {
    ring.unsafelyUnwrapped + Int((head &+ index) & (capacity &- 1))
  }

  /// An element by its place behind the oldest.
  @inline(__always)
  subscript(index: Int) -> Element {
    pointer(UInt32(truncatingIfNeeded: index)).pointee
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if held == capacity { grow() }
    pointer(held).initialize(to: element)
    held &+= 1
  }

  /// The oldest. There is one.
  @inline(__always)
  mutating func removeFirst() -> Element {
    let element = pointer(0).move()
    head = (head &+ 1) & (capacity &- 1)
    held &-= 1
    if held == 0 && capacity > 64 { shrink() }
    return element
  }

  mutating func popFirst() -> Element? { held == 0 ? nil : removeFirst() }

  mutating func popLast() -> Element? {
    if held == 0 { return nil }
    held &-= 1
    return pointer(held).move()
  }

  /// Releases the elements, and frees the memory.
  mutating func removeAll() {
    while held > 0 { _ = removeFirst() }
    shrink()
  }

  @inline(never)
  private mutating func grow() {
    let room = max(4, capacity * 2)
    if let ring {
      self.ring = unrolled(ring, Int(capacity), Int(head), Int(room))
    } else {
      ring = .allocate(capacity: Int(room))
    }
    capacity = room
    head = 0
  }

  /// Frees the memory. The queue is empty.
  @inline(never)
  private mutating func shrink() {
    ring?.deallocate()
    ring = nil
    capacity = 0
    head = 0
  }
}

/// Moves the elements of a full ring, the oldest of which is at `head`, to larger memory. Frees the ring.
private func unrolled<Element>(
  _ ring: UnsafeMutablePointer<Element>, _ capacity: Int, _ head: Int, _ room: Int
) -> UnsafeMutablePointer<Element> {
  if FIFO<Element>.movesBits {
    return unrolled(ring, capacity, head, room, MemoryLayout<Element>.stride)
      .assumingMemoryBound(to: Element.self)
  }
  let larger = UnsafeMutablePointer<Element>.allocate(capacity: room)
  larger.moveInitialize(from: ring + head, count: capacity - head)
  (larger + (capacity - head)).moveInitialize(from: ring, count: head)
  ring.deallocate()
  return larger
}

/// The same for elements of whatever type that keep their bits when they are moved.
@inline(never)
private func unrolled(
  _ ring: UnsafeMutableRawPointer, _ capacity: Int, _ head: Int, _ room: Int, _ stride: Int
) -> UnsafeMutableRawPointer {
  let larger = UnsafeMutableRawPointer.allocate(byteCount: room * stride, alignment: 16)
  let first = (capacity - head) * stride
  larger.copyMemory(from: ring + head * stride, byteCount: first)
  (larger + first).copyMemory(from: ring, byteCount: head * stride)
  ring.deallocate()
  return larger
}

extension FIFO {
  /// Discards the values, which are kept, and frees the memory.
  mutating func discardAll() {
    while let value = popFirst() { discard(value) }
    removeAll()
  }
}
