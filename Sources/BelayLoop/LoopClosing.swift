@_spi(Engine) import Belay
import CLibuv

extension LoopUser {
  /// Ends what belongs to this user. The last user that leaves closes the loop.
  package func leave(_ report: (([OpenResource]) -> Void)?) -> Code {
    if !isOpen { return .closed }
    if !core.isCurrent { return .wrongThread }
    let kept = Unmanaged.passRetained(core)
    defer { kept.release() }
    let isLast = core.hasOneUser
    let leaving = isLast ? nil : self
    let closing = ClosingReport(
      report, label: options.label, site: options.site, isSilent: options.isSilent)
    core.noteResources(of: leaving, in: closing)
    // First: a thread whose work was refused must not see other work begin afterwards.
    for strand in core.strands(of: leaving) { strand.beginNothingMore() }
    markLeft()
    core.remove(self)
    if isLast {
      core.close(closing, members)
    } else {
      leaveOthers(closing)
    }
    return .ok
  }

  private func leaveOthers(_ closing: ClosingReport) {
    self.closing = closing
    // Counted as a request, so that the report is not made before all of it has ended.
    requests += 1
    // In the order of a close.
    core.mailbox.loseWaiting { self.owns($0) }
    members.end()
    for work in core.timers.all where owns(work) { work.dispose() }
    core.shutDownStrands(of: self)
    core.dropHook(of: self)
    requestEnded()
    // This may have had the last handle with which somebody could run the next turn.
    if !core.isAdopted && !core.isRunning { core.abandonedLeave() }
  }

  /// Called when a request of this user's strands has come back.
  func requestEnded() {
    requests -= 1
    if requests == 0 && closing != nil { core.hasLeft(self) }
  }

  func tell() {
    let closing = closing
    self.closing = nil
    closing?.tell()
  }
}

extension LoopCore {
  /// Called when the last user, which has `members`, has left: ends everything of Belay's, then
  /// closes the libuv handles. Belay's own loop is run until that is done, unless it is running. On
  /// the host's loop no code of Belay's has to run after this, unless requests are on their way, or
  /// this was called inside of a callback of Belay's.
  func close(_ closing: ClosingReport, _ members: CompoundCore) {
    begin(closing, leavesHandles: isAdopted && !isInside)
    shutDown(members)
    closeHandles()
    // The program's own handles may keep the runs going.
    if isRunning { _ = stop(forGood: true) }
    if !isAdopted && !isRunning && !waitsForStack {
      runUntilClosed()
      disposeOfLoop()
    }
  }

  /// Called when everything of `user`'s has ended. The report is made when no callback of Belay's
  /// is on the stack, because one of them may be the user's, and may run a turn. It is made at once if
  /// the loop has been closed by the last end, because then it has no turn any more.
  fileprivate func hasLeft(_ user: LoopUser) {
    if isClosed { return user.tell() }
    if var last = firstLeaver {
      while let next = last.nextLeaver { last = next }
      last.nextLeaver = user
    } else {
      firstLeaver = user
    }
    seeToWhatWaitsForStack()
    // Outside of a turn, only the next turn can tell that the callback is over.
    if isOpen && dispatches == 0 && firstLeaver != nil {
      holdForTurn()
      mailbox.wakeOwner()
    }
  }

  /// Notes what is open now: Belay's subscriptions, timers and strands, and the host's handles. For
  /// one `user` of several: the user's subscriptions, timers and strands.
  func noteResources(of user: LoopUser?, in closing: ClosingReport) {
    if let user {
      user.members.forEachMember { if let link = $0 as? Link { closing.note(link) } }
    } else {
      closing.note(at: self)
    }
    closing.note(timers) { user?.owns($0) ?? true }
    for strand in strands(of: user) {
      // A strand's residents must not be read while a thread of the pool is there.
      if strand.isBusy {
        closing.note("work", strand, strand.latest?.origin ?? Origin())
      } else {
        closing.note(at: strand)
      }
    }
    if user != nil || isClosedByHost { return }
    var walk = Walk(core: self, closing: closing)
    withUnsafeMutablePointer(to: &walk) { walk in
      uv_walk(
        uv,
        { handle, context in
          guard let handle, let context else { return }
          context.assumingMemoryBound(to: Walk.self).pointee.visit(handle)
        }, walk)
    }
  }

  /// Frees a loop of Belay's. If the host still has handles on it, that is impossible, and it
  /// stays.
  func disposeOfLoop() {
    if uv_loop_close(uv) == 0 { uv.deallocate() }
  }
}

/// Collects the host's handles.
private struct Walk {
  let core: LoopCore
  let closing: ClosingReport

  func visit(_ handle: UnsafeMutablePointer<uv_handle_t>) {
    if uv_is_closing(handle) != 0 || core.drives(with: handle) || core.watches(with: handle) {
      return
    }
    closing.resources.append(
      OpenResource(
        kind: handleKind(handle), label: nil, site: nil, address: UnsafeRawPointer(handle),
        isForeign: true))
  }

  private func handleKind(_ handle: UnsafeMutablePointer<uv_handle_t>) -> StaticSite {
    switch belay_uv_type(handle) {
    case UV_ASYNC: StaticSite("uv_async")
    case UV_CHECK: StaticSite("uv_check")
    case UV_FS_EVENT: StaticSite("uv_fs_event")
    case UV_FS_POLL: StaticSite("uv_fs_poll")
    case UV_IDLE: StaticSite("uv_idle")
    case UV_NAMED_PIPE: StaticSite("uv_pipe")
    case UV_POLL: StaticSite("uv_poll")
    case UV_PREPARE: StaticSite("uv_prepare")
    case UV_PROCESS: StaticSite("uv_process")
    case UV_SIGNAL: StaticSite("uv_signal")
    case UV_STREAM: StaticSite("uv_stream")
    case UV_TCP: StaticSite("uv_tcp")
    case UV_TIMER: StaticSite("uv_timer")
    case UV_TTY: StaticSite("uv_tty")
    case UV_UDP: StaticSite("uv_udp")
    default: StaticSite("uv_handle")
    }
  }
}
