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
  // Under the lock of `AdoptedOwners`:
  /// Whether its end is found by a wrapped function.
  fileprivate var endsInItsSlot = false
  /// The thread that is destroying the object; 0: step 3 of its death is not over.
  fileprivate var ender: UInt64 = 0
  /// The owner of an object that was here before, and whose end is not fully declared yet.
  fileprivate var displaced: AdoptedOwner?

  init(_ object: UnsafeMutableRawPointer, _ options: AdoptionOptions) {
    self.object = object
    // Handles come and go; only the host ends it.
    super.init(
      label: options.label, site: options.site, home: options.home, diesWithItsHandles: false)
  }

  package override var address: UnsafeMutableRawPointer? { object }
}

extension OwnerRecord {
  /// A function that destroys an object, as tables of functions have it.
  public typealias DestroyFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The owner of an object that ends in a function of its class's table: the function is wrapped,
  /// once a table and for good. The end is `deallocating`, what is bound, the original, the rest.
  ///
  /// - Returns: the owner, and `.ok`; else `.invalid`, `.notFound` for an empty slot, `.mismatch`
  /// when
  ///   somebody else has replaced the function since, `.busy` for too many tables, -EACCES for a
  ///   table that cannot be written to. Then `deallocating` of an owner that is new is that error.
  public static func adopt(
    _ object: UnsafeMutableRawPointer, endingIn slot: UnsafeMutablePointer<DestroyFunction?>
  ) -> (owner: OwnerRecord, code: Code) {
    AdoptedOwners.adopt(object, AdoptionOptions(), endingIn: slot)
  }
}

/// The owners of pointers whose end the host declares, by address, until that end.
///
/// Memory is given back before the end of its death is declared, so another thread may get it, and
/// adopt it, in between. From when an object is being destroyed on, its address is its own on that
/// thread only; elsewhere it is that of another object.
package enum AdoptedOwners {
  private static let lock = Lock()
  /// Holds a reference to each, which holds the one that it displaces.
  nonisolated(unsafe) private static var records = AddressTable()

  private static func known(_ address: UInt) -> AdoptedOwner? {
    UnsafeRawPointer(bitPattern: records[address]).map {
      Unmanaged<AdoptedOwner>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// The same, unless it is being destroyed on another thread.
  private static func present(_ address: UInt) -> AdoptedOwner? {
    guard let known = known(address), known.ender == 0 || known.ender == thread else { return nil }
    return known
  }

  private static var thread: UInt64 { Thread.record.pointee.id }

  /// Takes over the reference to what was there.
  private static func put(_ record: AdoptedOwner?, _ address: UInt) {
    records[address] = record.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
  }

  /// The pointer's record, made at the first ask.
  package static func adopt(
    _ object: UnsafeMutableRawPointer, _ options: AdoptionOptions
  ) -> OwnerRecord { owner(of: object, options).record }

  private static func owner(
    of object: UnsafeMutableRawPointer, _ options: AdoptionOptions
  ) -> (record: AdoptedOwner, isNew: Bool) {
    let address = UInt(bitPattern: object)
    if let known = lock.withLock({ present(address) }) { return (known, false) }
    let made = AdoptedOwner(object, options)
    let winner = lock.withLock { () -> AdoptedOwner in
      if let known = present(address) { return known }
      made.displaced = known(address)
      made.displaced.map { Unmanaged.passUnretained($0).release() }
      put(made, address)
      return made
    }
    if winner !== made { made.finishUnused() }
    return (winner, winner === made)
  }

  package static func find(_ address: UInt) -> OwnerRecord? { lock.withLock { known(address) } }

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
    let (record, isNew) = owner(of: object, options)
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
  /// is called in every case. A table that was derived from another calls that one's function on
  /// its way; the object is dying by then.
  private static func end(
    _ object: UnsafeMutableRawPointer?, _ original: belay_shim_destroy_fn?
  ) {
    let address = UInt(bitPattern: object)
    let isDeath = lock.withLock { present(address)?.endsInItsSlot ?? false } && willEndHere(object)
    original?(object)
    if isDeath { _ = didEnd(address) }
  }

  /// Steps 1 to 3. `.dead` when they have begun already.
  private static func begin(_ record: AdoptedOwner) -> Code {
    guard let running = record.beginDeath() else { return .dead }
    let code = Quiescence.forOthers(running)
    lock.withLock { record.ender = thread }
    return code
  }

  /// Steps 1 to 3 of the death of an object that a function is about to destroy, whichever thread it
  /// is on; false when it is nobody's, or is dying. `didEnd` follows.
  static func willEndHere(_ object: UnsafeMutableRawPointer?) -> Bool {
    guard let record = lock.withLock({ present(UInt(bitPattern: object)) }) else { return false }
    return begin(record) != .dead
  }

  /// Steps 1 to 3 of its death. Waits for callbacks bound to it that run on other threads.
  package static func willEnd(_ address: UInt) -> Code {
    guard let record = lock.withLock({ present(address) }) else { return .ok }
    if let home = record.home, !home.isCurrent { return .wrongThread }
    return begin(record)
  }

  /// Steps 5 to 8, on the same thread; the address names nothing of this any more.
  package static func didEnd(_ address: UInt) -> Code {
    let record = lock.withLock { take(endedHere: address) }
    record?.finishDeath()
    return record == nil ? .notFound : .ok
  }

  private static func take(endedHere address: UInt) -> AdoptedOwner? {
    var above: AdoptedOwner?
    var place = known(address)
    while let record = place, record.ender != thread {
      above = record
      place = record.displaced
    }
    guard let record = place else { return nil }
    if let above {
      above.displaced = record.displaced
    } else {
      Unmanaged.passUnretained(record).release()
      put(record.displaced, address)
    }
    record.displaced = nil
    return record
  }
}

extension Quiescence {
  /// Sleeps until what was bound to an owner whose end cannot be put off runs on no other thread.
  static func forOthers(_ running: [Disposable]) -> Code {
    if running.isEmpty { return .ok }
    let quiescence = Quiescence(.idle)
    for member in running { member.await(quiescence) }
    return quiescence.await(nanoseconds: -1, ignoringOwnStack: true)
  }
}
