/// A stage's or a junction's timer. Moving it to a later time costs no timer operation: it looks
/// again when it goes off.
final class RearmableTimer: @unchecked Sendable {
  private let scheduler: Scheduler
  private let home: Home
  private unowned(unsafe) let subscription: Link
  private unowned(unsafe) let holder: Upstream
  private let ring: () -> Void
  private var deadline: Instant?
  /// Where the time is not the home's own.
  private var resident: WaitingResident?
  private var work: Disposable?
  private var workDue: Instant = 0
  /// What is refused then is the caller's to tell of.
  private var isSubmitting = false

  /// - Parameters:
  ///   - subscription: the root of what it belongs to.
  ///   - holder: the stage or junction that it belongs to: cancels it when it is torn down, and is
  ///     kept while `ring` runs.
  ///   - ring: called at `home`, inside the subscription.
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

  /// Whether a scheduler of `scheduler`'s can call at `home`.
  static func reaches(_ home: Home, from scheduler: Scheduler) -> Bool {
    guard let there = scheduler.home, there !== home else { return true }
    return home.acceptsMessages
  }

  /// Whether it is going to go off.
  var isSet: Bool { deadline != nil }

  /// Goes off after `span` nanoseconds, and not at any time set before.
  func set(after span: Int64) -> Code {
    set(at: scheduler.delayStart(isRough: true).addingSaturated(max(0, span)))
  }

  func set(at due: Instant) -> Code { setInlined(at: due) }

  /// The same, compiled into its caller.
  @inline(__always)
  func setInlined(at due: Instant) -> Code {
    // A callback that the holder has just made may have torn it down: nobody would cancel this.
    if holder.isClosed { return .ok }
    let wasSet = isSet
    deadline = due
    if !wasSet { changeWaiting() }
    if work != nil && workDue <= due { return .ok }
    return submit(due)
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

  /// It is set now, or is so no more.
  private func changeWaiting() {
    if !home.listsResidents || scheduler.home === home && home.keepsTimes { return }
    let known =
      resident
      ?? WaitingResident(subscription, at: home) { [unowned(unsafe) self] in self.giveUp() }
    resident = known
    known.isWaiting = deadline != nil
  }

  private func submit(_ due: Instant) -> Code {
    let old = work
    let next = RearmableTimerWork(self, at: home)
    work = next
    old?.dispose()
    workDue = due
    isSubmitting = true
    defer { isSubmitting = false }
    return scheduler.submit(next, at: due)
  }

  /// The scheduler has let `dropped` go: it is closed. Nobody else may know of the subscription.
  fileprivate func lost(_ dropped: Work) {
    if work === dropped && deadline != nil && !isSubmitting { giveUp() }
  }

  private func giveUp() {
    // The disposal may let go of the last reference to the subscription.
    let holder = holder
    cancel()
    subscription.dispose()
    extendLifetime(holder)
  }

  fileprivate func goOff() {
    guard let deadline else { return }
    work = nil
    // What follows may end the subscription, which the holder keeps.
    let holder = holder
    let delivery = subscription.beginDelivery()
    defer {
      subscription.endDelivery(delivery)
      extendLifetime(holder)
    }
    guard delivery.isOpen, !holder.isClosed else { return }
    if scheduler.now < deadline {
      // It cannot be refused by the scheduler it has just come from, but by a closing loop.
      if submit(deadline).isFailure { giveUp() }
      return
    }
    unset()
    ring()
  }
}

/// Makes a timer go off at its home.
private final class RearmableTimerWork: Work, @unchecked Sendable {
  private let home: Home
  private var timer: RearmableTimer?

  init(_ timer: RearmableTimer, at home: Home) {
    self.timer = timer
    self.home = home
    super.init()
    tellsItsLoss = true
  }

  override func perform() {
    guard let timer else { return }
    if home.isCurrent { timer.goOff() } else { home.perform { timer.goOff() } }
  }

  override func drop() {
    guard let timer else { return }
    self.timer = nil
    if home.isCurrent { timer.lost(self) } else { home.perform { timer.lost(self) } }
  }
}
