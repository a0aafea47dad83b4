import CBelayShim
import Synchronization

/// A home's one door for other threads: a bounded queue of letters under a lock, kept in order.
///
/// Ends and disposals are *reserved*: not counted, never refused.
package final class Mailbox: @unchecked Sendable {
  private let lock = AsymmetricLock()
  package let capacity: Int
  private let wake: () -> Void
  /// Whoever delivers goes on until nothing is left, and is not woken meanwhile.
  private let staysAwake: Bool
  private var isAwake = false
  private var letters = LetterRow()
  private var counted = 0
  private var highWaterMark = 0
  private let isShut = Atomic<Bool>(false)
  /// Whether what is opened from now on is lost.
  private let isLosing = Atomic<Bool>(false)
  /// The letters being delivered; its room is used again for the next batch.
  private var batch = LetterRow()

  /// - Parameters:
  ///   - staysAwake: whether the owner, once woken, delivers until `rests` answers true.
  ///   - wake: tells the owner that mail has come; called under the lock, so that it never is after
  ///     `close`.
  package init(capacity: Int, staysAwake: Bool = false, wake: @escaping () -> Void) {
    self.capacity = capacity
    self.staysAwake = staysAwake
    self.wake = wake
  }

  /// Takes a letter over, from any thread. (Compiled into its home's `post`, its one caller.)
  @inline(__always)
  func post(_ letter: consuming Letter, reserved: Bool) -> Code {
    lock.acquireInlined()
    let isClosed = isClosed
    if isClosed || (!reserved && counted >= capacity) {
      let code: Code = isClosed ? .canceled : .again
      lock.release()
      letter.refuse()
      return code
    }
    if !reserved { counted &+= 1 }
    if letters.append(letter) && !isAwake {
      isAwake = staysAwake
      wake()
    }
    lock.releaseInlined()
    return .ok
  }

  /// Delivers what has come by now, at home; what comes meanwhile waits for the next turn.
  package func deliver() {
    let outer = Burst.beginSeparately()
    // A callback that runs the loop is inside of another delivery, whose letters come first.
    deliverBatch()
    lock.acquire()
    swap(&batch, &letters)
    noneWaits()
    lock.release()
    deliverBatch()
    Burst.end(resuming: outer)
  }

  private func deliverBatch() {
    while let letter = batch.takeFirst() {
      letter.deliver(orLose: isLosing.load(ordering: .relaxed))
    }
  }

  /// At home: whether something for `receiver` is on its way.
  package func holdsMail(for receiver: Entity) -> Bool {
    batch.holds(receiver) || lock.withLock { letters.holds(receiver) }
  }

  /// Whether nothing is left; the next letter wakes again then.
  package func rests() -> Bool {
    lock.withLock {
      isAwake = !letters.isEmpty
      return !isAwake
    }
  }

  /// Before a close, from any thread: whoever delivers refuses each letter from now on. Other threads
  /// go on posting.
  package func loseFromNowOn() { isLosing.store(true, ordering: .relaxed) }

  /// Refuses everything from now on.
  package func close() { loseWaiting { isShut.store(true, ordering: .relaxed) } }

  /// Takes out what waits, after a change under the lock.
  private func loseWaiting(_ change: () -> Void) {
    var left = LetterRow()
    lock.withLock {
      change()
      swap(&left, &letters)
    }
    while let letter = left.takeFirst() { letter.lose() }
  }

  /// At home: loses what waits for those for which `isTheirs` says so.
  package func loseWaiting(where isTheirs: (Entity) -> Bool) {
    var theirs = LetterRow()
    batch.move(to: &theirs, where: isTheirs)
    lock.withLock { letters.move(to: &theirs, where: isTheirs) }
    while let letter = theirs.takeFirst() { letter.lose() }
  }

  /// At home, before it closes: refuses what has come by now, also of a delivery in progress, from
  /// whose callback this is called. Other threads go on posting.
  package func refuseWaiting() {
    while let letter = batch.takeFirst() { letter.lose() }
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
  package var isEmpty: Bool { batch.isEmpty && lock.withLock { letters.isEmpty } }

  /// At home: whether a delivery in progress has not come to its last letter.
  package var isMidway: Bool { !batch.isEmpty }

  /// The most that ever waited, not counting what is reserved.
  package var highWater: Int { lock.withLock { max(highWaterMark, counted) } }
}
