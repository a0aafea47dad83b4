import Belay
import CBelayShim
import CLibuv
import Synchronization

/// A libuv loop as a home: its mailbox, its timers, and the handles that drive them.
///
/// Everything but `post`, `wake` and `stop` belongs to the loop's thread.
package final class LoopCore: QueuedHome, @unchecked Sendable {
  package let uv: UnsafeMutablePointer<uv_loop_t>
  package let isAdopted: Bool
  package let label: StaticSite?
  package let site: StaticSite?
  let timers = TimerQueue()
  /// Until the close is done.
  package private(set) var scheduler: LoopScheduler! = nil

  private enum Phase {
    static let open: UInt8 = 0
    static let closing: UInt8 = 1
    static let closed: UInt8 = 2
  }

  private let async: UnsafeMutablePointer<uv_async_t>
  private let timer: UnsafeMutablePointer<uv_timer_t>
  private let prepare: UnsafeMutablePointer<uv_prepare_t>
  private let check: UnsafeMutablePointer<uv_check_t>
  private var timerTarget: Instant?
  private var clock = LoopClock()
  /// A callback of libuv's for one of our handles is running.
  private var isDispatching = false
  private let isStopping = Atomic<Bool>(false)
  private let runs = Atomic<Bool>(false)
  /// Whether the last run was ended by `stop`.
  package private(set) var wasStopped = false
  /// How often it has come back from waiting.
  package private(set) var turns: UInt64 = 0
  /// Something was armed that the backend does not know of yet.
  private var hasNewWatchers = true
  private var pollable: belay_pollable?
  private let isPersistent: Bool

  private let strandsLock = Lock()
  /// The first of those in use.
  private var firstStrand: Strand?
  /// What keeps the close waiting: open handles and requests of ours.
  private var openHandles = 0
  private var watchers: [UnsafeMutableRawPointer] = []
  var closing: LoopClosing?
  private let phase = Atomic<UInt8>(Phase.open)
  /// The last handle has gone, on another thread, and the loop is not being closed yet.
  let isAbandoned = Atomic<Bool>(false)
  private let hookLock = Lock()
  private var hook: UnhandledErrorHook?
  /// The handle to this loop, while there is one.
  package unowned(unsafe) var handle: Loop?

  init(
    uv: UnsafeMutablePointer<uv_loop_t>, isAdopted: Bool, options: LoopOptions
  ) throws(Failure) {
    self.uv = uv
    self.isAdopted = isAdopted
    label = options.label
    site = options.site
    isPersistent = options.isPersistent
    async = .allocate(capacity: 1)
    timer = .allocate(capacity: 1)
    prepare = .allocate(capacity: 1)
    check = .allocate(capacity: 1)
    super.init(threadID: Home.nobody)
    let code = uv_async_init(uv, async) { LoopCore.of($0.unsafelyUnwrapped).drain() }
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
    adoptHandle(async)
    adoptHandle(timer)
    adoptHandle(prepare)
    adoptHandle(check)
    uv_prepare_start(prepare) { LoopCore.of($0.unsafelyUnwrapped).aboutToWait() }
    uv_check_start(check) { LoopCore.of($0.unsafelyUnwrapped).hasWaited() }
    LoopCore.withHandle(prepare) { uv_unref($0) }
    LoopCore.withHandle(check) { uv_unref($0) }
    if !isPersistent { LoopCore.withHandle(async) { uv_unref($0) } }
    mailbox = Mailbox(capacity: options.capacity) { [async] in LoopCore.wake(async) }
    scheduler = LoopScheduler(self)
    Live.loops.began()
  }

  deinit { Live.loops.ended() }

  // MARK: Handles

  private static func of<Handle>(_ handle: UnsafeMutablePointer<Handle>) -> LoopCore {
    withHandle(handle) {
      Unmanaged<LoopCore>.fromOpaque($0.pointee.data.unsafelyUnwrapped).takeUnretainedValue()
    }
  }

  private func adoptHandle<Handle>(_ handle: UnsafeMutablePointer<Handle>) {
    LoopCore.withHandle(handle) { $0.pointee.data = Unmanaged.passUnretained(self).toOpaque() }
    opened()
  }

  /// A handle or a request of ours is open; the loop lives until it is closed again.
  func opened() {
    openHandles += 1
    _ = Unmanaged.passRetained(self)
  }

  func closed() {
    openHandles -= 1
    let isLast = openHandles == 0
    if isLast, let closing { closing.handlesAreClosed(self) }
    Unmanaged.passUnretained(self).release()
  }

  /// A watcher of ours, which a close must not take for the host's.
  func opened<Handle>(_ handle: UnsafeMutablePointer<Handle>) {
    watchers.append(UnsafeMutableRawPointer(handle))
    opened()
  }

  func closed(watcher: UnsafeMutableRawPointer) {
    watchers.removeAll { $0 == watcher }
    closed()
  }

  func watches(with handle: UnsafeMutablePointer<uv_handle_t>) -> Bool {
    watchers.contains(UnsafeMutableRawPointer(handle))
  }

  private func closeHandle<Handle>(_ handle: UnsafeMutablePointer<Handle>) {
    LoopCore.close(UnsafeMutableRawPointer(handle)) { handle in
      let core = LoopCore.of(handle.unsafelyUnwrapped)
      handle?.deallocate()
      core.closed()
    }
  }

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
    clock.now(isKept: isRunning || isDispatching)
  }

  /// The same, on any thread.
  var timeForAll: Instant { isCurrent ? now : MonotonicClock.now }

  /// What delays count from. Any thread.
  func delayStart(isRough: Bool) -> Instant {
    isRough && isCurrent ? clock.recentTime() : MonotonicClock.now
  }

  private func aboutToWait() { clock.forget() }

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
      uv_timer_start(
        timer, { LoopCore.of($0.unsafelyUnwrapped).timeIsUp() },
        target > base ? target - base : 0, 0)
    } else {
      uv_timer_stop(timer)
    }
    refreshPollable()
  }

  private func timeIsUp() {
    timerTarget = nil
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
  private func dispatch(_ body: (LoopCore) -> Void) {
    let kept = Unmanaged.passRetained(self)
    let isNested = isDispatching
    isDispatching = true
    clock.forget()
    body(self)
    clock.forget()
    isDispatching = isNested
    kept.release()
  }

  // MARK: Mail

  package override var ownScheduler: Scheduler? { scheduler }

  private func drain() {
    dispatch { $0.mailbox.deliver() }
  }

  package override func threadEnds() {
    guard isCurrent else { return }
    threadID.store(Home.nobody, ordering: .sequentiallyConsistent)
    closeIfAbandoned()
  }

  // MARK: Errors

  package override var unhandledErrorHook: UnhandledErrorHook? { hookLock.withLock { hook } }

  package func setUnhandledErrorHook(_ hook: UnhandledErrorHook?) {
    let old = hookLock.withLock { () -> UnhandledErrorHook? in
      let old = self.hook
      self.hook = hook
      return old
    }
    extendLifetime(old)  // released outside the lock
  }

  // MARK: Running

  /// Binds the loop to the calling thread.
  package func bind() -> Code {
    if isCurrent { return .ok }
    if isClosed { return .closed }
    if isRunning { return .busy }
    if let other = LoopCore.bound, other !== self { return .bound }
    Home.bind(self)
    return .ok
  }

  /// Runs the loop; answers whether something is left to wait for.
  package func run(_ mode: LoopRunMode) -> (code: Code, isAlive: Bool) {
    if !isOpen && !isRunning { return (.closed, false) }
    if isAdopted { return (.invalid, false) }
    if isRunning { return (.busy, false) }
    let code = bind()
    if code.isFailure { return (code, false) }
    runs.store(true, ordering: .relaxed)
    let kept = Unmanaged.passRetained(self)
    defer { kept.release() }
    Batch.settle()
    switch mode {
    case .default: runUntilDone()
    case .once: runOnce()
    case .nowait: runWithoutWaiting()
    }
    wasStopped = isStopping.exchange(false, ordering: .relaxed)
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
      if mailbox.isEmpty { break }
      runWithoutWaiting()
    }
  }

  private func runOnce() {
    if mailbox.isEmpty && uv_loop_alive(uv) != 0 {
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
    if isOpen { LoopCore.withHandle(async) { uv_unref($0) } }
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

  package var isAlive: Bool { !isClosed && (uv_loop_alive(uv) != 0 || !mailbox.isEmpty) }

  // MARK: Driven by the host

  package var backendFD: Int32 { uv_backend_fd(uv) }

  /// Nanoseconds to wait at most; nil: without limit.
  package var backendTimeout: Int64? {
    if isClosed { return nil }
    if hasNewWatchers || !mailbox.isEmpty { return 0 }
    uv_update_time(uv)
    if uv_loop_alive(uv) == 0 { return nil }
    let timeout = uv_backend_timeout(uv)
    return timeout < 0 ? nil : Int64(timeout) * 1_000_000
  }

  /// One descriptor for everything; made at the first ask.
  package func pollableFD() -> Int32 {
    if let pollable { return pollable.set }
    var made = belay_pollable()
    let result = belay_shim_open_pollable(&made, backendFD)
    if result < 0 { return result }
    pollable = made
    refreshPollable()
    return result
  }

  private func refreshPollable() {
    guard var pollable, !isRunning, !isClosed else { return }
    belay_shim_set_pollable(&pollable, backendTimeout ?? -1)
  }

  // MARK: Strands

  /// `strand` has something to see to, or has so no more. Any thread.
  func usesChange(of strand: Strand, by change: Int) {
    strandsLock.acquire()
    let wasInUse = strand.uses > 0
    strand.uses += change
    if wasInUse != (strand.uses > 0) {
      if wasInUse {
        strand.nextInUse?.previousInUse = strand.previousInUse
        if let previous = strand.previousInUse {
          previous.nextInUse = strand.nextInUse
        } else {
          firstStrand = strand.nextInUse
        }
        strand.nextInUse = nil
      } else {
        strand.previousInUse = nil
        strand.nextInUse = firstStrand
        firstStrand?.previousInUse = strand
        firstStrand = strand
      }
    }
    strandsLock.release()
  }

  func uses(_ strand: Strand) -> Bool { strandsLock.withLock { strand.uses > 0 } }

  /// Those in use.
  func allStrands() -> [Strand] {
    strandsLock.withLock {
      var strands: [Strand] = []
      var next = firstStrand
      while let strand = next {
        strands.append(strand)
        next = strand.nextInUse
      }
      return strands
    }
  }

  // MARK: The end

  /// Lets everything of ours go; `closing` is told when libuv has closed it all.
  func shutDown() {
    // Before what is here ends: then it shows what was on its way to somebody.
    mailbox.refuseWaiting()
    // While they end, other threads reach them here, and finish nothing in their place.
    interruptResidents()
    timers.disposeAll()
    for strand in allStrands() { strand.shutDown() }
    mailbox.close()
    closeHandle(async)
    closeHandle(timer)
    closeHandle(prepare)
    closeHandle(check)
  }

  /// The close begins.
  func begin(_ closing: LoopClosing) {
    self.closing = closing
    phase.store(Phase.closing, ordering: .releasing)
  }

  /// Runs our own loop until its handles are closed, outside any run.
  func runUntilClosed() {
    runs.store(true, ordering: .relaxed)
    while openHandles > 0 { uv_run(uv, UV_RUN_ONCE) }
    runs.store(false, ordering: .relaxed)
  }

  func finishClose() {
    phase.store(Phase.closed, ordering: .releasing)
    if var pollable {
      belay_shim_close_pollable(&pollable)
      self.pollable = nil
    }
    scheduler = nil
    // The thread may have another loop by now.
    if Home.currentIfMade === self { Home.bind(nil) }
    threadID.store(Home.nobody, ordering: .relaxed)
    setUnhandledErrorHook(nil)
  }

  /// Whether a handle is one of the four that drive the loop.
  func drives(with handle: UnsafeMutablePointer<uv_handle_t>) -> Bool {
    let address = UnsafeMutableRawPointer(handle)
    return address == UnsafeMutableRawPointer(async) || address == UnsafeMutableRawPointer(timer)
      || address == UnsafeMutableRawPointer(prepare) || address == UnsafeMutableRawPointer(check)
  }
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
