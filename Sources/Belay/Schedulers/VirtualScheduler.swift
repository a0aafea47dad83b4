/// Time that passes only when it is told to: for tests. Work runs on the thread that advances it,
/// in the order of its due times, then of scheduling. Belongs to one thread.
public final class VirtualScheduler: Scheduler, @unchecked Sendable {
  private var time: Instant = 0
  private let timeline = Timeline()

  public override init() { super.init() }

  /// What waits is disposed of, and not run.
  deinit { timeline.queue.disposeAll() }

  public override var now: Instant { time }

  public override func submit(_ work: Work) -> Code {
    work.scheduler = timeline
    if work.due == nil { work.due = time }
    timeline.queue.insert(work)
    return .ok
  }

  /// Runs what is due in the next `span`, what is scheduled meanwhile included.
  public func advance(by span: Duration) { advance(to: time.addingSaturated(span.nanoseconds)) }

  /// Runs what is due up to `end`, which is the time afterwards.
  package func advance(to end: Instant) {
    while runNext(dueBy: end) {}
    time = max(time, end)
  }

  /// Runs the next `count` pieces of work, whenever they are due; time passes to each.
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
      work.due = time.addingSaturated(work.interval)
      timeline.queue.insert(work)
    }
    run(work)
    return true
  }

  /// Runs everything, whenever it is due, but no more than `limit` pieces of work: what repeats
  /// never ends. False when the limit was reached.
  @discardableResult
  public func flush(limit: Int = 1_000_000) -> Bool {
    step(limit)
    return timeline.queue.isEmpty
  }

  /// What waits; known to the work itself, which so does not keep the scheduler.
  private final class Timeline: Scheduler, @unchecked Sendable {
    let queue = TimerQueue()
    override func withdraw(_ work: Work) { queue.remove(work) }
  }
}
