import CBelayShim

/// The options with which an adopted pointer's owner is made.
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

/// The owner of a pointer. The host declares the object's end.
package final class AdoptedOwner: OwnerRecord, @unchecked Sendable {
  private let object: UnsafeMutableRawPointer
  // The lock of `AdoptedOwners` protects the fields below.
  /// Whether a wrapped destroy function finds the end.
  fileprivate var endsInItsSlot = false
  /// The thread that is destroying the object; 0 until step 3 of its death is over.
  fileprivate var ender: UInt64 = 0
  /// The owner of an earlier object at this address, whose death is not over yet.
  fileprivate var displaced: AdoptedOwner?

  init(_ object: UnsafeMutableRawPointer, _ options: AdoptionOptions) {
    self.object = object
    // Handles come and go; only the host ends the object.
    super.init(
      label: options.label, site: options.site, home: options.home, diesWithItsHandles: false)
  }

  package override var address: UnsafeMutableRawPointer? { object }
}

extension OwnerRecord {
  /// A function that destroys an object, as tables of functions contain it.
  public typealias DestroyFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The owner of an object that a function in its class's table destroys. Belay wraps the
  /// function, once for each table, and never unwraps it. At the call, `deallocating` sends, bound
  /// disposables are disposed of, the original function runs, and the other steps of the death
  /// follow.
  ///
  /// - Returns: the owner, and `.ok`; otherwise `.invalid`, `.notFound` for an empty slot,
  ///   `.mismatch` when other code has replaced the wrapper since, `.busy` for too many tables,
  ///   -EACCES for a table that cannot be written to. With such a code, `deallocating` of a new
  ///   owner fails.
  public static func adopt(
    _ object: UnsafeMutableRawPointer, endingIn slot: UnsafeMutablePointer<DestroyFunction?>
  ) -> (owner: OwnerRecord, code: Code) {
    AdoptedOwners.adopt(object, AdoptionOptions(), endingIn: slot)
  }
}

/// The owners of adopted pointers by address, until the ends of the objects.
///
/// The memory of an object is freed before its `didEnd` is declared. In between, another thread may
/// get the memory and adopt the new object. So once an object is being destroyed, its address names
/// it only on the thread that destroys it, and names another object on other threads.
package enum AdoptedOwners {
  private static let lock = Lock()
  /// The newest record of each address, with a reference. It refers to the one that it displaces.
  nonisolated(unsafe) private static var records = AddressTable()

  private static func known(_ address: UInt) -> AdoptedOwner? {
    UnsafeRawPointer(bitPattern: records[address]).map {
      Unmanaged<AdoptedOwner>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// The object that the address names on this thread: the one that this thread is destroying, even
  /// if another thread has got its memory; otherwise one that no thread is destroying.
  private static func present(_ address: UInt) -> AdoptedOwner? {
    if let ending = ending(address).record { return ending }
    guard let known = known(address), known.ender == 0 else { return nil }
    return known
  }

  /// The object that this thread is destroying, and the one that displaces it.
  private static func ending(_ address: UInt) -> (record: AdoptedOwner?, above: AdoptedOwner?) {
    var above: AdoptedOwner?
    var place = known(address)
    while let record = place, record.ender != thread {
      above = record
      place = record.displaced
    }
    return (place, above)
  }

  private static var thread: UInt64 { Thread.record.pointee.id }

  /// Sets the record of `address`. The caller releases the old one.
  private static func put(_ record: AdoptedOwner?, _ address: UInt) {
    records[address] = record.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
  }

  /// The pointer's record, made when first asked for.
  package static func adopt(
    _ object: UnsafeMutableRawPointer, _ options: AdoptionOptions
  ) -> OwnerRecord {
    let (record, isNew) = owner(of: object, options)
    if isNew { record.reside() }
    return record
  }

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

  /// The same for an object that the function in `slot` of its class's table destroys. The function
  /// is wrapped, once for each table. If that fails, the host has to declare the end, and
  /// `deallocating` of a new owner fails.
  ///
  /// - Returns: `.invalid` for an owner with a loop, because the object ends on any thread;
  ///   `.notFound` if the slot is empty; `.mismatch` if other code has replaced the wrapper;
  ///   `.busy` if too many tables are wrapped; -EACCES if the table cannot be written to.
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
    replacing(at: slot) { slot in
      Code(
        rawValue: belay_shim_wrap(slot) { object, original in
          AdoptedOwners.end(object, original)
        })
    }
  }

  /// Called by the wrapper: runs an object's death around the original function, which is called in
  /// every case. A derived table's function may call that of its base, which is also wrapped; the
  /// object is dying by then.
  private static func end(
    _ object: UnsafeMutableRawPointer?, _ original: belay_shim_destroy_fn?
  ) {
    let address = UInt(bitPattern: object)
    let isDeath = lock.withLock { present(address)?.endsInItsSlot ?? false } && willEndHere(object)
    original?(object)
    if isDeath { _ = didEnd(address) }
  }

  /// Runs steps 1 to 3. Answers `.dead` if they have begun already.
  private static func begin(_ record: AdoptedOwner) -> Code {
    guard let code = record.beginDeathNow() else { return .dead }
    lock.withLock { record.ender = thread }
    return code
  }

  /// Runs steps 1 to 3 for an object that a function on this thread is about to destroy. Answers
  /// false for an object that was not adopted or is dying; otherwise `didEnd` must follow.
  static func willEndHere(_ object: UnsafeMutableRawPointer?) -> Bool {
    guard let record = lock.withLock({ present(UInt(bitPattern: object)) }) else { return false }
    return begin(record) != .dead
  }

  /// Runs steps 1 to 3. Waits until bound callbacks on other threads have returned.
  package static func willEnd(_ address: UInt) -> Code {
    guard let record = lock.withLock({ present(address) }) else { return .ok }
    if let home = record.home, !home.isCurrent && !home.isOver { return .wrongThread }
    return begin(record)
  }

  /// Runs steps 5 to 8, on the same thread. The address no longer names this object.
  package static func didEnd(_ address: UInt) -> Code {
    let record = lock.withLock { take(endedHere: address) }
    record?.finishDeath()
    return record == nil ? .notFound : .ok
  }

  private static func take(endedHere address: UInt) -> AdoptedOwner? {
    let (found, above) = ending(address)
    guard let record = found else { return nil }
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
  /// Sleeps until no other thread runs anything that was bound to an owner whose end cannot be put
  /// off. It does not wait for what ends call later at their homes: those threads may be waiting for
  /// this one.
  static func forOthers(_ running: ReferenceArray<Disposable>) -> Code {
    if running.isEmpty { return .ok }
    let quiescence = Quiescence(.idle)
    for member in running { member.await(quiescence) }
    return quiescence.await(nanoseconds: -1, ignoringOwnStack: true)
  }
}
