/// The owners of pointers whose end the host declares, by address, until that end.
package enum AdoptedOwners {
  private static let lock = Lock()
  /// Holds a reference to each.
  nonisolated(unsafe) private static var records = AddressTable()

  private static func known(_ address: UInt) -> Unmanaged<OwnerRecord>? {
    UnsafeRawPointer(bitPattern: records[address]).map { .fromOpaque($0) }
  }

  /// The pointer's record; `make` makes it at the first ask.
  package static func adopt(_ address: UInt, _ make: () -> OwnerRecord) -> OwnerRecord {
    if let known = find(address) { return known }
    let made = make()
    let winner = lock.withLock { () -> OwnerRecord in
      if let known = known(address) { return known.takeUnretainedValue() }
      records[address] = UInt(bitPattern: Unmanaged.passRetained(made).toOpaque())
      return made
    }
    if winner !== made { made.finishUnused() }
    return winner
  }

  package static func find(_ address: UInt) -> OwnerRecord? {
    lock.withLock { known(address)?.takeUnretainedValue() }
  }

  /// Steps 1 to 3 of its death. Waits for callbacks bound to it that run on other threads.
  package static func willEnd(_ address: UInt) -> Code {
    guard let record = find(address) else { return .ok }
    if let home = record.home, !home.isCurrent { return .wrongThread }
    guard let running = record.beginDeath() else { return .dead }
    let quiet = Quiet(.idle)
    for member in running { member.await(quiet) }
    return quiet.wait(nanoseconds: -1, ignoringOwnStack: true)
  }

  /// Steps 5 to 8; the address names nothing any more.
  package static func didEnd(_ address: UInt) -> Code {
    let record = lock.withLock { () -> OwnerRecord? in
      guard let known = known(address), known.takeUnretainedValue().isDying else { return nil }
      records[address] = 0
      return known.takeRetainedValue()
    }
    guard let record else { return .notFound }
    record.finishDeath()
    return .ok
  }
}
