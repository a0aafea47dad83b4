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
  private var waiting = FIFO<Queued<Value>>()
  private var end: End?
  private var isScheduled = false
  private var hasLeft = false
  private var upper: UpstreamSubscription<Value>?
  private var crossesHomes = false
  /// Whether events come from another home while the scheduler has none. Then messages to the
  /// target deliver what comes during a delivery, because its other work would never get a turn.
  private var isFedFromAfar = false
  private var work: Work?
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
    crossesHomes = home !== target
    isFedFromAfar = runsAtOnce && crossesHomes && target.acceptsMessages
    target.list(self)
    return made
  }

  /// Answers what the start of the part above has answered. If that has failed, and this thread is
  /// not at the target, the target may be ending the subscription, so the failure is an event there.
  func started(_ code: Code, below sink: Sink<Value>) -> Code {
    if !code.isFailure { return code }
    if !target.isCurrent {
      push(.failed(Failure(code)))
      return .ok
    }
    detach(sink, afterEnd: false)
    sink.upstream = nil
    return code
  }

  override func interrupt() {
    _ = takeNoMore()
    downstream.deliverEnd(.interrupted)
  }

  /// Refuses events from now on, because a home or the scheduler has closed, and counts the values
  /// that wait as lost. Answers false if it was so already.
  ///
  /// The senders that sleep go on: the thread that starts the subscription may be one of them, and
  /// nothing is detached before it.
  private func takeNoMore() -> Bool {
    let (isFirst, count) = lock.withLock {
      defer { leave() }
      return (!hasLeft, waiting.count)
    }
    if !isFirst { return false }
    if count > 0 && !downstream.root.isClosed { losses.add(self, .canceled, count: count) }
    return true
  }

  /// Nothing is queued from now on, and the senders that sleep go on. The caller holds the lock.
  private func leave() {
    hasLeft = true
    QueueRoom.changed()
  }

  override func describe(in report: ClosingReport) {
    if !isClosed { report.note(downstream.root) }
  }

  // MARK: Into the queue

  /// Queues a value, which is borrowed.
  func push(_ value: Value) {
    if downstream.root.isClosed {
      // Nothing is detached before the thread that starts the subscription returns. This may be that
      // thread, in a producer that goes on until it is told.
      lock.withLock { upper }?.dispose()
      return
    }
    keep(value)
    if limit.policy == .block && !target.isCurrent, let there = scheduler?.home {
      let code = QueueRoom.wait(at: there, atMost: -1) { add(value, orEnd: false) }
      if !code.isFailure { return }
    }
    _ = add(value, orEnd: true)
  }

  /// Queues a value, or discards it. If the queue is full and drops nothing, answers `.again` with
  /// the value untouched, or ends the subscription with an error, because a gap would go unseen.
  private func add(_ value: Value, orEnd ends: Bool) -> Code {
    lock.acquire()
    if hasLeft || end != nil {
      lock.release()
      discard(value)
      return .ok
    }
    let admission = limit.admit(after: waiting.count)
    let isFull = admission == .refused
    if isFull && !ends {
      lock.release()
      return .again
    }
    var dropped: Queued<Value>?
    if admission == .replacesOldest { dropped = waiting.popFirst() }
    let isAccepted = admission == .accepted || admission == .replacesOldest
    if isAccepted { waiting.append(queued(value)) }
    if isFull { end = limit.refusal }
    let starts = (isAccepted || isFull) && !isScheduled
    if starts { isScheduled = true }
    let full = isFull ? upper : nil
    lock.release()
    if let dropped { hand(dropped) { discard($0) } }
    if !isAccepted { discard(value) }
    if starts { schedule() }
    full?.dispose()
    return .ok
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

  // MARK: Out of the queue

  private func schedule() {
    guard let scheduler else { return arrive() }
    let next = BoundaryWork(self)
    // Set before the work is known: a thread that detaches may read it then.
    next.scheduler = scheduler
    let isLate = lock.withLock {
      // They retain each other until the boundary is detached.
      if !hasLeft { work = next }
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

  /// Whether the scheduler runs work on the thread that submits it.
  private var runsAtOnce: Bool {
    scheduler === ImmediateScheduler.shared || scheduler === TrampolineScheduler.shared
  }

  /// Like `schedule`, but never delivers within the call.
  private func scheduleAgain() {
    if scheduler != nil && !isFedFromAfar { return schedule() }
    _ = target.post(Message(to: self, .work), reserved: true)
  }

  /// Delivers the events at the target. Called by the scheduler's work.
  func arrive() {
    // Not inside of another event of the subscription, if the target can be reached later.
    if target.isCurrent && !(target.acceptsMessages && Delivery.isHere(in: downstream.root)) {
      return drain()
    }
    _ = target.post(Message(to: self, .work), reserved: true)
  }

  override func receive(_ message: inout Message, isCanceled: Bool) {
    if isCanceled { giveUp() } else { drain() }
  }

  /// Ends the subscription, because a home or the scheduler has closed, and the queue will not be
  /// emptied.
  func giveUp() { if takeNoMore() { downstream.root.dispose() } }

  private func drain() {
    // Values that come meanwhile wait for the next time, so that other work at the home gets its
    // turn. An immediate scheduler has no next time of its own, but another home may bring any number
    // of values.
    let comesBack = isFedFromAfar || scheduler !== ImmediateScheduler.shared
    var count = comesBack ? lock.withLock { waiting.count } : .max
    let isLimited = comesBack && crossesHomes && TurnBudget.isNeeded(for: count)
    var budget = isLimited ? TurnBudget(since: MonotonicClock.now) : nil
    Batch.begin()
    while count > 0 {
      count -= 1
      guard let value = takeFirst() else { break }
      hand(value) {
        downstream.deliver($0)
        discard($0)
      }
      if budget?.isSpent() ?? false { break }
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

  private func takeFirst() -> Queued<Value>? {
    lock.withLock {
      QueueRoom.changed()
      return waiting.popFirst()
    }
  }

  override func detach(_ link: Link, afterEnd: Bool) {
    guard close() else { return }
    lock.acquire()
    leave()
    var left = FIFO<Queued<Value>>()
    swap(&left, &waiting)
    let (work, upper) = (work, upper)
    self.work = nil
    self.upper = nil
    lock.release()
    left.discardAll()
    work?.dispose()
    target.unlist(self)
    if let upper { Quiescence.dispose(upper, of: downstream.root) }
  }
}
