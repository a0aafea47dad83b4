/// The owners of pointers whose end the host declares, by address, until that end.
package enum AdoptedOwners {
  private static let lock = Lock()
  nonisolated(unsafe) private static var records: [UInt: OwnerRecord] = [:]

  /// The pointer's record; `make` makes it at the first ask.
  package static func adopt(_ address: UInt, _ make: () -> OwnerRecord) -> OwnerRecord {
    if let known = find(address) { return known }
    let made = make()
    let winner = lock.withLock { () -> OwnerRecord in
      if let known = records[address] { return known }
      records[address] = made
      return made
    }
    if winner !== made { made.finishUnused() }
    return winner
  }

  package static func find(_ address: UInt) -> OwnerRecord? {
    lock.withLock { records[address] }
  }

  /// Steps 1 to 3 of its death. Waits for callbacks bound to it that run on other threads.
  package static func willEnd(_ address: UInt) -> Code {
    guard let record = find(address) else { return .ok }
    if let home = record.home, !home.isCurrent { return .wrongThread }
    return record.beginDeathAtOnce() ?? .dead
  }

  /// Steps 5 to 8; the address names nothing any more.
  package static func didEnd(_ address: UInt) -> Code {
    let record = lock.withLock { () -> OwnerRecord? in
      guard let record = records[address], record.isDying else { return nil }
      records[address] = nil
      return record
    }
    guard let record else { return .notFound }
    record.finishDeath()
    return .ok
  }
}

extension OwnerRecord {
  /// Steps 1 to 3 of an end that cannot be put off: waits for callbacks bound to it that run on
  /// other threads, not for those on its own stack. Nil when the death has begun already.
  final func beginDeathAtOnce() -> Code? {
    guard let running = beginDeath() else { return nil }
    if running.isEmpty { return .ok }
    let quiet = Quiet(.idle)
    for member in running { member.await(quiet) }
    return quiet.wait(nanoseconds: -1, ignoringOwnStack: true)
  }
}
