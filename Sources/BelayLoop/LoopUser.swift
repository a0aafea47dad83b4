@_spi(Engine) import Belay
import CLibuv
import Synchronization

/// One user of a loop, which it may share with users that do not know of it. It is the scheduler
/// that this user hands out, and ends what belongs to the user when the user leaves (`leave`).
///
/// Each loop also has one that never leaves: the scheduler of work that names no user's handle.
package final class LoopUser: Scheduler, @unchecked Sendable {
  // The user and the core retain each other until the user leaves. A scheduler may be used even
  // after that.
  package let core: LoopCore
  let options: LoopOptions
  /// The subscriptions whose observers named this user's handle, and the pointers that must be
  /// destroyed at this loop.
  package let members = CompoundCore()
  // The handle; nil when it has gone. It goes on any thread. Without weak references, the lock of
  // the core's users protects this, and other code uses only the handle's address.
  #if hasFeature(Embedded)
    package typealias Handle = Unmanaged<Loop>
    var handle: Handle?
  #else
    package typealias Handle = Loop
    weak var handle: Handle?
  #endif
  private let hasLeft = Atomic<Bool>(false)
  /// Whether the handle has gone on another thread, and this has not left yet.
  let isAbandoned = Atomic<Bool>(false)
  // Used on the loop's thread: the report for the time when this has left, and how many requests it
  // waits for.
  var closing: ClosingReport?
  var requests = 0
  /// The one behind this in the loop's list of those that have left.
  var nextLeaver: LoopUser?

  init(_ core: LoopCore, _ options: LoopOptions) {
    self.core = core
    self.options = options
    super.init()
  }

  /// Whether it has not left. Any thread may ask.
  package var isOpen: Bool { !hasLeft.load(ordering: .acquiring) }

  func markLeft() { hasLeft.store(true, ordering: .releasing) }

  // MARK: Scheduler

  package override var home: Home? { core }
  package override var now: Instant { core.timeForAll }
  package override func delayStart(isRough: Bool) -> Instant { core.delayStart(isRough: isRough) }

  /// Whether this has not left, and the loop is neither closed nor closing. On the thread of a host's
  /// loop also whether it has its handles.
  package override var takesWork: Bool { isUsable && !hasLostLoop }

  private var isUsable: Bool { isOpen && core.isOpen }

  /// Whether this is the thread of a host's loop that has lost Belay's handles.
  private var hasLostLoop: Bool { core.isAdopted && core.isCurrent && core.hasLostHandles }

  package override func submit(_ work: Work) -> Code {
    // Already set for work that came as a message: another thread may be disposing of it now.
    if work.scheduler !== self { work.scheduler = self }
    if work.due != nil { return arm(work) }
    if refuses(work) || core.isAdopted && hostRefuses(work) { return .canceled }
    return core.post(Message(to: work, .work), reserved: false)
  }

  /// Accepts work with a time, which is this scheduler's or a pool's. Any thread may call this.
  func arm(_ work: Work) -> Code {
    refuses(work) || core.isAdopted && hostRefuses(work) ? .canceled : core.arm(work)
  }

  /// Whether a host's loop cannot get what this thread sends, because it has lost Belay's handles; then
  /// disposes of it. Otherwise the host's run waits for it. (Another thread may be taking over a loop of
  /// Belay's own, so that one is not held.)
  @inline(never)
  private func hostRefuses(_ work: Disposable?) -> Bool {
    if !core.isCurrent { return false }
    if !core.hasLostHandles {
      core.holdForTurn()
      return false
    }
    work?.dispose()
    return true
  }

  package override func withdraw(_ work: Work) { core.disarm(work) }

  /// Runs work, unless this is a turn inside of the same work's run.
  package override func fire(_ work: Work) {
    if refuses(work) || core.isNested && work.isRunningHere { return }
    run(work)
  }

  /// Disposes of work that may not begin any more. Answers whether it did.
  func refuses(_ work: Work) -> Bool {
    if isUsable { return false }
    work.dispose()
    return true
  }

  // MARK: Posts

  /// Runs `posted` at the loop's next turn. Any thread may call this.
  package func post(_ posted: LoopPost) -> Code {
    posted.user = self
    if !isOpen || core.isAdopted && hostRefuses(nil) { return .canceled }
    return core.post(Message(to: posted, .work), reserved: false)
  }

  // MARK: Belongings

  func owns(_ work: Work) -> Bool {
    let scheduler = work.scheduler
    return scheduler === self || (scheduler as? PoolScheduler)?.user === self
  }

  /// Whether the receiver of a message belongs to this user.
  func owns(_ receiver: Entity) -> Bool {
    if let work = receiver as? Work { return owns(work) }
    return (receiver as? LoopPost)?.user === self
  }
}

/// Something that a user has posted to its loop.
@_spi(Engine) open class LoopPost: Entity, @unchecked Sendable {
  final var user: LoopUser?

  /// Called on the loop's thread.
  open func run() {}

  /// It has run, or never will. Also called when nothing is left of it.
  open func drop() {}

  public final override func receive(_ message: inout Message, isCanceled: Bool) {
    defer { drop() }
    if !isCanceled && user?.isOpen ?? false {
      let begun = SlowCallbackHook.begin()
      run()
      return SlowCallbackHook.end(begun, self)
    }
    if !isCanceled || message.wasAccepted { Lost.lose(self) }
  }
}
