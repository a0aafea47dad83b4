import Belay
import CLibuv
import Synchronization

/// One user of a loop, who may share it with others that know nothing of each other: the scheduler
/// that is handed out to it, and what ends when it leaves (`leave`).
///
/// A loop has one more, which nobody is and which never leaves: the scheduler of what names no handle.
package final class LoopUser: Scheduler, @unchecked Sendable {
  // They hold each other until the user leaves; whoever keeps a scheduler may go on asking it.
  package let core: LoopCore
  let options: LoopOptions
  /// The subscriptions whose observers named this user's handle, and the pointers that are to be
  /// destroyed here.
  package let members = CompoundCore()
  // The handle, while there is one. It goes on any thread: where there are no weak references, under
  // the lock of the core's users, and others use no more of it than its address.
  #if hasFeature(Embedded)
    package typealias Handle = Unmanaged<Loop>
    var handle: Handle?
  #else
    package typealias Handle = Loop
    weak var handle: Handle?
  #endif
  private let hasLeft = Atomic<Bool>(false)
  /// The handle has gone on another thread, and this has not left yet.
  let isAbandoned = Atomic<Bool>(false)
  // The loop's thread: what is told when this has left, and what that waits for.
  var closing: LoopClosing?
  var requests = 0

  init(_ core: LoopCore, _ options: LoopOptions) {
    self.core = core
    self.options = options
    super.init()
  }

  /// Any thread.
  package var isOpen: Bool { !hasLeft.load(ordering: .acquiring) }

  func leaves() { hasLeft.store(true, ordering: .releasing) }

  // MARK: A scheduler

  package override var home: Home? { core }
  package override var now: Instant { core.timeForAll }
  package override func delayStart(isRough: Bool) -> Instant { core.delayStart(isRough: isRough) }

  /// Neither has this left, nor is the loop closed or being closed.
  package override var takesWork: Bool { isOpen && core.isOpen }

  package override func submit(_ work: Work) -> Code {
    // Known already to whoever disposes of it, when it comes from elsewhere.
    if work.scheduler !== self { work.scheduler = self }
    if work.due != nil { return arm(work) }
    if refuses(work) { return .canceled }
    return core.post(Message(to: work, .work), reserved: false)
  }

  /// Takes in work that has a time, of its own or of one of its pools. Any thread.
  func arm(_ work: Work) -> Code { refuses(work) ? .canceled : core.arm(work) }

  package override func withdraw(_ work: Work) { core.disarm(work) }

  /// Runs work, unless a turn inside of that very work found it due again.
  package override func fire(_ work: Work) {
    if refuses(work) || core.isNested && work.isRunningHere { return }
    run(work)
  }

  /// Disposes of work that may not begin any more; answers whether it has done so.
  func refuses(_ work: Work) -> Bool {
    if takesWork { return false }
    work.dispose()
    return true
  }

  // MARK: What is posted

  /// Has `posted` run at the loop's next turn. Any thread.
  package func post(_ posted: LoopPost) -> Code {
    posted.user = self
    return isOpen ? core.post(Message(to: posted, .work), reserved: false) : .canceled
  }

  // MARK: What is this user's

  func owns(_ work: Work) -> Bool {
    let scheduler = work.scheduler
    return scheduler === self || (scheduler as? PoolScheduler)?.user === self
  }

  /// Whether what a message is for is this user's.
  func owns(_ receiver: Entity) -> Bool {
    if let work = receiver as? Work { return owns(work) }
    return (receiver as? LoopPost)?.user === self
  }
}

/// Something that a user has posted to the loop.
open class LoopPost: Entity, @unchecked Sendable {
  final var user: LoopUser?

  /// The loop's thread has come to it.
  open func run() {}

  public final override func receive(_ message: inout Message, isCanceled: Bool) {
    if !isCanceled && user?.isOpen ?? false { return run() }
    if !isCanceled || message.wasTaken { Lost.lose(self) }
  }
}
