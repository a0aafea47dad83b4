/// A home with a queue of timed work, for which a subclass keeps one timer.
///
/// (`LoopCore` does the same with libuv's timer. A common base class would cost the library a table of
/// functions.)
package class TimedHome: QueuedHome, @unchecked Sendable {
  // Used at home only.
  package final let timers = TimerQueue()
  final var target: Instant?

  /// The scheduler of this home.
  var scheduler: Scheduler? { nil }
  package final override var ownScheduler: Scheduler? { scheduler }

  /// The clock of the work's times.
  var now: Instant { MonotonicClock.now }

  /// Has `runDue` called at home, not before `due`. The timer is not set.
  func startTimer(for due: Instant) {}
  /// Stops the timer, which may be set.
  func stopTimer() {}

  /// Accepts work with a time, at which its scheduler fires it. Any thread may call this.
  package final func arm(_ work: Work) -> Code {
    if !isCurrent { return post(Message(to: work, .work), reserved: false) }
    if isClosing {
      work.dispose()
      return .canceled
    }
    timers.insert(work)
    rearm()
    return .ok
  }

  /// Removes such work. Any thread may call this.
  final func disarm(_ work: Work) {
    guard work.isTimed else { return }
    perform { [self] in
      timers.remove(work)
      rearm()
    }
  }

  final func rearm() {
    if isClosing || timers.wake == target { return }
    if target != nil { stopTimer() }
    target = timers.wake
    if let target { startTimer(for: target) }
  }

  /// Runs the work that is due. The caller has set `target` to what the timer is set to now.
  final func runDue() {
    timers.run(until: now)
    rearm()
  }

  /// Ends what is at home here. Called at home.
  final func endResidents() {
    mailbox.refuseWaiting()
    // While they end, this home can be reached, so that no other thread finishes them.
    interruptResidents()
    timers.disposeAll()
    stopTimer()
    mailbox.close()
  }
}

/// Runs work at a home that keeps its times.
public class HomeScheduler: Scheduler, @unchecked Sendable {
  final let ownHome: TimedHome

  init(_ home: TimedHome) {
    ownHome = home
    super.init()
  }

  public final override var home: Home? { ownHome }
  public final override var now: Instant { ownHome.now }
  @_spi(Engine) public final override var takesWork: Bool {
    !ownHome.isClosing && !ownHome.mailbox.isClosed
  }

  @_spi(Engine) public final override func submit(_ work: Work) -> Code {
    // Already set for work that came as a message: another thread may be disposing of it now.
    if work.scheduler !== self { work.scheduler = self }
    if work.due != nil { return ownHome.arm(work) }
    return ownHome.post(Message(to: work, .work), reserved: false)
  }

  @_spi(Engine) public final override func withdraw(_ work: Work) { ownHome.disarm(work) }

  /// Runs work, unless this is a turn inside of the same work's run, or the home closes.
  @_spi(Engine) public final override func fire(_ work: Work) {
    if !takesWork { return work.dispose() }
    if !work.isRunningHere { run(work) }
  }
}
