/// Time that passes only when it is told to: for tests. Work runs on the thread that advances it, in
/// the order of its due times, then of scheduling. Belongs to one thread.
public final class VirtualScheduler: Scheduler, @unchecked Sendable {
  private var time: Instant = 0
  private let queue = TimerQueue()

  public override init() { super.init() }

  deinit { queue.disposeAll() }

  public override var now: Instant { time }

  public override func submit(_ work: Work) -> Code {
    work.scheduler = self
    if work.due == nil { work.due = time }
    queue.insert(work)
    return .ok
  }

  public override func withdraw(_ work: Work) { queue.remove(work) }

  /// Runs what is due in the next `span`, what is scheduled meanwhile included.
  public func advance(by span: Duration) { advance(to: time.addingSaturated(span.nanoseconds)) }

  /// Runs what is due up to `end`, which is the time afterwards.
  package func advance(to end: Instant) {
    while let work = queue.popFirst(dueBy: end) {
      time = max(time, work.due ?? time)
      if work.interval > 0 {
        work.due = time.addingSaturated(work.interval)
        queue.insert(work)
      }
      run(work)
    }
    time = max(time, end)
  }

  /// Runs everything, whenever it is due, but no more than `limit` pieces of work: what repeats never
  /// ends. False when the limit was reached.
  @discardableResult
  public func flush(limit: Int = 1_000_000) -> Bool {
    for _ in 0..<limit {
      guard let next = queue.nextDue else { return true }
      advance(to: max(time, next))
    }
    return queue.isEmpty
  }
}
