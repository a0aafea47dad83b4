@_spi(Engine) import Belay
import CBelayShim
import CLibuv
import Synchronization

/// The steps of a loop's close.
extension LoopCore {
  /// Begins the close. If `leavesHandles`, it does not wait until libuv has released the handles.
  func begin(_ closing: ClosingReport, leavesHandles: Bool) {
    // Ended by `closeLastHandle`.
    requestBegan()
    self.closing = closing
    self.leavesHandles = leavesHandles
    phase.store(Phase.closing, ordering: .releasing)
  }

  /// Ends everything of Belay's at this loop, and `members`.
  func shutDown(_ members: CompoundCore) {
    // First, because a message to a receiver that has ended already would not count as lost.
    mailbox.refuseWaiting()
    told.refuseWaiting()
    // While they end, this home can be reached, so that no other thread finishes them.
    interruptResidents()
    members.end()
    timers.disposeAll()
    shutDownStrands(of: nil)
    mailbox.close()
    told.close()
  }

  /// Closes the handles that drive the loop. While a callback of Belay's is on the stack, the last
  /// handle stays open, and the close waits for it. So a turn inside of that callback cannot
  /// complete the close.
  func closeHandles() {
    for handle in handles where handle != UnsafeMutableRawPointer(prepare) { closeAndFree(handle) }
    // If the callback is outside of any turn of Belay's own loop, the close does not wait for it,
    // because nothing would run the loop again.
    waitsForStack = dispatches > 0 || isAdopted && isInside
    if !waitsForStack { closeLastHandle() }
  }

  /// Called between the turns and their parts. Does the work that waits until no callback of Belay's
  /// is on the stack.
  func seeToWhatWaitsForStack() {
    if !waitsForStack && firstLeaver == nil || dispatches > 0 { return }
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
    while let user = firstLeaver {
      firstLeaver = user.nextLeaver
      user.nextLeaver = nil
      user.tell()
    }
  }

  private func closeLastHandle() {
    // A run of libuv's, inside of a callback, may have taken the stop for its own.
    stopHere()
    closeAndFree(prepare)
    requestEnded()
    Unmanaged.passUnretained(self).release()
  }

  /// Ends the close when it has nothing left to wait for.
  func endCloseIfDone() {
    guard requests == 0, let closing else { return }
    // The report, and what it retains, are released after the call.
    self.closing = nil
    // No turn comes any more.
    tellLeavers()
    endClose()
    closing.tell()
  }

  private func endClose() {
    phase.store(Phase.closed, ordering: .releasing)
    belay_shim_close_pollable(&pollable)
    scheduler = nil
    // The thread may have another loop by now.
    if Home.currentIfMade === self { Home.show(nil) }
    threadID.store(Home.noThread, ordering: .relaxed)
    setUnhandledErrorHook(nil)
    endUse()
  }
}
