import CBelayShim
import Synchronization

/// A home without a thread of its own. While its messages are opened, it is bound to the thread on
/// which an actor runs; without an actor, to any thread of Swift's pool.
///
/// So callbacks at this home never run on two threads at once, and never outside of the actor. The
/// home does not retain the actor, and closes when the actor dies.
package final class ExecutorHome: TimedHome, @unchecked Sendable {
  private let isAnActors: Bool
  private weak let actor: (any Actor)?
  /// Whether a message has come, and no task has been started to open it.
  private let isWoken = Atomic<Bool>(false)
  /// Whether a thread is bound to this, or keeps others from it. That thread starts a task for new
  /// messages when it leaves.
  private let isHeld = Atomic<Bool>(false)
  private let hasEnded = Atomic<Bool>(false)
  /// Whether the actor's death ends this. Set before other threads know it.
  var endsWithActor = false
  // Used only by the thread that is bound to this.
  /// When the job began that opens messages, while it does.
  private var jobStart: Instant?
  private var sleeper: Task<Void, Never>?
  weak var actorScheduler: Scheduler?

  /// - Parameters:
  ///   - actor: nil: the home is no actor's.
  ///   - capacity: how many values from other threads may wait.
  package init(of actor: (any Actor)?, capacity: Int = 1024) {
    isAnActors = actor != nil
    self.actor = actor
    super.init(threadID: Home.noThread)
    mailbox = Mailbox(capacity: capacity, staysAwake: true) { [unowned(unsafe) self] in
      isWoken.store(true, ordering: .sequentiallyConsistent)
    }
  }

  override var scheduler: Scheduler? { actorScheduler }

  package override var turnStart: Instant? { jobStart }

  // MARK: In

  package override func post(_ message: consuming Message, reserved: Bool) -> Code {
    // While the actor dies, reserved messages are still accepted, so that what is at home here ends
    // here.
    if !reserved && (hasEnded.load(ordering: .relaxed) || isAnActors && actor == nil) {
      message.cancel()
      return .canceled
    }
    let code = super.post(message, reserved: reserved)
    openIfWoken()
    return code
  }

  private func openIfWoken() {
    guard isWoken.load(ordering: .sequentiallyConsistent),
      !isHeld.load(ordering: .sequentiallyConsistent),
      isWoken.exchange(false, ordering: .acquiringAndReleasing)
    else { return }
    startOpening()
  }

  private func startOpening() {
    let actor = actor
    // The actor is dying, so no task can open the messages. `end` refuses them, if it is called.
    if isAnActors && actor == nil { return endsWithActor ? () : mailbox.close() }
    Task.detached { await self.open(on: actor) }
  }

  // MARK: Out

  /// Opens messages that have come by now. Other jobs of the actor run before the rest.
  private func open(on actor: isolated (any Actor)?) {
    guard claim() else {
      // The thread that is there starts another task.
      isWoken.store(true, ordering: .sequentiallyConsistent)
      return openIfWoken()
    }
    let began = MonotonicClock.now
    jobStart = began
    bind { mailbox.deliver(TurnBudget(since: began)) }
    jobStart = nil
    if !mailbox.rests() { isWoken.store(true, ordering: .sequentiallyConsistent) }
    release()
  }

  private func claim() -> Bool { !isHeld.exchange(true, ordering: .sequentiallyConsistent) }

  private func bind(_ body: () -> Void) {
    let outer = Home.currentIfMade
    let isNested = isCurrent
    Home.bind(self)
    // Batch stages that gather values here must be told here.
    let outerBatch = Batch.beginSeparately()
    body()
    Batch.end(resuming: outerBatch)
    // From now on another thread may bind itself to this.
    if !isNested { threadID.store(Home.noThread, ordering: .relaxed) }
    Home.show(outer)
  }

  /// Runs `body` at home, for a caller that is on the actor, or that alone knows this.
  package func whileBound(_ body: () -> Void) {
    if isCurrent { return body() }
    whileHeld { bind(body) }
  }

  package override func enter(_ body: () -> Void) -> Bool {
    guard isAnActors, let actor, ExecutorHome.isCurrent(actor) else { return false }
    whileBound(body)
    return true
  }

  /// Runs `body` while no messages are opened. For a home that is no actor's, from one thread.
  package func whileHeld(_ body: () -> Void) {
    let isOutermost = claim()
    body()
    if isOutermost { release() }
  }

  private func release() {
    isHeld.store(false, ordering: .sequentiallyConsistent)
    openIfWoken()
  }

  /// Runs `body` at home, if the home is no actor's and no thread is there. Answers whether it did.
  func visit(_ body: () -> Void) -> Bool {
    guard !isAnActors, !isCurrent, claim() else { return false }
    bind(body)
    release()
    return true
  }

  // MARK: Waiting

  /// The thread that is bound to this; while there is none, the thread that has the actor.
  package override var runner: UInt64 {
    let thread = threadID.load(ordering: .relaxed)
    if thread != Home.noThread { return thread }
    guard let actor, ExecutorHome.isCurrent(actor) else { return 0 }
    return Thread.record.pointee.id
  }

  /// False also for a thread that runs tasks, because the actor may need that thread.
  package override var letsSleep: Bool {
    super.letsSleep && runner != Thread.record.pointee.id
      && withUnsafeCurrentTask { task in if case .none = task { true } else { false } }
  }

  /// Whether `actor` runs on the calling thread.
  static func isCurrent(_ actor: any Actor) -> Bool {
    let (identity, implementation) = unsafeBitCast(
      actor.unownedExecutor, to: (UInt, UInt).self)
    return belay_native_is_on(identity, implementation)
  }

  // MARK: Time

  override func startTimer(for due: Instant) {
    // At most an hour, because clocks add the span to their time, which could overflow.
    let span = min(max(0, due - MonotonicClock.now), 3_600_000_000_000)
    sleeper = Task.detached { [weak self] in
      do { try await Task.sleep(for: .nanoseconds(span)) } catch { return }
      self?.perform { [weak self] in self?.timeIsUp() }
    }
  }

  override func stopTimer() {
    sleeper?.cancel()
    sleeper = nil
  }

  private func timeIsUp() {
    target = nil
    sleeper = nil
    runDue()
  }

  // MARK: The end

  /// Ends the home, because the actor is dying: its code does not run any more.
  func end() {
    if hasEnded.exchange(true, ordering: .acquiringAndReleasing) { return }
    bind { endResidents() }
  }
}
