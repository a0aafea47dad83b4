import CBelayShim
import Synchronization

/// A home's one door for other threads: a bounded queue of messages under a lock, kept in order.
///
/// Ends and disposals are *reserved*: not counted, never refused.
package final class Mailbox: @unchecked Sendable {
  private let lock = AsymmetricLock()
  package let capacity: Int
  private let wake: () -> Void
  /// Whoever delivers goes on until nothing is left, and is not woken meanwhile.
  private let staysAwake: Bool
  private var isAwake = false
  private var messages = MessageQueue()
  private var counted = 0
  private var highWaterMark = 0
  private let isShut = Atomic<Bool>(false)
  /// Whether what is opened from now on is lost.
  private let isLosing = Atomic<Bool>(false)
  /// The messages being delivered; its room is used again for the next batch.
  private var batch = MessageQueue()

  /// - Parameters:
  ///   - staysAwake: whether the owner, once woken, delivers until `rests` answers true.
  ///   - wake: tells the owner that mail has come; called under the lock, so that it never is after
  ///     `close`.
  package init(capacity: Int, staysAwake: Bool = false, wake: @escaping () -> Void) {
    self.capacity = capacity
    self.staysAwake = staysAwake
    self.wake = wake
  }

  /// Takes a message over, from any thread. (Compiled into its home's `post`, its one caller.)
  @inline(__always)
  func post(_ message: consuming Message, reserved: Bool) -> Code {
    lock.acquireInlined()
    let isClosed = isClosed
    if isClosed || (!reserved && counted >= capacity) {
      let code: Code = isClosed ? .canceled : .again
      lock.release()
      message.cancel()
      return code
    }
    if !reserved { counted &+= 1 }
    if messages.append(message) && !isAwake {
      isAwake = staysAwake
      wake()
    }
    lock.releaseInlined()
    return .ok
  }

  /// Delivers what has come by now, at home; what comes meanwhile waits for the next turn.
  package func deliver() {
    let outer = Batch.beginSeparately()
    // A callback that runs the loop is inside of another delivery, whose messages come first.
    deliverBatch()
    lock.acquire()
    swap(&batch, &messages)
    noneWaits()
    lock.release()
    deliverBatch()
    Batch.end(resuming: outer)
  }

  private func deliverBatch() {
    while let message = batch.takeFirst() {
      message.deliver(orLose: isLosing.load(ordering: .relaxed))
    }
  }

  /// At home: whether something for `receiver` is on its way.
  package func holdsMessages(for receiver: Entity) -> Bool {
    batch.holds(receiver) || lock.withLock { messages.holds(receiver) }
  }

  /// Whether nothing is left. Then the next message wakes again, after `settle` has run: it runs under
  /// the lock, as `wake` does, so that what it says never follows what `wake` says.
  package func rests(_ settle: () -> Void = {}) -> Bool {
    lock.withLock {
      isAwake = !messages.isEmpty
      if !isAwake { settle() }
      return !isAwake
    }
  }

  /// Before a close, from any thread: whoever delivers refuses each message from now on. Other threads
  /// go on posting.
  package func loseFromNowOn() { isLosing.store(true, ordering: .relaxed) }

  /// Refuses everything from now on.
  package func close() { loseWaiting { isShut.store(true, ordering: .relaxed) } }

  /// Takes out what waits, after a change under the lock.
  private func loseWaiting(_ change: () -> Void) {
    var left = MessageQueue()
    lock.withLock {
      change()
      swap(&left, &messages)
    }
    while let message = left.takeFirst() { message.lose() }
  }

  /// At home: loses what waits for those for which `isTheirs` says so.
  package func loseWaiting(where isTheirs: (Entity) -> Bool) {
    var theirs = MessageQueue()
    batch.move(to: &theirs, where: isTheirs)
    lock.withLock { messages.move(to: &theirs, where: isTheirs) }
    while let message = theirs.takeFirst() { message.lose() }
  }

  /// At home, before it closes: refuses what has come by now, also of a delivery in progress, from
  /// whose callback this is called. Other threads go on posting.
  package func refuseWaiting() {
    while let message = batch.takeFirst() { message.lose() }
    loseWaiting { noneWaits() }
  }

  /// Under the lock.
  private func noneWaits() {
    highWaterMark = max(highWaterMark, counted)
    counted = 0
  }

  /// Whether it takes nothing any more.
  package var isClosed: Bool { isShut.load(ordering: .relaxed) }

  /// At home: whether nothing waits, not even of a delivery in progress, from whose callback this is
  /// asked.
  package var isEmpty: Bool { batch.isEmpty && lock.withLock { messages.isEmpty } }

  /// At home: whether a delivery in progress has not come to its last message.
  package var isMidway: Bool { !batch.isEmpty }

  /// The most that ever waited, not counting what is reserved.
  package var highWater: Int { lock.withLock { max(highWaterMark, counted) } }
}
