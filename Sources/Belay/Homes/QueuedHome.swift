/// A home that messages from other threads reach, and that knows what ends with it.
open class QueuedHome: Home, @unchecked Sendable {
  package final var mailbox: Mailbox! = nil
  /// What ends when this closes; touched at home only.
  private final var residents = MemberTable()

  package init(threadID: UInt64) { super.init(threadID: threadID, listsResidents: true) }

  deinit { residents.deallocate() }

  public final override var acceptsMessages: Bool { true }

  open override func post(_ message: consuming Message, reserved: Bool) -> Code {
    // The loaded box would be counted.
    withExtendedLifetime(self) {
      Unmanaged.passUnretained(mailbox)._withUnsafeGuaranteedRef {
        $0.post(message, reserved: reserved)
      }
    }
  }

  public final override func holdsMessages(for receiver: Entity) -> Bool {
    mailbox.holdsMessages(for: receiver)
  }

  // MARK: Residents

  package final override func list(_ resident: Resident) {
    if !isCurrent {
      let code = perform({ self.list(resident) }, orElse: { resident.interrupt() })
      // It is closed already, and neither has run.
      if code.isFailure { resident.interrupt() }
      return
    }
    if isClosing { return resident.interrupt() }
    if !resident.isWanted || resident.isListed { return }
    if residents.count == 0 { residentsCame() }
    resident.residence = residents.insert(.member(.passRetained(resident))).slot
  }

  package final override func unlist(_ resident: Resident) {
    if !isCurrent {
      perform { self.unlist(resident) }
      return
    }
    if !resident.isListed { return }
    _ = residents.remove(resident.residence)
    wasUnlisted(resident)
    Unmanaged<Disposable>.passUnretained(resident).drop()
  }

  private final func wasUnlisted(_ resident: Resident) {
    resident.residence = Resident.nowhere
    if residents.count == 0 { residentsLeft() }
  }

  /// The first resident was listed; the last one is so no more.
  open func residentsCame() {}
  open func residentsLeft() {}

  package final var queueHighWater: Int { mailbox.highWater }

  /// At home, or while no thread is: each resident, in the order of listing.
  package final func forEachResident(_ body: (Resident) -> Void) {
    var place = residents.start
    while let content = residents.content(at: &place) {
      guard case .member(let held) = content else { continue }
      held._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Resident.self)) }
    }
  }

  /// The home is closing: what runs here ends without an event, what begins meanwhile too.
  package final func interruptResidents() {
    beginClosing()
    while case .member(let held)? = residents.takeFirst() {
      let resident = unsafeDowncast(held.takeUnretainedValue(), to: Resident.self)
      wasUnlisted(resident)
      resident.interrupt()
      held.drop()
    }
  }
}
