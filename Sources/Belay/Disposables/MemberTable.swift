/// The members of a container in the order of adding: slots, linked by their numbers.
///
/// A key is a slot and its generation, so a key that has been used up names nothing. Holds a
/// reference to each member; whoever takes one out has it.
struct MemberTable {
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
  private(set) var count = 0

  @_optimize(speed)
  mutating func insert(_ content: Content) -> (slot: UInt32, key: UInt64) {
    let slot = vacantSlot()
    let place = slots[slot]
    place.pointee.content = content
    place.pointee.previous = last
    place.pointee.next = Self.none
    if last == Self.none { first = slot } else { slots[last].pointee.next = slot }
    last = slot
    count += 1
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
    count -= 1
    // A slot whose generations are used up is never used again.
    if place.pointee.generation < UInt32.max {
      place.pointee.generation += 1
      place.pointee.next = free
      free = slot
    }
    return content
  }

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

  @inline(__always)
  func forEach(_ body: (Content) -> Void) {
    var slot = first
    while slot != Self.none {
      let place = slots[slot]
      body(place.pointee.content)
      slot = place.pointee.next
    }
  }

  /// Gives the room back; nothing may be held any more.
  func deallocate() { slots.deallocate() }

  @inline(__always)
  private mutating func vacantSlot() -> UInt32 {
    if free != Self.none {
      let slot = free
      free = slots[slot].pointee.next
      return slot
    }
    return slots.add(Slot(content: .nothing, previous: 0, next: 0, generation: 1))
  }

  /// The slots by number, in blocks: a large container is neither copied as it grows nor given back
  /// in one piece, which would have malloc gather all that was freed before.
  private struct Slots {
    typealias Block = UnsafeMutablePointer<Slot>

    private static var room: UInt32 { 64 }

    private(set) var used: UInt32 = 0
    /// Grows to `room`, and is all that most containers have.
    private var firstBlock: Block?
    private var firstRoom: UInt32 = 0
    private var more: UnsafeMutablePointer<Block>?
    private var moreRoom: UInt32 = 0

    @inline(__always)
    subscript(slot: UInt32) -> Block {
      slot < Self.room
        ? firstBlock.unsafelyUnwrapped + Int(slot)
        : more.unsafelyUnwrapped[Int(slot / Self.room &- 1)] + Int(slot % Self.room)
    }

    @inline(__always)
    mutating func add(_ slot: Slot) -> UInt32 {
      if used < Self.room {
        if used == firstRoom { growFirst() }
      } else if used % Self.room == 0 {
        addBlock()
      }
      self[used].initialize(to: slot)
      used += 1
      return used - 1
    }

    func deallocate() {
      firstBlock?.deallocate()
      guard let more else { return }
      for block in 0..<Int((used - 1) / Self.room) { more[block].deallocate() }
      more.deallocate()
    }

    private mutating func growFirst() {
      firstRoom = firstRoom == 0 ? 4 : firstRoom * 4
      firstBlock = Self.moved(firstBlock, used, toRoomFor: firstRoom)
    }

    private mutating func addBlock() {
      let block = used / Self.room - 1
      if block == moreRoom {
        moreRoom = moreRoom == 0 ? 4 : moreRoom * 2
        more = Self.moved(more, block, toRoomFor: moreRoom)
      }
      more.unsafelyUnwrapped[Int(block)] = .allocate(capacity: Int(Self.room))
    }

    private static func moved<Element>(
      _ elements: UnsafeMutablePointer<Element>?, _ count: UInt32, toRoomFor room: UInt32
    ) -> UnsafeMutablePointer<Element> {
      let larger = UnsafeMutablePointer<Element>.allocate(capacity: Int(room))
      if let elements {
        larger.moveInitialize(from: elements, count: Int(count))
        elements.deallocate()
      }
      return larger
    }
  }
}
