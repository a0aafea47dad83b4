import Belay
import CBelayShim
import CLibuv
import Synchronization

/// A libuv loop as a home: its mailbox, its timers, and the handles that drive them.
///
/// What any thread may ask or do says so. The rest belongs to the loop's thread.
package final class LoopCore: QueuedHome, @unchecked Sendable {
  package let uv: UnsafeMutablePointer<uv_loop_t>
  package let isAdopted: Bool
  let timers = TimerQueue()
  /// What nobody in particular schedules; until the close is done.
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
  private var clock = LoopClock()
  /// How many callbacks of libuv's for our handles are running: more than one, when a turn is run in
  /// a callback.
  var dispatches = 0
  private let isStopping = Atomic<Bool>(false)
  private let runs = Atomic<Bool>(false)
  /// Whether the last run was ended by `stop`.
  package private(set) var wasStopped = false
  /// How often it has come back from waiting.
  package private(set) var turns: UInt64 = 0
  /// Something was armed that the backend does not know of yet.
  var hasNewWatchers = true
  var pollable: belay_pollable?

  let usersLock = Lock()
  /// The users who have not left, in the order of their coming.
  var users: [LoopUser] = []

  /// Those who have left and are told so when no callback of ours is on the stack.
  var leavers: [LoopUser] = []
  /// The thread that has taken the loop, which nobody had, to have abandoned users leave.
  let rescuer = Atomic<UInt64>(Home.nobody)

  let strandsLock = Lock()
  /// The first of those in use.
  var firstStrand: Strand?
  /// What the close waits for: requests of ours, and handles that call back when they are closed.
  var requests = 0
  var watchers: [UnsafeMutableRawPointer] = []
  var closing: LoopClosing?
  /// The close does not wait for our handles.
  var leavesHandles = false
  /// The last of our handles is to be closed when no callback of ours is on the stack.
  var waitsForStack = false
  let phase = Atomic<UInt8>(Phase.open)
  private let hookLock = Lock()
  private var hook: UnhandledErrorHook?
  /// Whose it is, if it is somebody's.
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
    super.init(threadID: Home.nobody)
    // Counted down also where this throws.
    Live.loops.began()
    let code = uv_async_init(uv, async, LoopCore.wasWoken)
    if code != 0 {
      async.deallocate()
      timer.deallocate()
      prepare.deallocate()
      check.deallocate()
      throw Failure.uv(code, "cannot make a wake-up handle")
    }
    uv_timer_init(uv, timer)
    uv_prepare_init(uv, prepare)
    uv_check_init(uv, check)
    for handle in handles { handle.assumingMemoryBound(to: uv_handle_t.self).pointee.data = here }
    // Until they are closed.
    _ = Unmanaged.passRetained(self)
    uv_prepare_start(prepare) { LoopCore.of($0.unsafelyUnwrapped).aboutToWait() }
    uv_check_start(check) { LoopCore.of($0.unsafelyUnwrapped).hasWaited() }
    LoopCore.withHandle(prepare) { uv_unref($0) }
    LoopCore.withHandle(check) { uv_unref($0) }
    LoopCore.withHandle(async) { uv_unref($0) }
    mailbox = Mailbox(capacity: options.capacity) { [async] in LoopCore.wake(async) }
    scheduler = LoopUser(self, options)
  }

  deinit { Live.loops.ended() }

  // MARK: Handles

  static func of<Handle>(_ handle: UnsafeMutablePointer<Handle>) -> LoopCore {
    withHandle(handle) {
      Unmanaged<LoopCore>.fromOpaque($0.pointee.data.unsafelyUnwrapped).takeUnretainedValue()
    }
  }

  var here: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// The four that drive the loop.
  var handles: [UnsafeMutableRawPointer] {
    [
      UnsafeMutableRawPointer(async), UnsafeMutableRawPointer(timer),
      UnsafeMutableRawPointer(prepare), UnsafeMutableRawPointer(check),
    ]
  }

  /// Whether a handle is one of the four.
  func drives(with handle: UnsafeMutablePointer<uv_handle_t>) -> Bool {
    handles.contains(UnsafeMutableRawPointer(handle))
  }

  private static var wasWoken: uv_async_cb {
    { LoopCore.of($0.unsafelyUnwrapped).drain() }
  }

  /// The loop of ours whose mailbox a handle drives, if it is such a one.
  static func woken(by handle: UnsafeMutablePointer<uv_handle_t>) -> LoopCore? {
    guard uv_handle_get_type(handle) == UV_ASYNC, uv_is_closing(handle) == 0 else { return nil }
    return UnsafeMutableRawPointer(handle).withMemoryRebound(to: uv_async_t.self, capacity: 1) {
      address(of: $0.pointee.async_cb) == address(of: wasWoken) ? of($0) : nil
    }
  }

  private static func address(of callback: uv_async_cb?) -> UInt {
    unsafeBitCast(callback, to: UInt.self)
  }

  /// The host closes our handles, or has.
  var hasLostHandles: Bool { LoopCore.withHandle(async) { uv_is_closing($0) } != 0 }

  /// The host has closed our handles, and may have closed its loop.
  var isClosedByHost: Bool { LoopCore.withHandle(async) { LoopCore.isClosed($0) } }

  // MARK: Phases

  /// Neither closed nor being closed. Any thread.
  package var isOpen: Bool { phase.load(ordering: .acquiring) == Phase.open }
  package var isClosed: Bool { phase.load(ordering: .acquiring) == Phase.closed }
  package var isRunning: Bool { runs.load(ordering: .relaxed) }

  // MARK: Time

  /// The monotonic clock, read once in each phase of a turn.
  package var now: Instant {
    // Of an adopted loop's turns, only our own part is known.
    clock.now(isKept: isRunning || dispatches > 0)
  }

  /// The same, on any thread.
  var timeForAll: Instant { isCurrent ? now : MonotonicClock.now }

  /// What delays count from. Any thread.
  func delayStart(isRough: Bool) -> Instant {
    isRough && isCurrent ? clock.recentTime() : MonotonicClock.now
  }

  private func aboutToWait() {
    clock.forget()
    // In a turn that is run in a callback: the rest of what that is one of comes now.
    if dispatches > 0 && mailbox.isMidway { LoopCore.wake(async) }
    if dispatches == 0 { seeToWhatWaitsForStack() }
  }

  private func hasWaited() {
    turns += 1
    clock.forget()
    hasNewWatchers = false
  }

  /// Lets the backend know of what was armed just now, when the host drives it.
  func noteNewWatcher() {
    hasNewWatchers = true
    refreshPollable()
  }

  /// Sets libuv's one timer to the next deadline.
  func rearm() {
    let wake = timers.wake
    guard wake != timerTarget else { return }
    timerTarget = wake
    if let wake {
      // Rounded up: libuv counts milliseconds, and nothing may run early.
      let target = UInt64(max(0, wake.addingSaturated(999_999) / 1_000_000))
      let base = uv_now(uv)
      startTimer(target > base ? target - base : 0)
    } else {
      uv_timer_stop(timer)
    }
    refreshPollable()
  }

  private func startTimer(_ milliseconds: UInt64) {
    uv_timer_start(
      timer, { LoopCore.of($0.unsafelyUnwrapped).timeIsUp() }, milliseconds, 0)
  }

  private func timeIsUp() {
    timerTarget = nil
    // For a turn that is run in one of the callbacks; it arms the timer as it should be.
    if timers.outlastsFirst {
      timerTarget = .min
      startTimer(0)
    }
    dispatch { $0.timers.run(until: $0.now) }
    if isOpen { rearm() }
  }

  /// Takes in work that has a time, at which its scheduler fires it. Any thread.
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

  /// Forgets such work. Any thread.
  func disarm(_ work: Work) {
    guard work.isTimed else { return }
    perform { [self] in
      timers.remove(work)
      if isOpen { rearm() }
    }
  }

  /// Runs a phase of the turn. Callbacks may let go of the last reference.
  func dispatch(_ body: (LoopCore) -> Void) {
    let kept = Unmanaged.passRetained(self)
    dispatches += 1
    clock.forget()
    body(self)
    clock.forget()
    dispatches -= 1
    if dispatches == 0 { seeToWhatWaitsForStack() }
    kept.release()
  }

  /// At the loop's thread: in a turn that is run in a callback of another turn.
  var isNested: Bool { dispatches > 1 }

  /// At the loop's thread: in a callback of ours, or of a subscription.
  var isInside: Bool { dispatches > 0 || Delivery.isAnyHere }

  // MARK: Mail

  package override var ownScheduler: Scheduler? { scheduler }

  private func drain() {
    // For a poll in one of the callbacks: messages of this turn may be left. The run's end, or that of
    // one inside, sets it right.
    if var pollable { belay_shim_set_pollable(&pollable, 0) }
    dispatch { $0.mailbox.deliver() }
  }

  package override func threadEnds() {
    guard isCurrent else { return }
    threadID.store(Home.nobody, ordering: .sequentiallyConsistent)
    abandonedLeave()
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

  /// At the loop's thread, where alone it is set.
  func dropHook(of user: LoopUser) {
    if hookLock.withLock({ hookUser === user }) { setUnhandledErrorHook(nil) }
  }

  // MARK: Running

  /// Binds the loop to the calling thread.
  package func bind() -> Code {
    if isCurrent { return .ok }
    if isClosed { return .closed }
    if isRunning { return .busy }
    if let other = LoopCore.bound, other !== self { return .bound }
    if !take() { return .busy }
    Home.bind(self)
    return .ok
  }

  /// Runs the loop; answers whether something is left to wait for.
  package func run(_ mode: LoopRunMode) -> (code: Code, isAlive: Bool) {
    if !isOpen && !isRunning { return (.closed, false) }
    if isAdopted { return (.invalid, false) }
    let code = bind()
    if code.isFailure { return (code, false) }
    let isNested = isRunning
    runs.store(true, ordering: .relaxed)
    let kept = Unmanaged.passRetained(self)
    defer { kept.release() }
    Batch.settle()
    // A turn that this one is inside of may have it keep the loop alive (`runWithoutWaiting`).
    if isNested && !isPersistent { LoopCore.withHandle(async) { uv_unref($0) } }
    switch mode {
    case .default: runUntilDone()
    case .once: runOnce()
    case .nowait: runWithoutWaiting()
    }
    wasStopped = isStopping.exchange(false, ordering: .relaxed)
    if isNested {
      refreshPollable(always: true)
      return (.ok, isAlive)
    }
    runs.store(false, ordering: .relaxed)
    clock.forget()
    if closing != nil { runUntilClosed() }
    if isClosed {
      disposeOfLoop()
      return (.ok, false)
    }
    refreshPollable()
    return (.ok, isAlive)
  }

  private func runUntilDone() {
    while !isStopping.load(ordering: .acquiring) {
      uv_run(uv, UV_RUN_DEFAULT)
      // What was posted does not keep libuv going, but is not left lying either.
      if !hasMail { break }
      runWithoutWaiting()
    }
  }

  private func runOnce() {
    if !hasMail && uv_loop_alive(uv) != 0 {
      uv_run(uv, UV_RUN_ONCE)
    } else {
      runWithoutWaiting()
    }
  }

  /// One turn, even when nothing keeps the loop alive: mail may have come.
  private func runWithoutWaiting() {
    if isPersistent || !isOpen {
      uv_run(uv, UV_RUN_NOWAIT)
      return
    }
    LoopCore.withHandle(async) { uv_ref($0) }
    uv_run(uv, UV_RUN_NOWAIT)
    if isOpen && !isPersistent { LoopCore.withHandle(async) { uv_unref($0) } }
  }

  /// Runs our own loop until its handles are closed, outside any run.
  func runUntilClosed() {
    runs.store(true, ordering: .relaxed)
    while requests > 0 { uv_run(uv, UV_RUN_ONCE) }
    runs.store(false, ordering: .relaxed)
  }

  /// Makes a run return after the turn in progress. Any thread.
  package func stop() -> Code {
    if isAdopted { return .invalid }
    isStopping.store(true, ordering: .releasing)
    if isCurrent {
      stopHere()
      return .ok
    }
    return post(Message(to: StopRequest(self), .work), reserved: true)
  }

  fileprivate func stopHere() {
    // One that came before a run has ended that run already.
    if isRunning && isStopping.load(ordering: .relaxed) { uv_stop(uv) }
  }

  package var isAlive: Bool { !isClosed && (uv_loop_alive(uv) != 0 || hasMail) }

  /// Whether something waits for a turn that does not keep the loop alive.
  var hasMail: Bool { !mailbox.isEmpty || !leavers.isEmpty && !isInside }
}

/// A stop on its way to the loop.
private final class StopRequest: Entity, @unchecked Sendable {
  private let core: LoopCore
  init(_ core: LoopCore) { self.core = core }
  override func receive(_ message: inout Message, isCanceled: Bool) {
    if !isCanceled { core.stopHere() }
  }
}

extension Failure {
  /// One of libuv's codes, with its text.
  static func uv(_ code: Int32, _ what: Text) -> Failure {
    Failure(
      Code(rawValue: code), domain: "libuv",
      message: what + ": " + Text(cString: uv_strerror(code)))
  }
}
