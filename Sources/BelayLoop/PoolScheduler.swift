@_spi(Engine) import Belay
import Synchronization

/// Runs work on threads of libuv's pool, one piece after the other, in the order of scheduling.
///
/// Its home is a strand, bound to the thread that is running its work, so the callbacks of
/// subscriptions there run one at a time. The loop keeps its times and asks the pool for threads,
/// so the loop must run.
public final class PoolScheduler: Scheduler, @unchecked Sendable {
  private let core: LoopCore
  private let strand: Strand
  /// The user that it belongs to. Its work ends when that user leaves.
  let user: LoopUser

  /// Any thread may call this. On a closed loop, the scheduler refuses all work with `.canceled`.
  public convenience init(on loop: Loop) { self.init(of: loop.user) }

  package init(of user: LoopUser) {
    core = user.core
    self.user = user
    strand = Strand(user.core, of: user)
    super.init()
  }

  public override var home: Home? { strand }
  public override var now: Instant { core.timeForAll }
  @_spi(Engine) public override func delayStart(isRough: Bool) -> Instant {
    core.delayStart(isRough: isRough)
  }

  @_spi(Engine) public override var takesWork: Bool { user.takesWork }

  @_spi(Engine) public override func submit(_ work: Work) -> Code {
    if work.scheduler !== self { work.scheduler = self }
    if work.due != nil { return user.arm(work) }
    return strand.post(Message(to: work, .work), reserved: false)
  }

  @_spi(Engine) public override func withdraw(_ work: Work) { core.disarm(work) }

  /// Called at the strand for work whose time has come, and at the loop for work that still waits
  /// for it.
  @_spi(Engine) public override func arrive(_ work: Work) {
    if strand.isCurrent {
      run(work)
      work.isWaiting.store(false, ordering: .relaxed)
    } else {
      _ = user.arm(work)
    }
  }

  /// Sends work to the strand, unless its last run is not over. Periodic work then misses this run.
  @_spi(Engine) public override func fire(_ work: Work) {
    if user.refuses(work) || work.isWaiting.exchange(true, ordering: .relaxed) { return }
    _ = strand.post(Message(to: work, .work), reserved: true)
  }
}
