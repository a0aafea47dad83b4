/// Values in the order of their coming, in a ring that grows and is used again.
struct ValueQueue<Element> {
  private var ring: UnsafeMutablePointer<Element>?
  /// A power of two, or 0.
  private var capacity = 0
  private var head = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Keeps a value, which is borrowed.
  @inline(__always)
  mutating func append(_ value: Element) {
    if count == capacity { grow() }
    keep(value)
    (ring.unsafelyUnwrapped + ((head &+ count) & (capacity &- 1))).initialize(to: value)
    count &+= 1
  }

  /// The oldest, which is the caller's to discard. There is one.
  @inline(__always)
  mutating func removeFirst() -> Element {
    let place = head
    head = (head &+ 1) & (capacity &- 1)
    count &-= 1
    return (ring.unsafelyUnwrapped + place).move()
  }

  /// Gives back the values, and the memory.
  mutating func deallocate() {
    while !isEmpty { discard(removeFirst()) }
    ring?.deallocate()
    ring = nil
    capacity = 0
    head = 0
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: max(4, capacity * 2))
    if let ring {
      let first = capacity - head
      larger.moveInitialize(from: ring + head, count: first)
      (larger + first).moveInitialize(from: ring, count: head)
      ring.deallocate()
    }
    ring = larger
    capacity = max(4, capacity * 2)
    head = 0
  }
}
