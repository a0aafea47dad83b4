/// The members of a container in the order of adding: slots, linked by their numbers.
///
/// A key is a slot and its generation, so a key that has been used up names nothing. Holds a
/// reference to each member; whoever takes one out has it.
///
/// Stays where it is, in a class.
struct MemberTable: ~Copyable {
  enum Content {
    case nothing
    case member(Unmanaged<Disposable>)
    case action(ForeignAction)
  }

  private struct Slot {
    var content: Content
    var previous: UInt32
    var next: UInt32
    var generation: UInt32
  }

  private static var none: UInt32 { UInt32.max }

  private var slots = Slots()
  private var first = MemberTable.none
  private var last = MemberTable.none
  private var free = MemberTable.none
  private var held: UInt32 = 0

  var count: Int { Int(held) }

  /// Whether nothing has ever been here, so that `insertFirst` may be used.
  @inline(__always)
  var isUnused: Bool { slots.used == 0 }

  /// `insert` into one that is unused: a few stores.
  @inline(__always)
  mutating func insertFirst(_ content: Content) -> UInt64 {
    slots.begin(with: Slot(content: content, previous: Self.none, next: Self.none, generation: 1))
    first = 0
    last = 0
    held = 1
    return 1 << 32
  }

  @_optimize(speed)
  mutating func insert(_ content: Content) -> (slot: UInt32, key: UInt64) {
    var slot = free
    if slot == Self.none {
      slot = slots.add()
    } else {
      free = slots[slot].pointee.next
    }
    let place = slots[slot]
    place.pointee.content = content
    place.pointee.previous = last
    place.pointee.next = Self.none
    if last == Self.none { first = slot } else { slots[last].pointee.next = slot }
    last = slot
    held &+= 1
    return (slot, UInt64(place.pointee.generation) << 32 | UInt64(slot))
  }

  /// Takes out what `slot` holds.
  mutating func remove(_ slot: UInt32) -> Content {
    let place = slots[slot]
    let (previous, next) = (place.pointee.previous, place.pointee.next)
    if previous == Self.none { first = next } else { slots[previous].pointee.next = next }
    if next == Self.none { last = previous } else { slots[next].pointee.previous = previous }
    let content = place.pointee.content
    place.pointee.content = .nothing
    held &-= 1
    // A slot whose generations are used up is never used again.
    if place.pointee.generation < UInt32.max {
      place.pointee.generation += 1
      place.pointee.next = free
      free = slot
    }
    return content
  }

  /// Takes out what has been here longest.
  mutating func takeFirst() -> Content? { first == Self.none ? nil : remove(first) }

  /// The slot that `key` names, if it is taken still.
  func slot(of key: UInt64) -> UInt32? {
    let slot = UInt32(truncatingIfNeeded: key)
    guard slot < slots.used, slots[slot].pointee.generation == UInt32(key >> 32) else {
      return nil
    }
    if case .nothing = slots[slot].pointee.content { return nil }
    return slot
  }

  func holds(_ member: Disposable, at slot: UInt32) -> Bool {
    guard slot < slots.used, case .member(let held) = slots[slot].pointee.content else {
      return false
    }
    return held.toOpaque() == Unmanaged.passUnretained(member).toOpaque()
  }

  /// Where a walk in the order of adding begins.
  @inline(__always)
  var start: UInt32 { first }

  /// The next one of the last walk, after which nothing is asked of this any more.
  @inline(__always)
  mutating func popFirst() -> Content? {
    if first == Self.none { return nil }
    let place = slots[first]
    first = place.pointee.next
    return place.pointee.content
  }

  /// What is at a place of a walk, which goes on to the next; nil at the end.
  // Mutating, for else the table would be copied to be read.
  @inline(__always)
  mutating func content(at slot: inout UInt32) -> Content? {
    if slot == Self.none { return nil }
    let place = slots[slot]
    slot = place.pointee.next
    return place.pointee.content
  }

  /// Gives the room back; nothing may be held any more. It is not used again.
  mutating func deallocate() { slots.deallocate() }

  /// The slots by number, in blocks: a large container is neither copied as it grows nor given back
  /// in one piece, which would have malloc gather all that was freed before.
  private struct Slots: ~Copyable {
    typealias Block = UnsafeMutablePointer<Slot>

    private static var room: UInt32 { 64 }

    private(set) var used: UInt32 = 0
    /// How many there is room for.
    private var capacity: UInt32 = 0
    /// Grows to `room`, and is all that most containers have.
    private var firstBlock: Block?
    private var more: UnsafeMutablePointer<Block>?
    private var moreRoom: UInt32 = 0
    /// The first block while it has room for one, so that a single member costs no memory.
    private var single = Slot(content: .nothing, previous: 0, next: 0, generation: 1)

    @inline(__always)
    subscript(slot: UInt32) -> Block {
      slot < Self.room
        ? firstBlock.unsafelyUnwrapped + Int(slot)
        : more.unsafelyUnwrapped[Int(slot / Self.room &- 1)] + Int(slot % Self.room)
    }

    @inline(__always)
    mutating func add() -> UInt32 {
      if used == capacity { makeRoom() }
      used &+= 1
      return used &- 1
    }

    /// Adds the first one of all.
    @inline(__always)
    mutating func begin(with slot: Slot) {
      single = slot
      useSingle()
      used = 1
    }

    @inline(__always)
    mutating func deallocate() { if capacity > 1 { freeBlocks() } }

    @inline(never)
    private mutating func freeBlocks() {
      firstBlock?.deallocate()
      guard let more else { return }
      for block in 0..<Int(capacity / Self.room - 1) { more[block].deallocate() }
      more.deallocate()
    }

    @inline(__always)
    private mutating func useSingle() {
      // This stays where it is, so the pointer may be kept.
      firstBlock = withUnsafeMutablePointer(to: &single) { $0 }
      capacity = 1
    }

    @inline(never)
    private mutating func makeRoom() {
      if capacity == 0 {
        useSingle()
      } else if capacity < Self.room {
        let larger = Self.moved(firstBlock, capacity, toRoomFor: capacity * 4)
        if capacity > 1 { firstBlock?.deallocate() }
        firstBlock = larger
        begin(larger + Int(capacity), capacity * 3)
        capacity *= 4
      } else {
        addBlock(capacity / Self.room - 1)
        capacity += Self.room
      }
    }

    private mutating func addBlock(_ block: UInt32) {
      if block == moreRoom {
        moreRoom = moreRoom == 0 ? 4 : moreRoom * 2
        let longer = Self.moved(more, block, toRoomFor: moreRoom)
        more?.deallocate()
        more = longer
      }
      let added = Block.allocate(capacity: Int(Self.room))
      more.unsafelyUnwrapped[Int(block)] = added
      begin(added, Self.room)
    }

    /// Has slots that were never used begin their generations.
    private func begin(_ slots: Block, _ count: UInt32) {
      for slot in 0..<Int(count) { slots[slot].generation = 1 }
    }

    /// A larger copy of `elements`, which are still to be deallocated.
    private static func moved<Element>(
      _ elements: UnsafeMutablePointer<Element>?, _ count: UInt32, toRoomFor room: UInt32
    ) -> UnsafeMutablePointer<Element> {
      let larger = UnsafeMutablePointer<Element>.allocate(capacity: Int(room))
      if let elements { larger.moveInitialize(from: elements, count: Int(count)) }
      return larger
    }
  }
}
