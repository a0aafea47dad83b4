/// Elements in the order in which they were added, in a ring that grows and whose memory is used
/// again.
///
/// Its holder empties it at the end, by `discardAll` or `removeAll`: Embedded Swift 6.3 does not find the
/// deinit of such a type in another module. The holder discards the values that it has kept (`keep`).
struct FIFO<Element>: ~Copyable {
  private var ring: UnsafeMutablePointer<Element>?
  /// A power of two, or 0.
  private var capacity = 0
  private var head = 0
  private(set) var count = 0

  init() {}

  var isEmpty: Bool { count == 0 }
  var first: Element? { count == 0 ? nil : pointer(0).pointee }

  @inline(__always)
  private func pointer(_ index: Int) -> UnsafeMutablePointer<Element> {
    ring.unsafelyUnwrapped + ((head &+ index) & (capacity &- 1))
  }

  /// An element by its place behind the oldest.
  @inline(__always)
  subscript(index: Int) -> Element { pointer(index).pointee }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    pointer(count).initialize(to: element)
    count &+= 1
  }

  /// The oldest. There is one.
  @inline(__always)
  mutating func removeFirst() -> Element {
    let element = pointer(0).move()
    head = (head &+ 1) & (capacity &- 1)
    count &-= 1
    if count == 0 && capacity > 64 { shrink() }
    return element
  }

  mutating func popFirst() -> Element? { count == 0 ? nil : removeFirst() }

  mutating func popLast() -> Element? {
    if count == 0 { return nil }
    count &-= 1
    return pointer(count).move()
  }

  /// Releases the elements, and frees the memory.
  mutating func removeAll() {
    while count > 0 { _ = removeFirst() }
    shrink()
  }

  @inline(never)
  private mutating func grow() {
    let room = max(4, capacity * 2)
    if let ring {
      self.ring = unrolled(ring, capacity, head, room)
    } else {
      ring = .allocate(capacity: room)
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
