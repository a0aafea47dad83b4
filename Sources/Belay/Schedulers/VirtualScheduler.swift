import CBelayShim

/// A scheduler for tests, whose time passes only when the test says so. Work runs on the thread
/// that advances the time, in the order of due times, then of scheduling. Any thread may schedule
/// work, and one at a time may run it.
public final class VirtualScheduler: Scheduler, @unchecked Sendable {
  private let timeline = Timeline()

  /// Begins at time 0.
  public override init() { super.init() }

  /// Disposes of work that waits, without running it.
  deinit { timeline.end() }

  public override var now: Instant { timeline.now }
  @_spi(Engine) public override var resolved: Scheduler { timeline }

  @_spi(Engine) public override func submit(_ work: Work) -> Code { timeline.submit(work) }

  /// Runs the work that is due in the next `span`, with work that is scheduled meanwhile.
  ///
  /// - Returns: `.ok`; `.again`, and the time stays, after two million pieces at one moment; `.busy`
  ///   while another thread runs work of this.
  @discardableResult
  public func advance(by span: Duration) -> Code {
    advance(to: now.addingSaturated(span.nanoseconds))
  }

  /// Runs the work that is due up to `end`, and sets the time to `end`.
  package func advance(to end: Instant) -> Code {
    var (moment, count) = (now, 0)
    while count < 2_000_000 {
      switch runNext(dueBy: end) {
      case .queued:
        let time = now
        count = time == moment ? count + 1 : 0
        moment = time
      case .ok:
        timeline.pass(to: end)
        return .ok
      case let code: return code
      }
    }
    return .again
  }

  /// Runs the next `count` pieces of work, whenever they are due. The time moves on to each.
  ///
  /// - Returns: how many there were; none while another thread runs work of this.
  @discardableResult
  public func step(_ count: Int = 1) -> Int { stepping(count).done }

  /// The same with a code.
  package func stepping(_ count: Int) -> (done: Int, code: Code) {
    var done = 0
    while done < count {
      let code = runNext(dueBy: .max)
      if code != .queued { return (done, code) }
      done += 1
    }
    return (done, .ok)
  }

  /// Runs all work, whenever it is due, but at most `limit` pieces, because periodic work never
  /// ends. Answers false when the limit was reached, and while another thread runs work of this.
  @discardableResult
  public func flush(limit: Int = 1_000_000) -> Bool { !flushing(limit).isFailure }

  /// The same with a code: `.again` when the limit was reached.
  package func flushing(_ limit: Int = 1_000_000) -> Code {
    let code = stepping(limit).code
    return code.isFailure || timeline.isEmpty ? code : .again
  }

  /// Answers `.queued` if there was work, `.ok` if there was none, or `.busy`.
  private func runNext(dueBy end: Instant) -> Code {
    let (work, code) = timeline.begin(dueBy: end)
    guard let work else { return code }
    run(work)
    timeline.finish()
    return .queued
  }

  /// The time and the waiting work. Work refers to this only, so that it does not retain the
  /// scheduler.
  private final class Timeline: Scheduler, @unchecked Sendable {
    private let lock = Lock()
    // The lock protects the fields below.
    private let queue = TimerQueue()
    private var time: Instant = 0
    /// Whether the scheduler has gone.
    private var isOver = false
    /// The thread that runs work, or 0.
    private var runner: UInt64 = 0
    /// How many pieces it is in, one inside the other.
    private var depth = 0

    override var now: Instant { lock.withLock { time } }
    var isEmpty: Bool { lock.withLock { queue.isEmpty } }

    override func submit(_ work: Work) -> Code {
      let isOver = lock.withLock {
        if self.isOver { return true }
        work.scheduler = self
        if work.due == nil { work.due = time }
        // There is no wake-up that it could share.
        work.leeway = 0
        queue.insert(work)
        return false
      }
      if !isOver { return .ok }
      work.dispose()
      return .canceled
    }

    override func withdraw(_ work: Work) { lock.withLock { queue.remove(work) } }

    /// Takes out the first work that is due, and moves the time on to it.
    func begin(dueBy end: Instant) -> (Work?, Code) {
      let me = Thread.record.pointee.id
      return lock.withLock {
        if runner != 0 && runner != me { return (nil, .busy) }
        guard let work = queue.popFirst(dueBy: end) else { return (nil, .ok) }
        time = max(time, work.due ?? time)
        // After the last moment there is none to repeat it at.
        if work.interval > 0 && time < .max {
          work.keepRhythm(after: time)
          queue.insert(work)
        }
        runner = me
        depth += 1
        return (work, .ok)
      }
    }

    func finish() {
      lock.withLock {
        depth -= 1
        if depth == 0 { runner = 0 }
      }
    }

    func pass(to end: Instant) { lock.withLock { time = max(time, end) } }

    func end() {
      lock.withLock { isOver = true }
      while let work = lock.withLock({ queue.popFirst(dueBy: .max) }) { work.dispose() }
    }
  }
}
