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

  private var slots: UnsafeMutablePointer<Slot>?
  private var capacity: UInt32 = 0
  /// How many slots have ever been taken.
  private var used: UInt32 = 0
  private var first = MemberTable.none
  private var last = MemberTable.none
  private var free = MemberTable.none
  private(set) var count = 0

  mutating func insert(_ content: Content) -> (slot: UInt32, key: UInt64) {
    let slot = vacantSlot()
    let place = slots.unsafelyUnwrapped + Int(slot)
    place.pointee.content = content
    place.pointee.previous = last
    place.pointee.next = Self.none
    if last == Self.none { first = slot } else { slots.unsafelyUnwrapped[Int(last)].next = slot }
    last = slot
    count += 1
    return (slot, UInt64(place.pointee.generation) << 32 | UInt64(slot))
  }

  /// Takes out what `slot` holds.
  mutating func remove(_ slot: UInt32) -> Content {
    let place = slots.unsafelyUnwrapped + Int(slot)
    let removed = place.pointee
    let slots = slots.unsafelyUnwrapped
    if removed.previous == Self.none {
      first = removed.next
    } else {
      slots[Int(removed.previous)].next = removed.next
    }
    if removed.next == Self.none {
      last = removed.previous
    } else {
      slots[Int(removed.next)].previous = removed.previous
    }
    place.pointee.content = .nothing
    count -= 1
    // A slot whose generations are used up is never used again.
    if removed.generation < UInt32.max {
      place.pointee.generation += 1
      place.pointee.next = free
      free = slot
    }
    return removed.content
  }

  /// The slot that `key` names, if it is taken still.
  func slot(of key: UInt64) -> UInt32? {
    let slot = UInt32(truncatingIfNeeded: key)
    guard slot < used, let place = slots.map({ $0 + Int(slot) }),
      place.pointee.generation == UInt32(key >> 32)
    else { return nil }
    if case .nothing = place.pointee.content { return nil }
    return slot
  }

  func holds(_ member: Disposable, at slot: UInt32) -> Bool {
    guard slot < used, let slots, case .member(let held) = slots[Int(slot)].content else {
      return false
    }
    return held.toOpaque() == Unmanaged.passUnretained(member).toOpaque()
  }

  func forEach(_ body: (Content) -> Void) {
    guard let slots else { return }
    var slot = first
    while slot != Self.none {
      let place = slots[Int(slot)]
      body(place.content)
      slot = place.next
    }
  }

  /// Gives the room back; nothing may be held any more.
  func deallocate() { slots?.deallocate() }

  private mutating func vacantSlot() -> UInt32 {
    if free != Self.none {
      let slot = free
      free = slots.unsafelyUnwrapped[Int(slot)].next
      return slot
    }
    if used == capacity { grow() }
    let slot = used
    (slots.unsafelyUnwrapped + Int(slot)).initialize(
      to: Slot(content: .nothing, previous: 0, next: 0, generation: 1))
    used += 1
    return slot
  }

  private mutating func grow() {
    capacity = capacity == 0 ? 4 : capacity * 2
    let larger = UnsafeMutablePointer<Slot>.allocate(capacity: Int(capacity))
    if let slots {
      larger.moveInitialize(from: slots, count: Int(used))
      slots.deallocate()
    }
    slots = larger
  }
}
