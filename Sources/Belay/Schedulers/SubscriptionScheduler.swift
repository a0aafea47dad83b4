/// Runs work at once, within `submit`, if there is a current scheduler, which stays the current
/// one. Otherwise the work runs on another scheduler, the *background*. Delayed work runs on the
/// current scheduler, or else on the background. (ReactiveObjC's
/// RACScheduler.subscriptionScheduler, which makes its background itself.)
public final class SubscriptionScheduler: Scheduler, @unchecked Sendable {
  private let background: Scheduler

  /// - Parameter background: runs the work of threads that have no loop.
  public init(background: Scheduler) {
    // A chain of these ends at one background.
    self.background = (background as? SubscriptionScheduler)?.background ?? background
    super.init()
  }

  @_spi(Engine) public override var resolved: Scheduler {
    Scheduler.current == nil ? background.resolved : ImmediateScheduler.shared
  }

  public override var home: Home? { resolved.home }
  public override var now: Instant { (Scheduler.current ?? background).now }

  @_spi(Engine) public override func delayStart(isRough: Bool) -> Instant {
    (Scheduler.current ?? background).delayStart(isRough: isRough)
  }

  @_spi(Engine) public override func submit(_ work: Work) -> Code {
    guard let current = Scheduler.current else { return background.submit(work) }
    if work.due != nil { return current.submit(work) }
    work.run()
    return .ok
  }
}
