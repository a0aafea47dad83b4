import CBelayShim

/// What an adopted pointer's owner is made with.
package struct AdoptionOptions {
  let label: StaticSite?
  let site: StaticSite?
  let home: Home?

  package init(label: StaticSite? = nil, site: StaticSite? = nil, home: Home? = nil) {
    self.label = label
    self.site = site
    self.home = home
  }
}

/// The owner of a pointer whose end the host declares.
package final class AdoptedOwner: OwnerRecord, @unchecked Sendable {
  private let object: UnsafeMutableRawPointer

  init(_ object: UnsafeMutableRawPointer, _ options: AdoptionOptions) {
    self.object = object
    super.init(label: options.label, site: options.site, home: options.home)
  }

  package override var address: UnsafeMutableRawPointer? { object }

  // Handles come and go; only the host ends it.
  package override var diesWithItsHandles: Bool { false }
}

extension OwnerRecord {
  /// A function that destroys an object, as tables of functions have it.
  public typealias DestroyFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The owner of an object that ends in a function of its class's table: the function is wrapped, once
  /// a table and for good. The end is `deallocating`, what is bound, the original, the rest.
  ///
  /// - Returns: the owner, and `.ok`; else `.invalid`, `.notFound` for an empty slot, `.mismatch` when
  ///   somebody else has replaced the function since, `.busy` for too many tables, -EACCES for a
  ///   table that cannot be written to. Then `deallocating` of an owner that is new is that error.
  public static func adopt(
    _ object: UnsafeMutableRawPointer, endingIn slot: UnsafeMutablePointer<DestroyFunction?>
  ) -> (owner: OwnerRecord, code: Code) {
    AdoptedOwners.adopt(object, AdoptionOptions(), endingIn: slot)
  }
}

/// The owners of pointers whose end the host declares, by address, until that end.
package enum AdoptedOwners {
  private static let lock = Lock()
  /// Holds a reference to each.
  nonisolated(unsafe) private static var records = AddressTable()

  private static func known(_ address: UInt) -> Unmanaged<OwnerRecord>? {
    UnsafeRawPointer(bitPattern: records[address]).map { .fromOpaque($0) }
  }

  /// The pointer's record, made at the first ask.
  package static func adopt(
    _ object: UnsafeMutableRawPointer, _ options: AdoptionOptions
  ) -> OwnerRecord {
    let address = UInt(bitPattern: object)
    if let known = find(address) { return known }
    let made = AdoptedOwner(object, options)
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

  /// The same, for an object that ends in the function that `slot` of its class's table holds: the
  /// function is wrapped, once a table. Failing that, the end is to be declared, and `deallocating`
  /// of a pointer that nobody knew is an error.
  ///
  /// - Returns: `.invalid` for an owner with a loop, for the end is where it is; `.notFound` when
  ///   the slot is empty; `.mismatch` when somebody else has replaced the wrapper; `.busy` when too
  ///   many tables are wrapped; -EACCES when the table cannot be written to.
  package static func adopt(
    _ object: UnsafeMutableRawPointer, _ options: AdoptionOptions,
    endingIn slot: UnsafeMutablePointer<OwnerRecord.DestroyFunction?>
  ) -> (OwnerRecord, Code) {
    let isNew = find(UInt(bitPattern: object)) == nil
    let record = adopt(object, options)
    var code = Code.invalid
    if record.home == nil { code = wrap(slot) }
    if !code.isFailure {
      lock.withLock { record.endsInItsSlot = true }
    } else if isNew {
      record.failDeallocating(code)
    }
    return (record, code)
  }

  private static func wrap(_ slot: UnsafeMutablePointer<OwnerRecord.DestroyFunction?>) -> Code {
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
    guard let record = find(address), lock.withLock({ record.endsInItsSlot }),
      let running = record.beginDeath()
    else {
      original?(object)
      return
    }
    _ = Quiet.forOthers(running)
    original?(object)
    _ = didEnd(address)
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
      guard let known = known(address), known.takeUnretainedValue().isDying else { return nil }
      records[address] = 0
      return known.takeRetainedValue()
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
