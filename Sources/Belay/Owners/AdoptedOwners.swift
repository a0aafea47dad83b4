import CBelayShim

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

  /// The same, for an object that ends in the function that `slot` of its class's table holds: the
  /// function is wrapped, once a table. Failing that, the end is to be declared, and `deallocating`
  /// of a pointer that nobody knew is an error.
  ///
  /// - Returns: `.invalid` for an owner with a loop, for the end is where it is; `.notFound` when
  ///   the slot is empty; `.mismatch` when somebody else has replaced the wrapper; `.busy` when too
  ///   many tables are wrapped; -EACCES when the table cannot be written to.
  package static func adopt(
    _ address: UInt, endingIn slot: UnsafeMutablePointer<belay_shim_destroy_fn?>,
    _ make: () -> OwnerRecord
  ) -> (OwnerRecord, Code) {
    let isNew = find(address) == nil
    let record = adopt(address, make)
    var code = Code.invalid
    if record.home == nil { code = wrap(slot) }
    if !code.isFailure {
      lock.withLock { record.endsInItsSlot = true }
    } else if isNew {
      record.failDeallocating(code)
    }
    return (record, code)
  }

  private static func wrap(_ slot: UnsafeMutablePointer<belay_shim_destroy_fn?>) -> Code {
    Code(
      rawValue: belay_shim_wrap(slot) { object, original in
        AdoptedOwners.end(object, original)
      })
  }

  /// A wrapped function was called: the death of an object that ends so, around the original, which
  /// is called in every case. A table that was derived from another calls that one's function on its
  /// way; the object is dying by then.
  private static func end(
    _ object: UnsafeMutableRawPointer?, _ original: belay_shim_destroy_fn?
  ) {
    let address = UInt(bitPattern: object)
    let record = lock.withLock { records[address].flatMap { $0.endsInItsSlot ? $0 : nil } }
    guard let record, let running = record.beginDeath() else {
      original?(object)
      return
    }
    _ = Quiet.forOthers(running)
    original?(object)
    lock.withLock { if records[address] === record { records[address] = nil } }
    record.finishDeath()
  }

  /// Steps 1 to 3 of its death. Waits for callbacks bound to it that run on other threads.
  package static func willEnd(_ address: UInt) -> Code {
    guard let record = find(address) else { return .ok }
    if let home = record.home, !home.isCurrent { return .wrongThread }
    guard let running = record.beginDeath() else { return .dead }
    return Quiet.forOthers(running)
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

extension Quiet {
  /// Sleeps until what was bound to an owner whose end cannot be put off runs on no other thread.
  static func forOthers(_ running: [Disposable]) -> Code {
    if running.isEmpty { return .ok }
    let quiet = Quiet(.idle)
    for member in running { member.await(quiet) }
    return quiet.wait(nanoseconds: -1, ignoringOwnStack: true)
  }
}
