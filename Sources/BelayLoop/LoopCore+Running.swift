@_spi(Engine) import Belay
import CLibuv
import Synchronization

/// The runs of Belay's own loop.
extension LoopCore {
  private static var onceMark: UInt8 { 1 }
  private static var forGoodMark: UInt8 { 2 }
  private static var outermostMark: UInt8 { 4 }

  /// Binds the loop to the calling thread.
  package func bind() -> Code { isCurrent ? .ok : bind(begins: false).code }

  /// The same. If it `begins` a run, no other thread binds the loop before that is over. Answers
  /// whether this thread runs it already.
  private func bind(begins: Bool) -> (code: Code, isNested: Bool) {
    if !isCurrent {
      if isClosed { return (.closed, false) }
      if LoopCore.bound != nil || Home.currentIfMade is HostHome { return (.bound, false) }
      // Only a thread that binds it knows that it is no longer shared with the parent.
      if begins && threadID.load(ordering: .relaxed) == Self.parentsThread {
        return (.wrongThread, false)
      }
    }
    bindLock.acquire()
    let isNew = !isCurrent
    let wasRunning = runs.load(ordering: .acquiring)
    let isBound = !isNew || !wasRunning && !isWorkers && !isClosed && tryBind()
    if isBound && begins { runs.store(true, ordering: .relaxed) }
    bindLock.release()
    if !isBound { return (.busy, false) }
    if isNew { Home.show(self) }
    return (.ok, wasRunning)
  }

  /// Runs the loop. Answers whether it is still alive.
  package func run(_ mode: LoopRunMode) -> (code: Code, isAlive: Bool) {
    if !isOpen && !isRunning { return (.closed, false) }
    if isAdopted { return (.invalid, false) }
    let (code, isNested) = bind(begins: true)
    if code.isFailure { return (code, false) }
    let kept = Unmanaged.passRetained(self)
    defer { kept.release() }
    Batch.deliverWaiting()
    // A stop from before a nested run is meant for the run around it. The nested one still makes a turn,
    // in which the event that it waits for may come.
    let outerStop = isNested ? stopping.exchange(0, ordering: .relaxed) : 0
    if outerStop != 0 { uv.pointee.stop_flag = 0 }
    switch mode {
    case _ where stopping.load(ordering: .acquiring) != 0: uv.pointee.stop_flag = 0
    case .once where outerStop & Self.forGoodMark == 0: runOnce()
    case .default where outerStop == 0: runUntilDone()
    default: runWithoutWaiting()
    }
    let stop = stopping.bitwiseAnd(Self.forGoodMark, ordering: .relaxed).oldValue
    wasStopped = stop != 0
    if isNested {
      let left = outerStop | stop & (Self.forGoodMark | Self.outermostMark)
      if left != 0 {
        stopping.bitwiseOr(left, ordering: .relaxed)
        uv_stop(uv)
      }
      refreshPollable()
      return (.ok, isAlive)
    }
    clock.forget()
    if closing != nil { runUntilClosed() }
    if isClosed {
      runs.store(false, ordering: .relaxed)
      disposeOfLoop()
      return (.ok, false)
    }
    refreshPollable()
    // From now on another thread may run the loop.
    let isAlive = isAlive
    runs.store(false, ordering: .releasing)
    return (.ok, isAlive)
  }

  private func runUntilDone() {
    while stopping.load(ordering: .acquiring) == 0 {
      // It returns from a loop that is alive when somebody has called `uv_stop`. A message does not
      // keep it going, but must be opened before the run ends.
      if uv_run(uv, UV_RUN_DEFAULT) != 0 || !hasMail { break }
      runWithoutWaiting()
      if turnStops { break }
    }
  }

  private func runOnce() {
    // libuv before 1.45 runs the timers that are due, and waits then.
    if !hasMail && !isTimeUp && uv_loop_alive(uv) != 0 {
      uv_run(uv, UV_RUN_ONCE)
    } else {
      runWithoutWaiting()
    }
  }

  /// Runs one turn, even if the loop is not alive, because messages may have come.
  private func runWithoutWaiting() {
    if isOpen && uv_loop_alive(uv) == 0 { holdForTurn() }
    uv_run(uv, UV_RUN_NOWAIT)
    // A stop may have prevented the turn.
    turnBegan()
  }

  /// Keeps the loop alive until its next turn.
  func holdForTurn() {
    isHeldForTurn = true
    LoopCore.withHandle(async) { uv_ref($0) }
  }

  /// Called before the callbacks of a turn, which may have libuv run the loop until nothing is left.
  func turnBegan() {
    guard isHeldForTurn else { return }
    isHeldForTurn = false
    if isOpen && !isPersistent { LoopCore.withHandle(async) { uv_unref($0) } }
  }

  /// Runs Belay's own loop outside of a run, until its handles have been closed.
  func runUntilClosed() {
    runs.store(true, ordering: .relaxed)
    while requests > 0 { uv_run(uv, UV_RUN_ONCE) }
    runs.store(false, ordering: .relaxed)
  }

  var isStoppedForGood: Bool { stopping.load(ordering: .acquiring) & Self.forGoodMark != 0 }

  /// Makes a run return after the present turn, and `forGood` every run. Any thread may call this.
  package func stop(forGood: Bool = false) -> Code {
    stop(forGood ? Self.forGoodMark : Self.onceMark)
  }

  /// Makes all runs return, up to the one outside of callbacks.
  func stopOutermost() { _ = stop(Self.outermostMark) }

  private func stop(_ mark: UInt8) -> Code {
    if isAdopted { return .invalid }
    stopping.bitwiseOr(mark, ordering: .releasing)
    if isCurrent {
      // A host that polls for the next turn must make it, to learn of the stop.
      if isRunning { stopHere() } else { noteNewWatcher() }
      return .ok
    }
    return post(Message(to: StopRequest(self), .work), reserved: true)
  }

  func stopHere() {
    // A `stop` from before the run has ended it already.
    if isRunning && stopping.load(ordering: .relaxed) != 0 { uv_stop(uv) }
  }

  package var isAlive: Bool { !isClosed && (needsTurn(hasMail) || uv_loop_alive(uv) != 0) }

  /// Whether something waits for a turn although it does not keep the loop alive.
  var hasMail: Bool { hasMessages || firstLeaver != nil && !isInside }

  /// Called with whether a turn is needed, which is the answer. A host that asks is about to run its loop,
  /// and libuv makes no turn of a loop that is not alive.
  func needsTurn(_ isNeeded: Bool) -> Bool {
    if isNeeded && isAdopted { holdForTurn() }
    return isNeeded
  }
}

/// A message that stops a run.
private final class StopRequest: Entity, @unchecked Sendable {
  private let core: LoopCore
  init(_ core: LoopCore) { self.core = core }
  override func receive(_ message: inout Message, isCanceled: Bool) {
    if !isCanceled { core.stopHere() }
  }
}
