import CBelayShim
import Synchronization

/// The place where a subscription changes from one home, or one time, to another. The part above
/// hangs on a subscription of its own (`UpstreamSubscription`), which puts its events into the
/// queue here. Work on the scheduler empties the queue into the sink below.
final class AsyncBoundary<Value>: Resident, @unchecked Sendable {
  private let downstream: Sink<Value>
  private let target: Home
  /// The scheduler whose work delivers events; nil: messages to the target do.
  private let scheduler: Scheduler?
  private let limit: QueueLimit
  private let name: Text

  private let lock = Lock()
  private var waiting = FIFO<Value>()
  private var end: End?
  private var isScheduled = false
  private var hasLeft = false
  private var upper: UpstreamSubscription<Value>?
  private var work: Work?
  /// A counter that rises when there is room again.
  private let roomCount = Atomic<UInt32>(0)
  private let sleepers = Atomic<UInt32>(0)
  private let losses = Lost.Counter()

  init(
    _ downstream: Sink<Value>, at target: Home, by scheduler: Scheduler?, _ limit: QueueLimit,
    _ name: Text
  ) {
    self.downstream = downstream
    self.target = target
    self.scheduler = scheduler
    self.limit = limit
    limit.begin()
    self.name = name
    super.init()
  }

  deinit { waiting.discardAll() }

  override var home: Home? { target }
  override var chainName: Text { name }
  override var origin: Origin { downstream.root.origin }

  /// Makes the subscription above, at `home`.
  func makeUpper(at home: Home) -> UpstreamSubscription<Value> {
    let made = UpstreamSubscription(self, at: home)
    upper = made
    target.list(self)
    return made
  }

  override func interrupt() {
    loseWaiting()
    downstream.deliverEnd(.interrupted)
  }

  /// Counts the values that wait as lost, because a home or the scheduler has closed.
  private func loseWaiting() {
    let count = downstream.root.isClosed ? 0 : lock.withLock { waiting.count }
    if count > 0 { losses.add(self, .canceled, count: count) }
  }

  override func describe(in report: inout ClosingReport) {
    if !isClosed { report.note(downstream.root) }
  }

  // MARK: Into the queue

  /// Queues a value, which is borrowed.
  func push(_ value: Value) {
    keep(value)
    while true {
      lock.acquire()
      if hasLeft || end != nil {
        lock.release()
        return discard(value)
      }
      var dropped: Value?
      let admission = limit.admit(after: waiting.count)
      let mayWait = admission == .refused && limit.policy == .block && canSleep
      let isFull = admission == .refused && !mayWait
      if admission == .replacesOldest { dropped = waiting.popFirst() }
      let isAccepted = admission == .accepted || admission == .replacesOldest
      if isAccepted { waiting.append(value) }
      if isFull { end = limit.refusal }
      let starts = (isAccepted || isFull) && !isScheduled
      if starts { isScheduled = true }
      let count = roomCount.load(ordering: .relaxed)
      let full = isFull ? upper : nil
      if mayWait { sleepers.add(1, ordering: .relaxed) }
      lock.release()
      if let dropped { discard(dropped) }
      if mayWait {
        withUnsafePointer(to: roomCount) { _ = belay_shim_wait($0, count, -1) }
        sleepers.subtract(1, ordering: .relaxed)
        continue
      }
      if !isAccepted { discard(value) }
      if starts { schedule() }
      // The subscription has ended with an error, because a gap in its values would go unseen.
      full?.dispose()
      return
    }
  }

  /// Queues an end, for which there is always room.
  func push(_ last: End) {
    let starts = lock.withLock {
      if hasLeft || end != nil { return false }
      end = last
      defer { isScheduled = true }
      return !isScheduled
    }
    if starts { schedule() }
  }

  /// Whether this thread may sleep until another one makes room in the queue.
  private var canSleep: Bool {
    !target.isCurrent && scheduler?.home?.letsThisThreadSleep ?? false
  }

  // MARK: Out of the queue

  private func schedule() {
    guard let scheduler else { return arrive() }
    let next = BoundaryWork(self)
    // Set before the work is known: a thread that detaches may read it then.
    next.scheduler = scheduler
    let isLate = lock.withLock {
      work = next
      return hasLeft
    }
    if isLate { return next.dispose() }
    if let there = scheduler.home, there.acceptsMessages {
      // Posted as a reserved message, because this queue has counted the events.
      _ = there.post(Message(to: next, .work), reserved: true)
    } else if scheduler.submit(next).isFailure {
      next.dispose()
    }
  }

  /// Like `schedule`, but never delivers within the call.
  private func scheduleAgain() {
    if scheduler != nil { return schedule() }
    _ = target.post(Message(to: self, .work), reserved: true)
  }

  /// Delivers the events at the target. Called by the scheduler's work.
  func arrive() {
    // Not inside of another event of the subscription.
    if target.isCurrent && !Delivery.isHere(in: downstream.root) { return drain() }
    _ = target.post(Message(to: self, .work), reserved: true)
  }

  override func receive(_ message: inout Message, isCanceled: Bool) {
    if isCanceled { giveUp() } else { drain() }
  }

  /// Ends the subscription, because a home or the scheduler has closed, and the queue will not be
  /// emptied.
  func giveUp() {
    if lock.withLock({ hasLeft }) { return }
    loseWaiting()
    downstream.root.dispose()
  }

  private func drain() {
    // Values that come meanwhile wait for the next time, so that other work at the home gets its
    // turn. An immediate scheduler has no next time.
    let comesBack = scheduler !== ImmediateScheduler.shared
    var count = comesBack ? lock.withLock { waiting.count } : .max
    Batch.begin()
    while count > 0 {
      count -= 1
      guard let value = lock.withLock({ waiting.popFirst() }) else { break }
      wakeSleepers()
      downstream.deliver(value)
      discard(value)
    }
    Batch.end()
    var last: End?
    let goesOn = lock.withLock {
      if hasLeft { return false }
      if !waiting.isEmpty { return true }
      last = end
      isScheduled = last != nil
      return false
    }
    if goesOn { scheduleAgain() } else if let last { downstream.deliverEnd(last) }
  }

  private func wakeSleepers() {
    roomCount.add(1, ordering: .sequentiallyConsistent)
    if sleepers.load(ordering: .sequentiallyConsistent) == 0 { return }
    withUnsafePointer(to: roomCount) { belay_shim_wake($0, Int32.max) }
  }

  override func detach(_ link: Link, afterEnd: Bool) {
    guard close() else { return }
    lock.acquire()
    hasLeft = true
    var left = FIFO<Value>()
    swap(&left, &waiting)
    let (work, upper) = (work, upper)
    self.work = nil
    self.upper = nil
    lock.release()
    wakeSleepers()
    left.discardAll()
    work?.dispose()
    target.unlist(self)
    if let upper { Quiescence.dispose(upper, of: downstream.root) }
  }
}
