import CBelayShim

/// Where and when work runs.
///
/// Scheduled work runs unless it is disposed before it starts; once started it runs to its end.
/// Time is monotonic.
open class Scheduler: Entity, @unchecked Sendable {
  public final override var valueKind: ValueKind { .scheduler }

  /// The scheduler's clock.
  open var now: Instant { MonotonicClock.now }

  /// The time that a delay counts from. A loop reads it anew: `now` may be as old as the turn, and
  /// nothing may run early.
  ///
  /// - Parameter isRough: for what is delayed anew by each value, which reading the clock would slow
  ///   down: it may be some milliseconds old.
  open func delayStart(isRough: Bool) -> Instant { now }

  /// The home at which its work runs; nil: that of whoever schedules.
  open var home: Home? { nil }

  /// The most that ever waited in its home's queue, not counting ends and disposals.
  public final var queueHighWater: Int { (home as? QueuedHome)?.queueHighWater ?? 0 }

  /// Whether work may begin here: what it runs on is neither closed nor being closed. Any thread.
  open var takesWork: Bool { true }

  /// Takes `work` in. On a failure the work is disposed of.
  open func submit(_ work: Work) -> Code {
    work.dispose()
    return .invalid
  }

  /// `work` has been disposed of, on any thread; it need not be kept any longer.
  open func withdraw(_ work: Work) {}

  /// `work` was posted to its home, or to where its time is kept, and has arrived there.
  open func arrive(_ work: Work) { if work.due == nil { run(work) } else { _ = submit(work) } }

  /// The time of `work` has come.
  open func fire(_ work: Work) { run(work) }

  /// Itself, or the one that it chooses here and now.
  open var resolved: Scheduler { self }

  /// Runs `action` as soon as it can, in the order of scheduling.
  ///
  /// - Returns: what keeps it from starting; disposed already when the scheduler takes no work.
  @discardableResult
  public final func schedule(_ action: @escaping () -> Void) -> Disposable {
    let work = ClosureWork(action)
    _ = submit(work)
    return work
  }

  /// Runs `action` once, no earlier than `delay` from now.
  @discardableResult
  public final func schedule(after delay: Duration, _ action: @escaping () -> Void) -> Disposable {
    let work = ClosureWork(action)
    _ = submit(work, after: delay.nanoseconds)
    return work
  }

  /// Runs `action` after `delay` and then every `interval`, each run at most `leeway` late so that
  /// timers can share a wake-up. Missed intervals are skipped, the rhythm is kept.
  @discardableResult
  public final func schedule(
    after delay: Duration, every interval: Duration, leeway: Duration = .zero,
    _ action: @escaping () -> Void
  ) -> Disposable {
    let work = ClosureWork(action)
    _ = submit(
      work, after: delay.nanoseconds, every: interval.nanoseconds, leeway: leeway.nanoseconds)
    return work
  }

  /// Takes `work` in, to run after `delay` nanoseconds and, if `interval` is not nil, again and
  /// again after.
  package final func submit(
    _ work: Work, after delay: Int64, every interval: Int64? = nil, leeway: Int64 = 0
  ) -> Code {
    if let interval, interval <= 0 {
      work.dispose()
      return .invalid
    }
    work.interval = interval ?? 0
    work.leeway = max(0, leeway)
    return submit(work, at: delayStart(isRough: false).addingSaturated(max(0, delay)))
  }

  /// Takes `work` in, to run at `due`.
  package final func submit(_ work: Work, at due: Instant) -> Code {
    work.isTimed = true
    work.due = due
    return submit(work)
  }

  /// The scheduler whose work is running on this thread; else nil.
  package static var running: Scheduler? {
    Thread.own.pointee.scheduler.map {
      Unmanaged<Scheduler>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// The scheduler whose work is running on this thread, else that of the loop bound to it; nil
  /// when there is neither.
  public static var current: Scheduler? { running ?? Home.currentIfMade?.ownScheduler }

  /// Runs `work` on this thread, as the current scheduler.
  @inline(__always)
  package final func run(_ work: Work) {
    let own = Thread.own
    let outer = own.pointee.scheduler
    own.pointee.scheduler = Unmanaged.passUnretained(self).toOpaque()
    work.run()
    own.pointee.scheduler = outer
  }
}
