import CBelayShim
import Synchronization

/// The home of what is shared: a strand, in Asio's sense. Whoever brings something while no thread is
/// there is its thread, until nothing is left that others have brought meanwhile.
///
/// So what is at home here runs on its senders' threads, one at a time. Nothing ever waits for a
/// thread to come: it is there.
package final class SharedHome: Home, @unchecked Sendable {
  private let lock = Lock()
  private var messages = MessageQueue()
  private var counted = 0
  /// How many values wait here at most that come by a hop.
  private static var capacity: Int { 1024 }

  package init() { super.init(threadID: Home.nobody, isShared: true) }

  deinit { while let message = messages.takeFirst() { message.cancel() } }

  package override var acceptsMessages: Bool { true }

  package override func holdsMessages(for receiver: Entity) -> Bool {
    lock.withLock { messages.holds(receiver) }
  }

  /// How a value came in.
  enum Entry {
    /// This thread is here now; `leave` follows.
    case entered
    /// Another thread is, and will see to it.
    case queued
    case refused(Code)
  }

  /// Enters, unless a thread is here; then leaves `message` to it, or in the place of the one before
  /// it from the same sender, unless `limit` wait. `check` is asked first, under the lock.
  @inline(__always)
  func enter(
    orLeave message: () -> Message, replacing: Bool, limit: Int, _ check: () -> Code
  ) -> Entry {
    lock.acquire()
    let code = check()
    if code != .ok {
      lock.release()
      return .refused(code)
    }
    if claim() {
      lock.release()
      return .entered
    }
    var replaced: Message?
    var isTaken = true
    var brought = message()
    if replacing, let old = messages.replaceLast(with: brought) {
      replaced = old
    } else if counted >= limit {
      isTaken = false
    } else {
      counted += 1
      brought.isCounted = true
      messages.append(brought)
    }
    lock.release()
    if !isTaken {
      brought.cancel()
      return .refused(.again)
    }
    replaced?.cancel()
    return .queued
  }

  /// Enters, unless a thread is here. `leave` follows.
  func enter() -> Bool { lock.withLock { claim() } }

  /// What `check` answers, under the lock.
  func underLock<Result>(_ check: () -> Result) -> Result { lock.withLock(check) }

  /// Under the lock.
  @inline(__always)
  private func claim() -> Bool {
    if threadID.load(ordering: .relaxed) != Home.nobody { return false }
    threadID.store(Thread.record.pointee.id, ordering: .relaxed)
    return true
  }

  /// Sees to what others have brought, then leaves.
  func leave() {
    // What comes may let go of the last reference.
    let kept = Unmanaged.passRetained(self)
    while let message = nextOrLeave() { message.deliver() }
    kept.drop()
  }

  private func nextOrLeave() -> Message? {
    lock.acquire()
    let next = messages.takeFirst()
    if let next {
      if next.isCounted { counted -= 1 }
    } else {
      threadID.store(Home.nobody, ordering: .relaxed)
    }
    lock.release()
    return next
  }

  /// Delivers now, if no thread is here.
  package override func post(_ message: consuming Message, reserved: Bool) -> Code {
    lock.acquire()
    if claim() {
      lock.release()
      let kept = Unmanaged.passRetained(self)
      message.deliver()
      leave()
      kept.drop()
      return .ok
    }
    if !reserved && counted >= Self.capacity {
      lock.release()
      message.cancel()
      return .again
    }
    if !reserved {
      counted += 1
      message.isCounted = true
    }
    messages.append(message)
    lock.release()
    return .ok
  }
}
