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
  /// - Returns: `.ok`; `.again` after two million pieces at one moment, where the time stays; `.busy`
  ///   while another thread runs this scheduler's work.
  @discardableResult
  public func advance(by span: Duration) -> Code {
    advance(to: now.addingSaturated(span.nanoseconds))
  }

  /// Runs the work that is due up to `end`, and sets the time to `end`.
  package func advance(to end: Instant) -> Code {
    guard timeline.enter() else { return .busy }
    defer { timeline.leave() }
    var (moment, count) = (now, 0)
    while count < 2_000_000 {
      guard let work = timeline.next(dueBy: end, orPass: true) else { return .ok }
      run(work)
      let time = now
      count = time == moment ? count + 1 : 0
      moment = time
    }
    return .again
  }

  /// Runs the next `count` pieces of work, whenever they are due. The time moves on to each.
  ///
  /// - Returns: how many there were; none while another thread runs this scheduler's work.
  @discardableResult
  public func step(_ count: Int = 1) -> Int { stepping(count).done }

  /// The same with a code.
  package func stepping(_ count: Int) -> (done: Int, code: Code) {
    guard timeline.enter() else { return (0, .busy) }
    defer { timeline.leave() }
    var done = 0
    while done < count, let work = timeline.next(dueBy: .max, orPass: false) {
      run(work)
      done += 1
    }
    return (done, .ok)
  }

  /// Runs all work, whenever it is due, but at most `limit` pieces, because periodic work never
  /// ends. Answers false when the limit was reached, and while another thread runs this scheduler's
  /// work.
  @discardableResult
  public func flush(limit: Int = 1_000_000) -> Bool { !flushing(limit).isFailure }

  /// The same with a code: `.again` when the limit was reached.
  package func flushing(_ limit: Int = 1_000_000) -> Code {
    let code = stepping(limit).code
    return code.isFailure || timeline.isEmpty ? code : .again
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
    /// The thread that runs work, or 0; and in how many calls that do it is, one inside the other.
    private var runner: UInt64 = 0
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

    /// Answers false while another thread runs work.
    func enter() -> Bool {
      let me = Thread.record.pointee.id
      return lock.withLock {
        if runner != 0 && runner != me { return false }
        runner = me
        depth += 1
        return true
      }
    }

    func leave() {
      lock.withLock {
        depth -= 1
        if depth == 0 { runner = 0 }
      }
    }

    /// Takes out the first work that is due, and moves the time on to it. If there is none, the time
    /// may pass to `end`.
    func next(dueBy end: Instant, orPass passes: Bool) -> Work? {
      lock.withLock {
        guard let work = queue.popFirst(dueBy: end) else {
          if passes { time = max(time, end) }
          return nil
        }
        time = max(time, work.due ?? time)
        // After the last moment there is none to repeat it at.
        if work.interval > 0 && time < .max {
          work.keepRhythm(after: time)
          queue.insert(work)
        }
        return work
      }
    }

    func end() {
      lock.withLock { isOver = true }
      while let work = lock.withLock({ queue.popFirst(dueBy: .max) }) { work.dispose() }
    }
  }
}
