import Synchronization

/// A loop of the host's own, which runs work on one thread. A program makes a subclass.
///
/// Its functions must not wait, call Belay, or run the work inside of the call.
open class HostLoop: @unchecked Sendable {
  /// The name in reports.
  public final var label: StaticSite?
  /// The line of code that made it.
  public final var site: StaticSite?
  /// How many values from other threads may wait.
  public final var capacity = 1024
  /// Whether a close prints no report of what was still open.
  public final var isSilent = false

  /// A loop without a label.
  public init() {}

  /// Has the work run soon, on the loop's thread. Any thread calls this.
  open func schedule(_ work: HostWork) {}

  /// Has the work run on the loop's thread after a number of nanoseconds. Called on the loop's thread.
  /// There is at most one such work.
  @_spi(Engine) open func start(_ work: HostWork, after span: Int64) {
    #if !hasFeature(Embedded)
      start(work, after: .nanoseconds(span))
    #endif
  }

  #if !hasFeature(Embedded)
    /// Has the work run on the loop's thread after a time. Called on the loop's thread. There is at
    /// most one such work.
    open func start(_ work: HostWork, after delay: Duration) {}
  #endif

  /// Cancels the work of the last `start`, if it has not run. Called on the loop's thread. It does no
  /// harm if the work runs nevertheless.
  open func cancel() {}

  /// The loop's clock in nanoseconds. Any thread calls this.
  open var now: Instant { MonotonicClock.now }
}

/// Work that a loop of the host's own has been given. A loop that ends releases what it has not run.
public final class HostWork: @unchecked Sendable {
  private let link: HostLink
  /// The number of the timer whose time it tells; 0: it opens messages.
  fileprivate let timer: UInt64
  private var hasRun = false

  fileprivate init(_ link: HostLink, timer: UInt64 = 0) {
    self.link = link
    self.timer = timer
  }

  deinit {
    // A loop drops such work that has ended, or has run it on a wrong thread. Nobody will open the
    // messages.
    if timer == 0 && !hasRun { link.home?.mailbox.close() }
    _ = link.take(timer)
  }

  /// Runs the work. Called on the loop's thread, once.
  public func run() {
    guard !hasRun, let home = link.home, !home.mailbox.isClosed else { return }
    guard home.isCurrent else {
      ErrorOutput.print("belay: a scheduler's work was run away from its thread")
      if link.take(timer) { home.perform { home.timerIsLost() } }
      return
    }
    hasRun = true
    home.run(self)
  }
}

/// Leads work to its home, until the close. Work that the host's loop keeps for longer does not
/// keep the home, which keeps the loop.
private final class HostLink: @unchecked Sendable {
  private let lock = Lock()
  private var known: HostHome?
  /// The number of the timer that the host's loop has; 0: it has none.
  let timer = Atomic<UInt64>(0)

  /// Notes that the loop no longer has this timer. Answers false if it has another one, or none.
  func take(_ number: UInt64) -> Bool {
    number != 0
      && timer.compareExchange(expected: number, desired: 0, ordering: .acquiringAndReleasing)
        .exchanged
  }

  var home: HostHome? {
    get { lock.withLock { known } }
    set { lock.withLock { known = newValue } }
  }
}

