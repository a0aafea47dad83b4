import Belay
import Synchronization

/// Runs work on threads of libuv's pool, one piece after the other, in the order of scheduling.
///
/// It is a home, too, bound to the thread that is running its work: what is subscribed there has
/// its callbacks one at a time. Its times, and the way to the pool, are the loop's, which has to
/// run.
public final class PoolScheduler: Scheduler, @unchecked Sendable {
  private let core: LoopCore
  private let strand: Strand
  /// Whose it is: its work ends when that user leaves.
  let user: LoopUser

  /// Any thread. On a closed loop it refuses all work, `.canceled`.
  public init(on loop: Loop) {
    core = loop.core
    user = loop.user
    strand = Strand(loop.core, of: loop.user)
    super.init()
  }

  public override var home: Home? { strand }
  public override var now: Instant { core.timeForAll }
  public override func delayStart(isRough: Bool) -> Instant { core.delayStart(isRough: isRough) }

  public override var takesWork: Bool { user.takesWork }

  public override func submit(_ work: Work) -> Code {
    if work.scheduler !== self { work.scheduler = self }
    if work.due != nil { return user.arm(work) }
    return strand.post(Message(to: work, .work), reserved: false)
  }

  public override func withdraw(_ work: Work) { core.disarm(work) }

  /// At the loop, which keeps its time, or at the strand.
  public override func arrive(_ work: Work) {
    if strand.isCurrent {
      run(work)
      work.isWaiting.store(false, ordering: .relaxed)
    } else {
      _ = user.arm(work)
    }
  }

  /// Repeating work whose last run is not over misses this one.
  public override func fire(_ work: Work) {
    if user.refuses(work) || work.isWaiting.exchange(true, ordering: .relaxed) { return }
    _ = strand.post(Message(to: work, .work), reserved: true)
  }
}
