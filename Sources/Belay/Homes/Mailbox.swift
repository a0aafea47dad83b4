import CBelayShim
import Synchronization

/// The queue through which other threads reach a home. It is bounded, under a lock, and keeps the
/// order.
///
/// Ends and disposals are *reserved* messages: they are not counted, and never refused.
package final class Mailbox: @unchecked Sendable {
  private let lock = AsymmetricLock()
  package let capacity: Int
  private let wake: () -> Void
  /// Whether the thread that delivers goes on until nothing is left, so that posts need not wake
  /// it.
  private let staysAwake: Bool
  private var isAwake = false
  private var messages = MessageQueue()
  private var counted = 0
  /// How many messages may be counted: `capacity`; negative: none, because a close has begun.
  private var room: Int
  private var highWaterMark = 0
  private let isShut = Atomic<Bool>(false)
  /// Whether messages that are opened from now on are lost.
  private let isLosing = Atomic<Bool>(false)
  /// The messages that are being delivered. Its memory is used again for the next batch.
  private var batch = MessageQueue()
  /// How many deliveries are in progress, inside of each other. Only they take from `batch` then.
  private var deliveries = 0
  /// The receiver of the message that is being opened, if a message in `batch` keeps it. A turn
  /// that opens messages of `batch` inside of that retains it first, and sets this to nil.
  private var opening: Unmanaged<Entity>?

  /// - Parameters:
  ///   - staysAwake: whether the owner, once woken, delivers until `rests` answers true.
  ///   - wake: tells the owner that a message has come. It is called under the lock, so that it
  ///     never follows `close`.
  package init(capacity: Int, staysAwake: Bool = false, wake: @escaping () -> Void) {
    self.capacity = max(0, capacity)
    room = self.capacity
    self.staysAwake = staysAwake
    self.wake = wake
  }

  /// Takes a message over, from any thread. It is inlined into its only callers, the homes' `post`.
  @inline(__always)
  func post(_ message: consuming Message, reserved: Bool) -> Code {
    lock.acquireInlined()
    let isClosed = isClosed
    if isClosed || (!reserved && counted >= room) {
      let code: Code = isClosed || room < 0 ? .canceled : .again
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

  /// Delivers the messages that have come by now, until the `budget` is spent, if there is one. The
  /// others wait for the next turn, for which the owner is woken, and so do messages that come
  /// meanwhile. Called at home only.
  package func deliver(_ budget: TurnBudget? = nil) {
    var budget = budget
    let outer = Batch.beginSeparately()
    lock.withLock { deliveries += 1 }
    // The rest of the last turn, or, when a callback runs the loop, of a delivery in progress.
    var isDone = deliverBatch(&budget)
    if isDone {
      lock.acquire()
      swap(&batch, &messages)
      noneWaits()
      lock.release()
      isDone = deliverBatch(&budget)
    }
    Batch.end(resuming: outer)
    let isLeft = !isDone && !isEmpty
    // From now on a close on another thread may lose what is left.
    lock.withLock { deliveries -= 1 }
    if isClosed {
      loseWaiting {}
    } else if isLeft {
      wakeOwner()
    }
  }

  /// Answers false if the budget is spent.
  private func deliverBatch(_ budget: inout TurnBudget?) -> Bool {
    keepOpening()
    while let message = batch.takeFirst() {
      let receiver = message.keepsReceiver ? nil : message.receiver
      opening = receiver
      message.deliver(orLose: isLosing.load(ordering: .relaxed))
      if let receiver {
        if opening == nil { receiver.drop() }
        opening = nil
      }
      if budget?.isSpent() ?? false { return false }
    }
    return true
  }

  /// Keeps the receiver that an outer delivery has called, because the message that keeps it may be
  /// opened now.
  private func keepOpening() {
    _ = opening?.retain()
    opening = nil
  }

  /// Whether a message for `receiver` has not been opened yet. Called at home only.
  package func holdsMessages(for receiver: Entity) -> Bool {
    batch.holds(receiver) || lock.withLock { messages.holds(receiver) }
  }

  /// Whether nothing is left. If so, the next message wakes the owner again, after `settle` has
  /// run. `settle` runs under the lock, as `wake` does, so that it never undoes a later `wake`.
  package func rests(_ settle: () -> Void = {}) -> Bool {
    lock.withLock {
      isAwake = !messages.isEmpty
      if !isAwake { settle() }
      return !isAwake
    }
  }

  /// From now on each message that is opened is lost. Any thread may call this before a close.
  /// Other threads may go on posting.
  package func loseFromNowOn() { isLosing.store(true, ordering: .relaxed) }

  /// Refuses everything from now on.
  package func close() {
    loseWaiting {
      isShut.store(true, ordering: .relaxed)
      QueueRoom.changed()
    }
  }

  /// Loses the messages that wait, after making `change` under the lock: also what a delivery has
  /// left when its budget was spent, if none is in progress.
  private func loseWaiting(_ change: () -> Void) {
    var left = MessageQueue()
    var rest = MessageQueue()
    lock.withLock {
      change()
      swap(&left, &messages)
      if deliveries == 0 { swap(&rest, &batch) }
    }
    while let message = rest.takeFirst() { message.lose() }
    while let message = left.takeFirst() { message.lose() }
  }

  /// Loses the waiting messages whose receiver satisfies `isTheirs`. Called at home only.
  package func loseWaiting(where isTheirs: (Entity) -> Bool) {
    keepOpening()
    var theirs = MessageQueue()
    batch.move(to: &theirs, where: isTheirs)
    lock.withLock { messages.move(to: &theirs, where: isTheirs) }
    while let message = theirs.takeFirst() { message.lose() }
  }

  /// Loses the messages that have come by now, also those of a delivery in progress, from whose
  /// callback this may be called. From now on only reserved messages are taken. Called at home, before
  /// a close ends the receivers: what comes for one that has ended does not count as lost.
  package func refuseWaiting() {
    keepOpening()
    while let message = batch.takeFirst() { message.lose() }
    loseWaiting {
      room = -1
      noneWaits()
    }
  }

  /// Notes that the queue has been emptied. The caller holds the lock.
  private func noneWaits() {
    highWaterMark = max(highWaterMark, counted)
    counted = 0
    QueueRoom.changed()
  }

  /// Whether every further message is refused.
  package var isClosed: Bool { isShut.load(ordering: .relaxed) }

  /// Wakes the owner although no message has come.
  package func wakeOwner() { lock.withLock(wake) }

  /// Whether no message waits, not even one of a delivery in progress, from whose callback this may
  /// be called. Called at home only.
  package var isEmpty: Bool { batch.isEmpty && lock.withLock { messages.isEmpty } }

  /// Whether more than one message has not been opened yet. Called at home only.
  package var hasSeveral: Bool { batch.count + lock.withLock { messages.count } > 1 }

  /// The largest number of messages that have ever waited, without the reserved ones.
  package var highWater: Int { lock.withLock { max(highWaterMark, counted) } }
}