/// The home of a scheduler of the host's own, bound to the thread that has made it.
package final class HostHome: TimedHome, @unchecked Sendable {
  private let loop: HostLoop
  private let link = HostLink()
  private var known: HostScheduler?
  /// Whether a message has come, and the loop has not been asked to open it.
  private let isWoken = Atomic<Bool>(false)
  /// Whether the loop has work that opens messages and has not begun.
  private let isScheduled = Atomic<Bool>(false)
  // Used at home only.
  private var starts: UInt64 = 0
  /// When the job began that opens messages, while it does.
  private var jobStart: Instant?
  /// Whether `close` has begun. It drops work, whose context may call it again.
  private var isEnding = false

  init(_ loop: HostLoop) {
    self.loop = loop
    super.init(threadID: Home.noThread)
    Live.loops.began()
    mailbox = Mailbox(capacity: loop.capacity) { [unowned(unsafe) self] in
      isWoken.store(true, ordering: .relaxed)
    }
    known = HostScheduler(self)
    link.home = self
    Home.bind(self)
  }

  deinit { Live.loops.ended() }

  fileprivate var made: HostScheduler { known.unsafelyUnwrapped }

  /// The scheduler, until the close.
  package override var scheduler: Scheduler? { known }

  /// Limited, so that the span between two times is a number that can be rounded up.
  override var now: Instant { min(max(0, loop.now), .max / 2) }

  package override var turnStart: Instant? { jobStart }

  package override func post(_ message: consuming Message, reserved: Bool) -> Code {
    // The message may be opened at once, and the home closed, while the host is called.
    let kept = Unmanaged.passRetained(self)
    defer { kept.release() }
    let code = super.post(message, reserved: reserved)
    scheduleIfWoken()
    return code
  }

  /// Called outside of the mailbox's lock, because this calls the host.
  private func scheduleIfWoken() {
    if isWoken.load(ordering: .relaxed)
      && isWoken.exchange(false, ordering: .acquiringAndReleasing)
    {
      schedule()
    }
  }

  private func schedule() {
    if !isScheduled.exchange(true, ordering: .acquiringAndReleasing) {
      loop.schedule(HostWork(link))
    }
  }

  fileprivate func run(_ work: HostWork) {
    if work.timer != 0 {
      // The host may run what was canceled.
      if link.take(work.timer) { timeIsUp() }
      return
    }
    // Before the messages are taken: whoever finds it true has posted one of them.
    isScheduled.store(false, ordering: .relaxed)
    // A callback may run the host's loop, which must open the other messages.
    if mailbox.hasSeveral { schedule() }
    let outer = turnStart
    let began = MonotonicClock.now
    jobStart = began
    mailbox.deliver(TurnBudget(since: began))
    jobStart = outer
    scheduleIfWoken()
  }

  override func startTimer(for due: Instant) {
    starts += 1
    link.timer.store(starts, ordering: .releasing)
    loop.start(HostWork(link, timer: starts), after: max(0, due - now))
  }

  override func stopTimer() {
    if link.timer.exchange(0, ordering: .acquiringAndReleasing) != 0 { loop.cancel() }
  }

  /// Called when the host's loop has given up a timer whose time it has told to nobody here.
  fileprivate func timerIsLost() {
    if link.timer.load(ordering: .relaxed) != 0 { return }
    target = nil
    rearm()
  }

  private func timeIsUp() {
    target = nil
    // A callback may run the host's loop, which must find the other work that is due.
    if timers.outlastsFirst {
      target = 0
      startTimer(for: 0)
    }
    runDue()
  }

  package override func threadEnds() { _ = close(nil) }

  /// Ends what is at home here. Refuses everything from now on.
  fileprivate func close(_ report: (([OpenResource]) -> Void)?) -> Code {
    if isClosing { return .closed }
    if !isCurrent { return .wrongThread }
    if isEnding { return .closed }
    isEnding = true
    let closing = ClosingReport(
      report, label: loop.label, site: loop.site, isSilent: loop.isSilent)
    closing.note(at: self)
    closing.note(timers) { _ in true }
    endResidents()
    known = nil
    link.home = nil
    if Home.currentIfMade === self { Home.show(nil) }
    threadID.store(Home.noThread, ordering: .relaxed)
    closing.tell()
    return .ok
  }
}

/// Runs work on a loop of the host's own: GLib's, a game's, another language's.
///
/// The thread that makes it is the loop's thread. The loop is then the home of what is made and
/// subscribed to on that thread, and what other threads send arrives there.
public final class HostScheduler: HomeScheduler, @unchecked Sendable {
  /// Binds a loop to the calling thread, until it is closed or the thread ends.
  ///
  /// - Throws: `Code.bound` if the thread has another loop.
  public static func bind(_ loop: HostLoop) throws(Failure) -> HostScheduler {
    if Home.currentIfMade?.acceptsMessages ?? false { throw Failure(.bound) }
    return HostHome(loop).made
  }

  /// Interrupts what is at home there, disposes of its work, and refuses everything from then on.
  /// Called on the loop's thread.
  ///
  /// - Parameter closed: gets what was still open. Nil: it is printed.
  @discardableResult
  public func close(_ closed: (([OpenResource]) -> Void)? = nil) -> Code {
    unsafeDowncast(ownHome, to: HostHome.self).close(closed)
  }
}
