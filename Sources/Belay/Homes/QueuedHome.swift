/// A home with a mailbox, and with a list of residents that end when it closes.
@_spi(Engine) open class QueuedHome: Home, @unchecked Sendable {
  package final var mailbox: Mailbox! = nil
  /// The residents that end when this closes. Touched at home only.
  private final var residents = MemberTable()

  package init(threadID: UInt64) { super.init(threadID: threadID, listsResidents: true) }

  deinit { residents.deallocate() }

  public final override var acceptsMessages: Bool { true }

  open override func post(_ message: consuming Message, reserved: Bool) -> Code {
    // Unmanaged, because Swift would count a reference to the box that it has loaded.
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
      // The home is closed already, and neither closure has run.
      if code.isFailure { resident.interrupt() }
      return
    }
    if isClosing { return resident.interrupt() }
    if !resident.isWanted || resident.isListed { return }
    if residents.count == 0 { residentsCame() }
    resident.residence = residents.insert(.member(.passRetained(resident))).cell
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

  /// Called when the first resident has been listed, and when the last one has been unlisted.
  open func residentsCame() {}
  open func residentsLeft() {}

  package final var queueHighWater: Int { mailbox.highWater }

  /// Calls `body` with each resident, in the order of listing. Called at home, or while the home
  /// has no thread.
  package final func forEachResident(_ body: (Resident) -> Void) {
    var cell = residents.start
    while let content = residents.content(at: &cell) {
      guard case .member(let held) = content else { continue }
      held._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Resident.self)) }
    }
  }

  /// Interrupts every resident, because the home is closing. Residents that come from now on are
  /// interrupted at once.
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
