import CBelayShim
import Synchronization

/// The home of a shared source: a strand in Asio's sense. A thread that brings an event while no
/// thread is in the strand enters it, and stays until nothing is left that others have brought
/// meanwhile.
///
/// So callbacks at this home run on the senders' threads, one at a time. Messages never wait for
/// another thread to come.
package final class SharedHome: Home, @unchecked Sendable {
  private let lock = Lock()
  private var messages = MessageQueue()
  private var counted = 0
  /// How many values from hops may wait here.
  private static var capacity: Int { 1024 }

  package init() { super.init(threadID: Home.noThread, isShared: true) }

  deinit { while let message = messages.takeFirst() { message.cancel() } }

  package override var acceptsMessages: Bool { true }

  package override func holdsMessages(for receiver: Entity) -> Bool {
    lock.withLock { messages.holds(receiver) }
  }

  /// What happened to a value that was brought.
  enum Entry {
    /// The calling thread has entered, and must call `leave`.
    case entered
    /// Another thread is inside, and will deliver it.
    case queued
    case refused(Code)
  }

  /// Enters the strand, unless a thread is inside. Then `message` is queued for that thread. If
  /// `replacing`, it replaces a value of the same sender that came just before. It is
  /// refused when `limit` values wait. `check` is asked first, under the lock.
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
    var isAccepted = true
    var brought = message()
    if replacing, let old = messages.replaceLast(with: brought) {
      replaced = old
    } else if counted >= limit {
      isAccepted = false
    } else {
      counted += 1
      brought.isCounted = true
      messages.append(brought)
    }
    lock.release()
    if !isAccepted {
      brought.cancel()
      return .refused(.again)
    }
    replaced?.cancel()
    return .queued
  }

  /// Enters the strand, unless a thread is inside. If this answers true, the caller must call
  /// `leave`.
  func enter() -> Bool { lock.withLock { claim() } }

  /// Runs `check` under the lock and returns its answer.
  func underLock<Result>(_ check: () -> Result) -> Result { lock.withLock(check) }

  /// Makes the calling thread this home's, if no thread is inside. The caller holds the lock.
  @inline(__always)
  private func claim() -> Bool {
    if threadID.load(ordering: .relaxed) != Home.noThread { return false }
    threadID.store(Thread.record.pointee.id, ordering: .relaxed)
    return true
  }

  /// Delivers what others have brought meanwhile, then leaves the strand.
  func leave() {
    // A delivered message may release the last reference to this.
    let kept = Unmanaged.passRetained(self)
    while let message = nextOrLeave() { message.deliver() }
    kept.drop()
  }

  private func nextOrLeave() -> Message? {
    lock.acquire()
    let next = messages.takeFirst()
    if let next {
      if next.isCounted {
        counted -= 1
        QueueRoom.changed()
      }
    } else {
      threadID.store(Home.noThread, ordering: .relaxed)
    }
    lock.release()
    return next
  }

  /// Delivers at once if no thread is inside.
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
