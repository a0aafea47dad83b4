import Belay
import CBelayShim
import CLibuv
import Synchronization

/// The phases of a loop's close.
extension LoopCore {
  /// The close begins.
  ///
  /// - Parameter leavesHandles: it does not wait for libuv to let go of our handles.
  func begin(_ closing: LoopClosing, leavesHandles: Bool) {
    // Until `closeLastHandle`.
    requestBegan()
    self.closing = closing
    self.leavesHandles = leavesHandles
    phase.store(Phase.closing, ordering: .releasing)
  }

  /// Lets everything of ours go, `members` too.
  func shutDown(_ members: CompoundCore) {
    // Before what is here ends: then it shows what was on its way to somebody.
    mailbox.refuseWaiting()
    // While they end, other threads reach them here, and finish nothing in their place.
    interruptResidents()
    members.end()
    timers.disposeAll()
    for strand in strands() { strand.shutDown() }
    mailbox.close()
  }

  /// Closes the handles that drive the loop. While a callback of ours is on the stack the last one
  /// stays, and with it the close waits: a turn inside of that callback must not bring it about.
  func closeHandles() {
    for handle in handles where handle != UnsafeMutableRawPointer(prepare) { closeAndFree(handle) }
    // A callback outside of any turn of our own loop's is not waited for: nobody runs that again.
    waitsForStack = dispatches > 0 || isAdopted && isInside
    if !waitsForStack { closeLastHandle() }
  }

  /// Between the turns and their phases: does what waits until no callback of ours is on the stack.
  func seeToWhatWaitsForStack() {
    if !waitsForStack && leavers.isEmpty || dispatches > 0 { return }
    let kept = Unmanaged.passRetained(self)
    let isInside = isInside
    if !isInside { tellLeavers() }
    if waitsForStack && !(isAdopted && isInside) {
      waitsForStack = false
      closeLastHandle()
    }
    kept.release()
  }

  private func tellLeavers() {
    while let user = leavers.first {
      leavers.removeFirst()
      user.tell()
    }
  }

  private func closeLastHandle() {
    closeAndFree(prepare)
    requestEnded()
    Unmanaged.passUnretained(self).release()
  }

  /// The close is over when nothing is left to wait for.
  func finishIfDone() {
    guard requests == 0, let closing else { return }
    // The report and what it holds go when it has been made.
    self.closing = nil
    // No turn comes any more.
    tellLeavers()
    finishClose()
    closing.tell()
  }

  private func finishClose() {
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
}
