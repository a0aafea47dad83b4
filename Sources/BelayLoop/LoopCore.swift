@_spi(Engine) import Belay
import CBelayShim
import CLibuv
import Synchronization

/// A libuv loop as a home: its mailbox, its timers, and the handles that drive them.
///
/// Members that any thread may use say so. The others are used on the loop's thread only.
package final class LoopCore: QueuedHome, @unchecked Sendable {
  package let uv: UnsafeMutablePointer<uv_loop_t>
  package let isAdopted: Bool
  let timers = TimerQueue()
  /// The scheduler of work that names no user's handle. It exists until the close is over.
  package internal(set) var scheduler: LoopUser! = nil

  enum Phase {
    static let open: UInt8 = 0
    static let closing: UInt8 = 1
    static let closed: UInt8 = 2
  }

  let async: UnsafeMutablePointer<uv_async_t>
  private let timer: UnsafeMutablePointer<uv_timer_t>
  let prepare: UnsafeMutablePointer<uv_prepare_t>
  private let check: UnsafeMutablePointer<uv_check_t>
  private var timerTarget: Instant?
  var clock = LoopClock()
  /// How many callbacks of Belay's handles are running; more than one if a callback runs a turn.
  var dispatches = 0
  /// Handles that libuv has released, and which have not been freed.
  var released: [UnsafeMutableRawPointer] = []
  /// Set to end the run after its turn; and for good, with every run around it.
  let stopping = Atomic<UInt8>(0)
  let runs = Atomic<Bool>(false)
  /// Whether it is a worker's, which no other thread gets between two runs. Set before others know it.
  var isWorkers = false
  /// Held while a thread binds the loop or begins to run it.
  let bindLock = Lock()
  /// Whether `stop` ended the last run.
  package internal(set) var wasStopped = false
  /// Whether the wake-up handle keeps a loop that is not alive going, until its turn has begun.
  var isHeldForTurn = false
  /// Whether a callback of the latest turn has called `uv_stop`.
  private(set) var turnStops = false
  /// How many times the loop has returned from waiting.
  package private(set) var turns: UInt64 = 0
  /// Whether a turn has run inside of the present one. libuv does not take out what it has of a
  /// descriptor that is closed in or after such a turn; it comes to the next descriptor with that
  /// number.
  package private(set) var mayHaveOldEvents = false
  /// How many turns, inside of each other, are telling what libuv has found.
  private var polls = 0
  /// Whether something was armed that the backend does not know of yet.
  var hasNewWatchers = true
  /// The descriptors of `belay_loop_fd`; each is -1 before its first call and after the close.
  var pollable = belay_pollable(set: -1, timer: -1, bell: -1, is_rung: false, deadline: 0)
  /// What `tell` has queued. It does not wait behind what other threads send.
  private(set) var told: Mailbox! = nil

  let usersLock = Lock()
  /// The users that have not left, in the order in which they came.
  var users: ReferenceArray<LoopUser> = []

  /// The first of the users that have left, and get their reports when no callback of Belay's is on
  /// the stack.
  var firstLeaver: LoopUser?
  /// The thread that has taken the loop to make abandoned users leave, while no other thread had
  /// it.
  let rescuer = Atomic<UInt64>(Home.noThread)

  let strandsLock = Lock()
  /// The first strand that is in use.
  var firstStrand: Strand?
  /// How many requests of Belay's, and handles whose close calls back, the close still waits for.
  var requests = 0
  var watchers: [UnsafeMutableRawPointer] = []
  /// How many sources wait for something else than their watcher, and keep the loop alive.
  private var holds = 0
  private var scratch: UnsafeMutableRawBufferPointer?
  var closing: ClosingReport?
  /// Whether the close does not wait for Belay's handles.
  var leavesHandles = false
  /// Whether the last handle must be closed when no callback of Belay's is on the stack.
  var waitsForStack = false
  let phase = Atomic<UInt8>(Phase.open)
  /// How many handles have not gone, and one more until this has been closed. Then it no longer
  /// counts as alive, although a thread that had it may keep it until it has another home.
  private let uses = Atomic<UInt32>(1)
  private let hookLock = Lock()
  private var hook: UnhandledErrorHook?
  /// The user that has set `hook`, if it was one.
  private var hookUser: LoopUser?

  init(
    uv: UnsafeMutablePointer<uv_loop_t>, isAdopted: Bool, options: LoopOptions
  ) throws(Failure) {
    self.uv = uv
    self.isAdopted = isAdopted
    async = .allocate(capacity: 1)
    timer = .allocate(capacity: 1)
    prepare = .allocate(capacity: 1)
    check = .allocate(capacity: 1)
    super.init(threadID: Home.noThread)
    _ = LoopCore.staysWithParents
    let code = uv_async_init(uv, async, LoopCore.wasWoken)
    if code != 0 {
      async.deallocate()
      timer.deallocate()
      prepare.deallocate()
      check.deallocate()
      throw Failure.uv(code, "cannot make a wake-up handle")
    }
    Live.loops.began()
    uv_timer_init(uv, timer)
    uv_prepare_init(uv, prepare)
    uv_check_init(uv, check)
    for handle in handles { handle.assumingMemoryBound(to: uv_handle_t.self).pointee.data = here }
    // Released when the handles have been closed.
    _ = Unmanaged.passRetained(self)
    uv_prepare_start(prepare) { LoopCore.of($0.unsafelyUnwrapped).aboutToWait() }
    uv_check_start(check) { LoopCore.of($0.unsafelyUnwrapped).hasWaited() }
    LoopCore.withHandle(prepare) { uv_unref($0) }
    LoopCore.withHandle(check) { uv_unref($0) }
    LoopCore.withHandle(async) { uv_unref($0) }
    let mailbox = Mailbox(capacity: options.capacity) { [async] in LoopCore.wake(async) }
    self.mailbox = mailbox
    // Under the mailbox's lock, because one thread at a time may wake the loop.
    told = Mailbox(capacity: 0) { mailbox.wakeOwner() }
    scheduler = LoopUser(self, options)
  }

  deinit {
    freeReleased()
    scratch?.deallocate()
  }

  func beginUse() { uses.wrappingAdd(1, ordering: .relaxed) }

  func endUse() {
    if uses.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { Live.loops.ended() }
  }

  // MARK: Handles

  static func of<Handle>(_ handle: UnsafeMutablePointer<Handle>) -> LoopCore {
    withHandle(handle) {
      Unmanaged<LoopCore>.fromOpaque($0.pointee.data.unsafelyUnwrapped).takeUnretainedValue()
    }
  }

  var here: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// The four handles that drive the loop.
  var handles: [UnsafeMutableRawPointer] {
    [
      UnsafeMutableRawPointer(async), UnsafeMutableRawPointer(timer),
      UnsafeMutableRawPointer(prepare), UnsafeMutableRawPointer(check),
    ]
  }

  /// Whether `handle` is one of the four.
  func drives(with handle: UnsafeMutablePointer<uv_handle_t>) -> Bool {
    handles.contains(UnsafeMutableRawPointer(handle))
  }

  private static var wasWoken: uv_async_cb {
    { LoopCore.of($0.unsafelyUnwrapped).drain() }
  }

  /// The core whose mailbox `handle` wakes, if it is such a handle of this copy of Belay.
  static func woken(by handle: UnsafeMutablePointer<uv_handle_t>) -> LoopCore? {
    guard belay_uv_type(handle) == UV_ASYNC, uv_is_closing(handle) == 0 else { return nil }
    return UnsafeMutableRawPointer(handle).withMemoryRebound(to: uv_async_t.self, capacity: 1) {
      address(of: $0.pointee.async_cb) == address(of: wasWoken) ? of($0) : nil
    }
  }

  private static func address(of callback: uv_async_cb?) -> UInt {
    unsafeBitCast(callback, to: UInt.self)
  }

  /// Whether the host has closed Belay's handles, or is closing them, while this is open. It may have
  /// closed its loop, too, so that nothing may begin there.
  package var hasLostHandles: Bool { isOpen && LoopCore.isClosing(async) }

  /// Whether the host has closed Belay's handles. It may have closed its loop, too.
  var isClosedByHost: Bool { LoopCore.withHandle(async) { LoopCore.isClosed($0) } }

  // MARK: Phases

  /// Whether it is neither closed nor closing. Any thread may ask.
  package var isOpen: Bool { phase.load(ordering: .acquiring) == Phase.open }
  package var isClosed: Bool { phase.load(ordering: .acquiring) == Phase.closed }
  package var isRunning: Bool { runs.load(ordering: .relaxed) }

  // MARK: Time

  /// The monotonic clock, which is read once in each part of a turn.
  package var now: Instant {
    // In an adopted loop's turn, the part is only known while Belay's own callbacks run.
    clock.now(isKept: isRunning || dispatches > 0)
  }

  /// The same for any thread.
  var timeForAll: Instant { isCurrent ? now : MonotonicClock.now }

  /// The time from which delays count. Any thread may ask.
  func delayStart(isRough: Bool) -> Instant {
    isRough && isCurrent ? clock.recentTime() : MonotonicClock.now
  }

  private func aboutToWait() {
    turnBegan()
    clock.forget()
    mayHaveOldEvents = polls > 0
    polls += 1
    // libuv computes how long it waits from the loop's time, which is older than the timers that have run.
    uv_update_time(uv)
    // In a turn inside of a callback, what the outer turn has left must be opened now.
    if (mayHaveOldEvents || dispatches > 0) && hasMessages { mailbox.wakeOwner() }
    if dispatches == 0 { seeToWhatWaitsForStack() }
  }

  private func hasWaited() {
    turns += 1
    // This may have come to the loop in the middle of a turn.
    polls = max(0, polls - 1)
    turnStops = uv.pointee.stop_flag != 0
    if belay_shim_watches_turns() {
      belay_shim_watch_sends()
      let label = usersLock.withLock { users.first?.options.label?.pointer }
      belay_shim_probe(belay_shim_turn, label, uv, nil, turns)
    }
    clock.forget()
    hasNewWatchers = false
    // In a turn inside of a callback of an async, or of libuv's pool, which has one, libuv does not look at
    // the other asyncs.
    if !told.isEmpty { dispatch { $0.told.deliver() } }
    if mayHaveOldEvents && hasMessages { drain() }
  }

  /// Runs `work` at the end of the turn. For what libuv takes in at once: POSIX signals, children that have
  /// ended, and what its pool has done. A turn inside of a callback of libuv's would not hear of the others.
  @discardableResult
  package func tell(
    _ work: @escaping () -> Void, orElse refusal: @escaping () -> Void = {}
  ) -> Code {
    told.post(work, orElse: refusal)
  }

  /// The watches that sources of file events share.
  package final var watches: AnyObject?

  /// Notes that something has been armed, so that a host that polls learns of it.
  package func noteNewWatcher() {
    hasNewWatchers = true
    refreshPollable()
  }

  /// Keeps the loop alive without a watcher until as many calls of `endHold`.
  package func beginHold() {
    holds += 1
    if holds == 1 && isOpen { LoopCore.withHandle(prepare) { uv_ref($0) } }
  }

  package func endHold() {
    holds -= 1
    if holds == 0 && isOpen { LoopCore.withHandle(prepare) { uv_unref($0) } }
  }

  package override func keepAlive(_ isNeeded: Bool) {
    if isNeeded { beginHold() } else { endHold() }
  }

  /// Where a source reads to before it knows how much there is. Nobody else uses it until the source has
  /// called back.
  package func room() -> UnsafeMutableRawBufferPointer {
    if let scratch { return scratch }
    let made = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    scratch = made
    return made
  }

  /// Sets libuv's timer to the next deadline.
  func rearm() {
    let wake = timers.wake
    guard wake != timerTarget else { return }
    timerTarget = wake
    if let wake {
      let target = Self.milliseconds(wake)
      let base = uv_now(uv)
      startTimer(target > base ? target - base : 0)
    } else {
      uv_timer_stop(timer)
    }
    refreshPollable()
  }

  /// Rounded up, because libuv counts milliseconds and nothing may run early.
  private static func milliseconds(_ time: Instant) -> UInt64 {
    UInt64(max(0, time.addingSaturated(999_999) / 1_000_000))
  }

  /// Whether work with a time is due. Reads the clock.
  var isTimeUp: Bool {
    guard let wake = timers.wake else { return false }
    uv_update_time(uv)
    return Self.milliseconds(wake) <= uv_now(uv)
  }

  private func startTimer(_ milliseconds: UInt64) {
    uv_timer_start(
      timer, { LoopCore.of($0.unsafelyUnwrapped).timeIsUp() }, milliseconds, 0)
  }

  private func timeIsUp() {
    timerTarget = nil
    // One of the callbacks may run a turn, which must find the other work that is due. That turn
    // sets the timer to the right time.
    if timers.outlastsFirst {
      timerTarget = .min
      startTimer(0)
    }
    dispatch { $0.timers.run(until: $0.now) }
    if isOpen { rearm() }
  }

  // The next two are as in `TimedHome`, whose comment says why they are here again.

  /// Accepts work with a time, at which its scheduler fires it. Any thread may call this.
  func arm(_ work: Work) -> Code {
    if !isCurrent { return post(Message(to: work, .work), reserved: false) }
    if !isOpen {
      work.dispose()
      return .canceled
    }
    timers.insert(work)
    rearm()
    return .ok
  }

  /// Removes such work. Any thread may call this.
  func disarm(_ work: Work) {
    guard work.isTimed else { return }
    perform { [self] in
      timers.remove(work)
      if isOpen { rearm() }
    }
  }

  /// Runs a part of the turn. Its callbacks may release the last reference to this.
  package func dispatch(_ body: (LoopCore) -> Void) {
    let kept = Unmanaged.passRetained(self)
    dispatches += 1
    clock.forget()
    // A callback that polls must learn of messages. The end of the run sets this right.
    if pollable.set >= 0 && hasMessages { setPollable(0) }
    body(self)
    clock.forget()
    // A host's run goes on while a handle is alive. Messages that wait for the next turn are no handle.
    if isAdopted && isOpen && dispatches == 1 && hasMessages { holdForTurn() }
    dispatches -= 1
    if dispatches == 0 { seeToWhatWaitsForStack() }
    kept.release()
  }

  /// Whether this is a turn inside of another turn's callback. Asked on the loop's thread.
  var isNested: Bool { dispatches > 1 }

  /// Whether a callback of Belay's or of a subscription is running. Asked on the loop's thread.
  var isInside: Bool { dispatches > 0 || Delivery.isAnyHere }

  // MARK: Messages

  package override var ownScheduler: Scheduler? { scheduler }
  /// As libuv knows it, in milliseconds. Nil outside of Belay's callbacks: no turn may be running.
  package override var turnStart: Instant? {
    dispatches > 0 ? Instant(truncatingIfNeeded: uv_now(uv)) &* 1_000_000 : nil
  }

  /// Whether anything waits to be opened at a turn.
  var hasMessages: Bool { !mailbox.isEmpty || !told.isEmpty }

  private func drain() {
    dispatch {
      $0.mailbox.deliver($0.turnStart.map { TurnBudget(since: $0) })
      $0.told.deliver()
    }
  }

  package override func threadEnds() {
    // Another thread may bind the loop now.
    if change(threadID, from: Thread.id, to: Home.noThread) { abandonedLeave() }
  }

  // MARK: Errors

  package override var unhandledErrorHook: UnhandledErrorHook? { hookLock.withLock { hook } }

  package func setUnhandledErrorHook(_ hook: UnhandledErrorHook?, of user: LoopUser? = nil) {
    let old = hookLock.withLock { () -> UnhandledErrorHook? in
      let old = self.hook
      self.hook = hook
      hookUser = user
      return old
    }
    extendLifetime(old)  // released outside the lock
  }

  /// Removes the hook of `user`. Called on the loop's thread, on which alone a hook is set.
  func dropHook(of user: LoopUser) {
    if hookLock.withLock({ hookUser === user }) { setUnhandledErrorHook(nil) }
  }
}
