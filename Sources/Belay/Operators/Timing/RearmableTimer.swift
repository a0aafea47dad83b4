/// A timer of a stage or a junction. Moving it to a later time needs no timer operation: when its
/// work runs early, it arms itself again.
final class RearmableTimer: @unchecked Sendable {
  private let scheduler: Scheduler
  private let home: Home
  private unowned(unsafe) let subscription: Link
  private unowned(unsafe) let holder: Upstream
  private let ring: () -> Void
  private var deadline: Instant?
  /// The entry in the home's list, if another home keeps the time.
  private var resident: WaitingResident?
  private var work: Disposable?
  private var workDue: Instant = 0
  /// Whether `submit` is in progress; its caller handles a refusal then.
  private var isSubmitting = false

  /// - Parameters:
  ///   - subscription: the root of the holder's chain.
  ///   - holder: the stage or junction that has the timer. It cancels the timer when it is torn
  ///     down, and is retained while `ring` runs.
  ///   - ring: called at `home`, as a delivery of the subscription.
  init(
    _ scheduler: Scheduler, at home: Home, in subscription: Link, of holder: Upstream,
    _ ring: @escaping () -> Void
  ) {
    self.holder = holder
    self.scheduler = scheduler
    self.home = home
    self.subscription = subscription
    self.ring = ring
  }

  /// Answers a failure if no work of `scheduler` can reach `home`.
  static func reach(_ home: Home, from scheduler: Scheduler) -> Code {
    guard let there = scheduler.home, !home.isReached(from: there) else { return .ok }
    return scheduler.takesWork ? .noHome : .canceled
  }

  /// Whether it will go off.
  var isSet: Bool { deadline != nil }

  /// Makes a new timer go off after `span` nanoseconds. Fails if no work of its scheduler can reach
  /// its home.
  func start(after span: Int64) -> Code {
    let reach = Self.reach(home, from: scheduler)
    return reach.isFailure ? reach : set(after: span)
  }

  /// Makes it go off after `span` nanoseconds, and not at a time that was set before.
  func set(after span: Int64) -> Code {
    set(at: scheduler.delayStart(isRough: true).addingSaturated(max(0, span)))
  }

  /// If this fails, the timer is not set.
  func set(at due: Instant) -> Code { setInlined(at: due) }

  /// The same, inlined.
  @inline(__always)
  func setInlined(at due: Instant) -> Code {
    // A callback that the holder has just made may have torn it down, and then nothing would cancel
    // this.
    if holder.isClosed { return .ok }
    let wasSet = isSet
    deadline = due
    if !wasSet {
      changeWaiting()
      // A home that is closing has ended the subscription.
      if !isSet { return .ok }
    }
    if work != nil && workDue <= due { return .ok }
    let code = submit(due)
    if code.isFailure { cancel() }
    return code
  }

  func cancel() {
    unset()
    work?.dispose()
    work = nil
  }

  private func unset() {
    if !isSet { return }
    deadline = nil
    changeWaiting()
  }

  /// Lists the timer at its home while it is set.
  private func changeWaiting() {
    if !home.listsResidents || waitsAtHome { return }
    let known =
      resident
      ?? WaitingResident(subscription, at: home) { [unowned(unsafe) self] in self.giveUp() }
    resident = known
    known.isWaiting = deadline != nil
  }

  /// Whether the work waits on the home's own thread. That of a strand waits on its loop's.
  private var waitsAtHome: Bool { scheduler.home === home && home.keepsTimes }

  private func submit(_ due: Instant) -> Code {
    let old = work
    let next = RearmableTimerWork(self, at: home, of: waitsAtHome ? nil : subscription)
    work = next
    old?.dispose()
    workDue = due
    isSubmitting = true
    defer { isSubmitting = false }
    return scheduler.submit(next, at: due)
  }

  /// How its subscription began.
  fileprivate var origin: Origin { subscription.origin }

  /// Called when the scheduler drops work, because it is closed. The subscription may be reachable
  /// only from here.
  fileprivate func lost(_ dropped: Work) {
    if work === dropped && deadline != nil && !isSubmitting { giveUp() }
  }

  private func giveUp() {
    // The disposal may release the last reference to the subscription.
    let holder = holder
    cancel()
    subscription.dispose()
    extendLifetime(holder)
  }

  fileprivate func goOff() {
    guard let deadline else { return }
    work = nil
    // The following may end the subscription; the holder keeps it alive.
    let holder = holder
    let delivery = subscription.beginDelivery()
    defer {
      subscription.endDelivery(delivery)
      extendLifetime(holder)
    }
    guard delivery.isOpen, !holder.isClosed else { return }
    if scheduler.now < deadline {
      // The scheduler has just run its work, so only a closing loop can refuse.
      if submit(deadline).isFailure { giveUp() }
      return
    }
    unset()
    ring()
  }
}

/// The work that makes a timer go off at its home.
private final class RearmableTimerWork: Work, @unchecked Sendable {
  private let home: Home
  private var timer: RearmableTimer?
  /// Retained where this waits on another thread than the home's: nothing may reach the home from
  /// there, and a close there may ask for the name while the home drops the timer.
  private let subscription: Link?

  init(_ timer: RearmableTimer, at home: Home, of subscription: Link?) {
    self.timer = timer
    self.home = home
    self.subscription = subscription
    super.init()
    isLossHandled = true
  }

  override var origin: Origin { subscription?.origin ?? timer?.origin ?? Origin() }

  override func perform() {
    guard let timer else { return }
    if home.isCurrent { return timer.goOff() }
    let code = home.perform { timer.goOff() }
    if code == .noHome { subscription?.lose(code, at: home) }
  }

  override func drop() {
    guard let timer = self.timer.take() else { return }
    if home.isCurrent { timer.lost(self) } else { home.perform { timer.lost(self) } }
  }
}
