/// A home that letters from other threads reach, and that knows its sources.
open class MailHome: Home, @unchecked Sendable {
  package final var mailbox: Mailbox! = nil
  private final let sourcesLock = Lock()
  private final unowned(unsafe) var firstSource: Source?

  package init(threadID: UInt64) { super.init(threadID: threadID) }

  public final override var acceptsMail: Bool { true }

  open override func post(_ letter: consuming Letter, reserved: Bool) -> Code {
    // The loaded box would be counted.
    withExtendedLifetime(self) {
      Unmanaged.passUnretained(mailbox)._withUnsafeGuaranteedRef {
        $0.post(letter, reserved: reserved)
      }
    }
  }

  public final override func holdsMail(for receiver: Entity) -> Bool {
    mailbox.holdsMail(for: receiver)
  }

  open override func register(_ source: Source) {
    sourcesLock.withLock {
      source.nextInHome = firstSource
      firstSource?.previousInHome = source
      firstSource = source
    }
  }

  open override func unregister(_ source: Source) {
    sourcesLock.withLock {
      if let previous = source.previousInHome {
        previous.nextInHome = source.nextInHome
      } else if firstSource === source {
        firstSource = source.nextInHome
      }
      source.nextInHome?.previousInHome = source.previousInHome
    }
  }

  package final var queueHighWater: Int { mailbox.highWater }

  /// The sources, in the order of their making.
  package final func allSources() -> [Source] {
    sourcesLock.withLock {
      var sources: [Source] = []
      var next = firstSource
      while let source = next {
        sources.append(source)
        next = source.nextInHome
      }
      sources.reverse()
      return sources
    }
  }

  /// The home is closing: what runs here ends without an event.
  package final func interruptSources() { for source in allSources() { source.interrupt() } }
}
