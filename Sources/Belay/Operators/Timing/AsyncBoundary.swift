import CBelayShim
import Synchronization

/// Where a subscription changes over from one home, or one time, to another. What is above it hangs
/// on a subscription of its own (`UpstreamSubscription`), which puts its events into the queue here; work
/// empties it into what is below.
final class AsyncBoundary<Value>: Resident, @unchecked Sendable {
  private let downstream: Sink<Value>
  private let target: Home
  /// By whose work events are delivered; nil: by messages to the target.
  private let scheduler: Scheduler?
  private let options: QueueOptions
  private let name: Text

  private let lock = Lock()
  private var waiting = FIFO<Value>()
  private var end: End?
  private var isScheduled = false
  private var hasLeft = false
  private var top: UpstreamSubscription<Value>?
  private var work: Work?
  /// Counts up when there is room again.
  private let roomCount = Atomic<UInt32>(0)
  private let sleepers = Atomic<UInt32>(0)
  private let place = Lost.Place()

  init(
    _ downstream: Sink<Value>, at target: Home, by scheduler: Scheduler?, _ options: QueueOptions,
    _ name: Text
  ) {
    self.downstream = downstream
    self.target = target
    self.scheduler = scheduler
    self.options = options
    self.name = name
    super.init()
  }

  deinit { waiting.discardAll() }

  override var home: Home? { target }
  override var chainName: Text { name }
  override var origin: Origin { downstream.root.origin }

  /// The subscription above, at `home`.
  func makeTop(at home: Home) -> UpstreamSubscription<Value> {
    let made = UpstreamSubscription(self, at: home)
    top = made
    target.list(self)
    return made
  }

  override func interrupt() {
    loseWaiting()
    downstream.deliverEnd(.interrupted)
  }

  /// What was queued does not arrive: a home, or the scheduler, is closed.
  private func loseWaiting() {
    let count = downstream.root.isClosed ? 0 : lock.withLock { waiting.count }
    if count > 0 { place.lose(self, .canceled, count: count) }
  }

  override func describeSubscriptions(_ report: (Link) -> Void) {
    if !isClosed { report(downstream.root) }
  }

  // MARK: In

  /// Queues a value, which is borrowed.
  func push(_ value: Value) {
    keep(value)
    while true {
      lock.acquire()
      if hasLeft || end != nil {
        lock.release()
        return discard(value)
      }
      var dropped = FIFO<Value>()
      var isTaken = true
      var isFull = false
      var mayWait = false
      if options.policy == .latest {
        while let old = waiting.popFirst() { dropped.append(old) }
      } else if waiting.count >= max(1, options.capacity) {
        switch options.policy {
        case .dropOldest, .latest: if let old = waiting.popFirst() { dropped.append(old) }
        case .dropNewest: isTaken = false
        case .block where canSleep: (isTaken, mayWait) = (false, true)
        case .error, .block: (isTaken, isFull) = (false, true)
        }
      }
      if isTaken {
        waiting.append(value)
        options.highWaterMark?.note(waiting.count)
      }
      if isFull { end = .failed(Failure(.again, message: "the queue of observe_on was full")) }
      let starts = (isTaken || isFull) && !isScheduled
      if starts { isScheduled = true }
      let count = roomCount.load(ordering: .relaxed)
      let full = isFull ? top : nil
      if mayWait { sleepers.add(1, ordering: .relaxed) }
      lock.release()
      dropped.discardAll()
      if mayWait {
        withUnsafePointer(to: roomCount) { _ = belay_shim_wait($0, count, -1) }
        sleepers.subtract(1, ordering: .relaxed)
        continue
      }
      if !isTaken { discard(value) }
      if starts { schedule() }
      // A gap in its values would go unseen; an end does not.
      full?.dispose()
      return
    }
  }

  /// Queues an end, which has its place.
  func push(_ last: End) {
    let starts = lock.withLock {
      if hasLeft || end != nil { return false }
      end = last
      defer { isScheduled = true }
      return !isScheduled
    }
    if starts { schedule() }
  }

  /// Whether the thread may sleep until the queue is emptied by another one.
  private var canSleep: Bool {
    guard let there = scheduler?.home, there.letsSleep else { return false }
    return !target.isCurrent && !(Home.currentIfMade?.acceptsMessages ?? false)
  }

  // MARK: Out

  private func schedule() {
    guard let scheduler else { return arrive() }
    let next = BoundaryWork(self)
    // Whoever leaves may read it as soon as it is known.
    next.scheduler = scheduler
    let isLate = lock.withLock {
      work = next
      return hasLeft
    }
    if isLate { return next.dispose() }
    if let there = scheduler.home, there.acceptsMessages {
      // Counted here, and so not there.
      _ = there.post(Message(to: next, .work), reserved: true)
    } else if scheduler.submit(next).isFailure {
      next.dispose()
    }
  }

  /// As `schedule`, but never in the call.
  private func scheduleAgain() {
    if scheduler != nil { return schedule() }
    _ = target.post(Message(to: self, .work), reserved: true)
  }

  /// At the scheduler; on to what is below.
  func arrive() {
    // Never inside of another event.
    if target.isCurrent && !Delivery.isHere(in: downstream.root) { return drain() }
    _ = target.post(Message(to: self, .work), reserved: true)
  }

  override func receive(_ message: inout Message, isCanceled: Bool) {
    if isCanceled { giveUp() } else { drain() }
  }

  /// Nobody will empty the queue any more: the home, or the scheduler, is closed.
  func giveUp() {
    if lock.withLock({ hasLeft }) { return }
    loseWaiting()
    downstream.root.dispose()
  }

  private func drain() {
    // What comes meanwhile is for the next time, so that others at home get their turn. There is
    // none for what runs in the call.
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
    let (work, top) = (work, top)
    self.work = nil
    self.top = nil
    lock.release()
    wakeSleepers()
    left.discardAll()
    work?.dispose()
    target.unlist(self)
    if let top { Quiescence.dispose(top, of: downstream.root) }
  }
}
