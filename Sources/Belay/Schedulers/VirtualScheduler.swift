/// A scheduler for tests, whose time passes only when the test says so. Work runs on the thread
/// that advances the time, in the order of due times, then of scheduling. It belongs to one thread.
public final class VirtualScheduler: Scheduler, @unchecked Sendable {
  private let timeline = Timeline()

  /// Begins at time 0.
  public override init() { super.init() }

  /// Disposes of work that waits, without running it.
  deinit {
    timeline.isOver = true
    timeline.queue.disposeAll()
  }

  public override var now: Instant { time }
  @_spi(Engine) public override var resolved: Scheduler { timeline }

  @_spi(Engine) public override func submit(_ work: Work) -> Code { timeline.submit(work) }

  private var time: Instant {
    get { timeline.time }
    set { timeline.time = newValue }
  }

  /// Runs the work that is due in the next `span`, with work that is scheduled meanwhile.
  public func advance(by span: Duration) { advance(to: time.addingSaturated(span.nanoseconds)) }

  /// Runs the work that is due up to `end`, and sets the time to `end`.
  package func advance(to end: Instant) {
    while runNext(dueBy: end) {}
    time = max(time, end)
  }

  /// Runs the next `count` pieces of work, whenever they are due. The time moves on to each.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public func step(_ count: Int = 1) -> Int {
    var done = 0
    while done < count, runNext(dueBy: .max) { done += 1 }
    return done
  }

  private func runNext(dueBy end: Instant) -> Bool {
    guard let work = timeline.queue.popFirst(dueBy: end) else { return false }
    time = max(time, work.due ?? time)
    // After the last moment there is none to repeat it at.
    if work.interval > 0 && time < .max {
      work.keepRhythm(after: time)
      timeline.queue.insert(work)
    }
    run(work)
    return true
  }

  /// Runs all work, whenever it is due, but at most `limit` pieces, because periodic work never
  /// ends. Answers false when the limit was reached.
  @discardableResult
  public func flush(limit: Int = 1_000_000) -> Bool {
    step(limit)
    return timeline.queue.isEmpty
  }

  /// The time and the waiting work. Work refers to this only, so that it does not retain the
  /// scheduler.
  private final class Timeline: Scheduler, @unchecked Sendable {
    let queue = TimerQueue()
    var time: Instant = 0
    /// Whether the scheduler has gone.
    var isOver = false

    override var now: Instant { time }

    override func submit(_ work: Work) -> Code {
      if isOver {
        work.dispose()
        return .canceled
      }
      work.scheduler = self
      if work.due == nil { work.due = time }
      // There is no wake-up that it could share.
      work.leeway = 0
      queue.insert(work)
      return .ok
    }

    override func withdraw(_ work: Work) { queue.remove(work) }
  }
}
