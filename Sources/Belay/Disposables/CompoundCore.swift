/// The members of a compound, in the order of adding: a table of slots, linked by their numbers.
///
/// A key is a slot and its generation, so a key that has been used up names nothing.
final class CompoundCore: Entity, @unchecked Sendable {
  private struct Slot {
    var member: Disposable?
    /// In the place of a member.
    var action: ForeignAction?
    var previous: UInt32
    var next: UInt32
    var generation: UInt32
    var isTaken: Bool { member != nil || action != nil }
  }

  private static let none = UInt32.max

  private let lock = Lock()
  private var slots: [Slot] = []
  private var first = none
  private var last = none
  private var free = none
  private var count = 0
  private var isDisposed = false

  /// Adds `member`, which leaves when it ends by itself; answers its key, or 0 when it did not stay.
  func add(_ member: Disposable) -> UInt64 {
    if member.isClosed { return 0 }
    lock.acquire()
    if isDisposed {
      lock.release()
      member.dispose()
      return 0
    }
    let (slot, key) = take(member, nil)
    lock.release()
    return enroll(member, slot) ? key : 0
  }

  /// Adds an action; answers its key, or 0 when it has run at once.
  func add(_ action: ForeignAction) -> UInt64 {
    lock.acquire()
    if isDisposed {
      lock.release()
      action.run()
      return 0
    }
    let (_, key) = take(nil, action)
    lock.release()
    return key
  }

  /// Tells the member where it is kept. False when it has ended meanwhile, and left.
  private func enroll(_ member: Disposable, _ slot: UInt32) -> Bool {
    if !member.raise(.claimed).contains(.claimed) {
      member.container = self
      member.slot = slot
      if !member.raise(.member).contains(.gone) { return true }
    } else if Memberships.add(member, self, slot) {
      return true
    }
    forget(member, slot)
    return false
  }

  /// Takes a member out without disposing it. False for a key whose member has gone.
  func remove(_ key: UInt64) -> Bool {
    let slot = UInt32(truncatingIfNeeded: key)
    let removed = lock.withLock { () -> Slot? in
      guard slot < slots.count, slots[Int(slot)].generation == UInt32(key >> 32),
        slots[Int(slot)].isTaken
      else { return nil }
      let removed = slots[Int(slot)]
      release(slot)
      return removed
    }
    guard let removed else { return false }
    removed.action?.free()
    if let member = removed.member, member.flags.contains(.memberOfMore) {
      Memberships.withdraw(member, self, slot)
    }
    return true
  }

  /// A member has ended by itself.
  func forget(_ member: Disposable, _ slot: UInt32) {
    let gone = lock.withLock { () -> Disposable? in
      guard slot < slots.count, slots[Int(slot)].member === member else { return nil }
      release(slot)
      return member
    }
    _ = gone  // released outside the lock
  }

  /// Empties it for good, hands the members over and runs the actions, in order; later ones are
  /// disposed of on arrival.
  func takeAll(_ give: (Disposable) -> Void) {
    let (members, start) = empty(forGood: true)
    var index = start
    while index != Self.none {
      let slot = members[Int(index)]
      if let action = slot.action { action.run() } else if let member = slot.member { give(member) }
      index = slot.next
    }
  }

  /// The same, disposing them.
  func dispose() { takeAll { $0.dispose() } }

  /// Lets go of the members without disposing them: the compound's last handle has gone.
  func abandon() {
    for slot in empty(forGood: false).0 { slot.action?.free() }
  }

  var memberCount: Int { lock.withLock { count } }

  /// Whether `other` is this compound, or in it, however deep.
  func contains(_ other: CompoundCore) -> Bool {
    if other === self { return true }
    let inner = lock.withLock { slots.compactMap { $0.member?.core } }
    return inner.contains { $0.contains(other) }
  }

  private func empty(forGood: Bool) -> ([Slot], first: UInt32) {
    lock.withLock {
      let taken = (slots, first)
      slots = []
      first = Self.none
      last = Self.none
      free = Self.none
      count = 0
      if forGood { isDisposed = true }
      return taken
    }
  }

  // MARK: Slots, under the lock

  private func take(
    _ member: Disposable?, _ action: ForeignAction?
  ) -> (slot: UInt32, key: UInt64) {
    let slot: UInt32
    if free != Self.none {
      slot = free
      free = slots[Int(slot)].next
      slots[Int(slot)].member = member
      slots[Int(slot)].action = action
      slots[Int(slot)].previous = last
      slots[Int(slot)].next = Self.none
    } else {
      slot = UInt32(slots.count)
      slots.append(
        Slot(member: member, action: action, previous: last, next: Self.none, generation: 1))
    }
    if last == Self.none { first = slot } else { slots[Int(last)].next = slot }
    last = slot
    count += 1
    return (slot, UInt64(slots[Int(slot)].generation) << 32 | UInt64(slot))
  }

  private func release(_ slot: UInt32) {
    let (previous, next) = (slots[Int(slot)].previous, slots[Int(slot)].next)
    if previous == Self.none { first = next } else { slots[Int(previous)].next = next }
    if next == Self.none { last = previous } else { slots[Int(next)].previous = previous }
    slots[Int(slot)].member = nil
    slots[Int(slot)].action = nil
    count -= 1
    // A slot whose generations are used up is never used again.
    if slots[Int(slot)].generation < UInt32.max {
      slots[Int(slot)].generation += 1
      slots[Int(slot)].next = free
      free = slot
    }
  }
}

extension Disposable {
  /// The core of a compound; nil for everything else.
  var core: CompoundCore? { (self as? CompoundDisposable)?.members }
}

/// Memberships beyond a disposable's first, which has its place in the disposable itself.
enum Memberships {
  private static let lock = Lock()
  nonisolated(unsafe) private static var extra: [UInt: [(core: CompoundCore, slot: UInt32)]] = [:]

  private static func key(_ member: Disposable) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(member).toOpaque())
  }

  /// False when the member has ended meanwhile.
  static func add(_ member: Disposable, _ core: CompoundCore, _ slot: UInt32) -> Bool {
    lock.withLock { extra[key(member), default: []].append((core, slot)) }
    if !member.raise(.memberOfMore).contains(.gone) { return true }
    forget(member)
    return false
  }

  /// It was taken out of one of them. (Its first place stays written down: a place that names
  /// another member is ignored.)
  static func withdraw(_ member: Disposable, _ core: CompoundCore, _ slot: UInt32) {
    lock.withLock {
      extra[key(member)]?.removeAll { $0.core === core && $0.slot == slot }
    }
  }

  /// It has ended, or is no more.
  static func forget(_ member: Disposable) {
    let places = lock.withLock { extra.removeValue(forKey: key(member)) }
    for place in places ?? [] { place.core.forget(member, place.slot) }
  }
}
