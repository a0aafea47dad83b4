/// A home with a mailbox, and with a list of residents that end when it closes.
@_spi(Engine) open class QueuedHome: Home, @unchecked Sendable {
  package final var mailbox: Mailbox! = nil
  /// The residents that end when this closes. Touched at home only.
  private final var residents = ResidentList()

  package init(threadID: UInt64) { super.init(threadID: threadID, listsResidents: true) }

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
    if residents.first == nil { residentsCame() }
    residents.append(resident)
  }

  package final override func unlist(_ resident: Resident) {
    if !isCurrent {
      perform { self.unlist(resident) }
      return
    }
    if !resident.isListed { return }
    remove(resident)
    Unmanaged.passUnretained(resident).drop()
  }

  private final func remove(_ resident: Resident) {
    residents.remove(resident)
    if residents.first == nil { residentsLeft() }
  }

  /// Called when the first resident has been listed, and when the last one has been unlisted.
  open func residentsCame() {}
  open func residentsLeft() {}

  package final var queueHighWater: Int { mailbox.highWater }

  /// Calls `body` with each resident, in the order of listing. It must unlist none. Called at home,
  /// or while the home has no thread.
  package final func forEachResident(_ body: (Resident) -> Void) {
    residents.forEach(body)
  }

  /// Interrupts every resident, because the home is closing. Residents that come from now on are
  /// interrupted at once.
  package final func interruptResidents() {
    beginClosing()
    while let held = residents.first {
      held._withUnsafeGuaranteedRef {
        remove($0)
        $0.interrupt()
      }
      held.drop()
    }
  }
}
