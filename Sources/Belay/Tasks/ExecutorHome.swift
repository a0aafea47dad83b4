import CBelayShim
import Synchronization

/// A home without a thread of its own: when messages have come it is bound to the thread on which
/// an actor runs, or for a home that is no actor's to any of Swift's pool, while they are opened.
///
/// What is at home there is so never running on two threads at once, and never outside of the
/// actor. It does not keep the actor, with whose death it closes.
package final class ExecutorHome: QueuedHome, @unchecked Sendable {
  private let isAnActors: Bool
  private weak let actor: (any Actor)?
  /// A message has come, and nobody has been asked to open it yet.
  private let isWoken = Atomic<Bool>(false)
  /// Somebody is bound to it, or keeps others from it, and asks when he has left.
  private let isHeld = Atomic<Bool>(false)
  private let hasEnded = Atomic<Bool>(false)
  /// Whether the actor's death ends it; set before others know it.
  var endsWithActor = false
  // Of whoever is bound to it.
  private let timers = TimerQueue()
  private var sleeper: Task<Void, Never>?
  private var sleepsUntil: Instant?
  package weak var scheduler: Scheduler?

  /// - Parameters:
  ///   - actor: nil: nobody's.
  ///   - capacity: how many events from elsewhere wait at most.
  package init(of actor: (any Actor)?, capacity: Int = 1024) {
    isAnActors = actor != nil
    self.actor = actor
    super.init(threadID: Home.nobody)
    mailbox = Mailbox(capacity: capacity, staysAwake: true) { [unowned(unsafe) self] in
      isWoken.store(true, ordering: .sequentiallyConsistent)
    }
  }

  package override var ownScheduler: Scheduler? { scheduler }

  // MARK: In

  package override func post(_ message: consuming Message, reserved: Bool) -> Code {
    // While the actor dies, what is reserved is still taken: what is at home here ends at home.
    if !reserved && (hasEnded.load(ordering: .relaxed) || isAnActors && actor == nil) {
      message.cancel()
      return .canceled
    }
    let code = super.post(message, reserved: reserved)
    askIfWoken()
    return code
  }

  private func askIfWoken() {
    guard isWoken.load(ordering: .sequentiallyConsistent),
      !isHeld.load(ordering: .sequentiallyConsistent),
      isWoken.exchange(false, ordering: .acquiringAndReleasing)
    else { return }
    ask()
  }

  private func ask() {
    let actor = actor
    // Dying, and nobody will open them: `end` refuses them, where it comes.
    if isAnActors && actor == nil { return endsWithActor ? () : mailbox.close() }
    Task.detached { await self.open(on: actor) }
  }

  // MARK: Out

  /// Opens the messages that have come by now, and lets others have the actor before the rest.
  private func open(on actor: isolated (any Actor)?) {
    guard claim() else {
      // Whoever is there asks anew.
      isWoken.store(true, ordering: .sequentiallyConsistent)
      return askIfWoken()
    }
    bind { mailbox.deliver() }
    if !mailbox.rests() { isWoken.store(true, ordering: .sequentiallyConsistent) }
    release()
  }

  private func claim() -> Bool { !isHeld.exchange(true, ordering: .sequentiallyConsistent) }

  private func bind(_ body: () -> Void) {
    let outer = Home.currentIfMade
    Home.bind(self)
    // What gathers for a batch here is told here.
    let outerBatch = Batch.beginSeparately()
    body()
    Batch.end(resuming: outerBatch)
    // Whoever finds it resting may have it bound elsewhere.
    threadID.store(Home.nobody, ordering: .relaxed)
    Home.bind(outer)
  }

  /// Runs `body` at home, for a caller who is on the actor; or while nobody else knows this.
  package func whileBound(_ body: () -> Void) {
    if isCurrent { return body() }
    whileHeld { bind(body) }
  }

  /// Nobody opens messages while `body` runs. For a home that is no actor's, and one thread.
  package func whileHeld(_ body: () -> Void) {
    let isOutermost = claim()
    body()
    if isOutermost { release() }
  }

  private func release() {
    isHeld.store(false, ordering: .sequentiallyConsistent)
    askIfWoken()
  }

  /// Runs `body` at home, if it is nobody's and nobody is there.
  func visit(_ body: () -> Void) -> Bool {
    guard !isAnActors, !isCurrent, claim() else { return false }
    bind(body)
    release()
    return true
  }

  // MARK: Who waits

  /// While no thread has it, what waits here waits for whoever has the actor.
  package override var runner: UInt64 {
    let thread = threadID.load(ordering: .relaxed)
    if thread != Home.nobody { return thread }
    guard let actor, ExecutorHome.isCurrent(actor) else { return 0 }
    return Thread.record.pointee.id
  }

  /// Not a thread that runs tasks, which the actor may need.
  package override var letsSleep: Bool {
    super.letsSleep && runner != Thread.record.pointee.id
      && withUnsafeCurrentTask { task in if case .none = task { true } else { false } }
  }

  /// Whether the calling thread has `actor` now.
  static func isCurrent(_ actor: any Actor) -> Bool {
    let (identity, implementation) = unsafeBitCast(
      actor.unownedExecutor, to: (UInt, UInt).self)
    return belay_native_is_on(identity, implementation)
  }

  // MARK: Time

  /// Takes in work that has a time, at which its scheduler fires it. Any thread.
  func arm(_ work: Work) -> Code {
    if !isCurrent { return post(Message(to: work, .work), reserved: false) }
    timers.insert(work)
    rearm()
    return .ok
  }

  /// Forgets such work. Any thread.
  func disarm(_ work: Work) {
    guard work.isTimed else { return }
    perform { [self] in
      timers.remove(work)
      rearm()
    }
  }

  private func rearm() {
    guard timers.wake != sleepsUntil else { return }
    sleeper?.cancel()
    sleepsUntil = timers.wake
    sleeper = sleepsUntil.map { due in
      // At most an hour: clocks add it to what they show.
      let span = min(max(0, due - MonotonicClock.now), 3_600_000_000_000)
      return Task.detached { [weak self] in
        do { try await Task.sleep(for: .nanoseconds(span)) } catch { return }
        self?.perform { [weak self] in self?.timeIsUp() }
      }
    }
  }

  private func timeIsUp() {
    sleepsUntil = nil
    sleeper = nil
    timers.run(until: MonotonicClock.now)
    rearm()
  }

  // MARK: The end

  /// The actor dies: nothing of it runs any more, and nothing will.
  func end() {
    if hasEnded.exchange(true, ordering: .acquiringAndReleasing) { return }
    bind {
      mailbox.refuseWaiting()
      // While they end, other threads reach them here, and finish nothing in their place.
      interruptResidents()
      timers.disposeAll()
      sleeper?.cancel()
      sleeper = nil
      mailbox.close()
    }
  }
}
