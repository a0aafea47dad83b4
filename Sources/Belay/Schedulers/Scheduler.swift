import CBelayShim

/// Decides where and when work runs.
///
/// Scheduled work runs unless it is disposed of before it starts. A run that has started goes on to
/// its end. Time is monotonic.
open class Scheduler: Entity, @unchecked Sendable {
  @_spi(Engine) public final override var valueKind: ValueKind { .scheduler }

  /// The scheduler's clock.
  open var now: Instant { MonotonicClock.now }

  /// The time from which a delay counts. A loop reads the clock again, because `now` may be as old
  /// as the turn, and nothing may run early.
  ///
  /// - Parameter isRough: for an operator that delays anew with each value, which an exact reading
  ///   would slow down. The answer may be some milliseconds old.
  @_spi(Engine) open func delayStart(isRough: Bool) -> Instant { now }

  /// The home at which its work runs; nil: the home of the thread that schedules.
  open var home: Home? { nil }

  /// The largest number of messages that have ever waited in its home's queue, without ends and
  /// disposals.
  public final var queueHighWater: Int { (home as? QueuedHome)?.queueHighWater ?? 0 }

  /// Whether work may begin here, because the home is neither closed nor closing. Any thread may
  /// ask.
  @_spi(Engine) open var takesWork: Bool { true }

  /// Accepts `work`. If this fails, the work is disposed of.
  @_spi(Engine) open func submit(_ work: Work) -> Code {
    work.dispose()
    return .invalid
  }

  /// Called on any thread when `work` has been disposed of, so that the scheduler can release it.
  @_spi(Engine) open func withdraw(_ work: Work) {}

  /// Runs `work`, or schedules it by its time. It was posted to its home, or to the home that keeps
  /// its time, and has arrived.
  @_spi(Engine) open func arrive(_ work: Work) {
    if work.due == nil { run(work) } else { _ = submit(work) }
  }

  /// Runs `work`, whose time has come.
  @_spi(Engine) open func fire(_ work: Work) { run(work) }

  /// This scheduler, or the one to which it delegates on this thread at the moment.
  @_spi(Engine) open var resolved: Scheduler { self }

  /// Runs `action` as soon as possible, in the order of scheduling.
  ///
  /// - Returns: a disposable that prevents the run. It is disposed of already if the scheduler
  ///   accepts no work.
  @discardableResult
  public final func schedule(_ action: @escaping () -> Void) -> Disposable {
    let work = ClosureWork(action)
    _ = submit(work)
    return work
  }

  /// Runs `action` once, no earlier than `delay` from now. `label` is its name when a close reports
  /// it.
  @discardableResult
  public final func schedule(
    after delay: Duration, label: StaticString? = nil, _ action: @escaping () -> Void
  ) -> Disposable {
    let work = ClosureWork(label: label, action)
    _ = submit(work, after: delay.nanoseconds)
    return work
  }

  /// Runs `action` after `delay` and then every `interval`. A run may be up to `leeway` late, so
  /// that timers can share a wake-up. Intervals that were missed are skipped, and the rhythm is
  /// kept. On virtual time no run is late.
  ///
  /// - Returns: a disposable that prevents further runs. It is disposed of already, and `action`
  ///   never runs, if `interval` is not positive or the scheduler accepts no work.
  @discardableResult
  public final func schedule(
    after delay: Duration, every interval: Duration, leeway: Duration = .zero,
    label: StaticString? = nil, _ action: @escaping () -> Void
  ) -> Disposable {
    let work = ClosureWork(label: label, action)
    // A part of a nanosecond counts as one.
    let every = interval > .zero ? max(1, interval.nanoseconds) : 0
    _ = submit(work, after: delay.nanoseconds, every: every, leeway: leeway.nanoseconds)
    return work
  }

  /// Accepts `work`, to run after `delay` nanoseconds, and then every `interval` nanoseconds if
  /// that is not nil.
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

  /// Accepts `work` also while the queue of the home is full. It is for work of which at most one
  /// waits, so that the queue stays bounded.
  final func submitInAnyCase(_ work: Work) -> Code {
    guard let home, home.acceptsMessages, takesWork else { return submit(work) }
    if work.scheduler !== self { work.scheduler = self }
    return home.post(Message(to: work, .work), reserved: true)
  }

  /// Accepts `work`, to run at `due`.
  package final func submit(_ work: Work, at due: Instant) -> Code {
    work.isTimed = true
    work.due = due
    return submit(work)
  }

  /// The scheduler whose work is running on this thread, if any.
  package static var running: Scheduler? {
    Thread.own.pointee.scheduler.map {
      Unmanaged<Scheduler>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// The scheduler whose work is running on this thread, or else that of the loop bound to it; nil
  /// if there is neither.
  public static var current: Scheduler? { running ?? Home.currentIfMade?.ownScheduler }

  /// Runs `work` on this thread, with this as the running scheduler.
  @inline(__always)
  package final func run(_ work: Work) {
    let own = Thread.own
    let outer = own.pointee.scheduler
    own.pointee.scheduler = Unmanaged.passUnretained(self).toOpaque()
    work.run()
    own.pointee.scheduler = outer
  }
}
