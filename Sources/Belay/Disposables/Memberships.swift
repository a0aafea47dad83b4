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
