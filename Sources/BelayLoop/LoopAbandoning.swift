@_spi(Engine) import Belay
import CLibuv
import Synchronization

/// A user whose handle goes on another thread before it has left.
///
/// A message makes it leave at the next turn. If no thread can run the loop any more, it leaves
/// when the loop's thread next looks for a loop, or when that thread ends; or at once if it has
/// ended.
extension LoopUser {
  /// Called when the handle's last reference has gone. Any thread.
  func handleHasGone() {
    core.usersLock.withLock { handle = nil }
    guard isOpen else { return }
    if core.isCurrent {
      _ = leave(nil)
      return
    }
    isAbandoned.store(true, ordering: .sequentiallyConsistent)
    core.abandonedLeave()
    if !isOpen { return }
    if !core.isAdopted && !core.isRunning && core.hasOneUser {
      if options.isSilent { return }
      return ErrorOutput.print(
        "belay: a loop was released away from its thread, and is open until that ends")
    }
    _ = core.post(Message(to: LeavingRequest(self), .work), reserved: true)
  }

  /// Called on the loop's thread.
  fileprivate func leaveIfAbandoned() {
    if isAbandoned.exchange(false, ordering: .sequentiallyConsistent) { _ = leave(nil) }
  }
}

extension LoopCore {
  /// Makes abandoned users leave: on the thread that has the loop, or on any thread if none has it.
  func abandonedLeave() {
    if isCurrent {
      for user in allUsers { user.leaveIfAbandoned() }
      return
    }
    // A thread that has not called Belay before has no id yet.
    let thread = Thread.record.pointee.id
    // If another thread is the rescuer, or has the loop, it looks again when it gives that up.
    while threadID.load(ordering: .sequentiallyConsistent) == Home.noThread,
      allUsers.contains(where: { $0.isAbandoned.load(ordering: .sequentiallyConsistent) }),
      change(rescuer, from: Home.noThread, to: thread)
    {
      if change(threadID, from: Home.noThread, to: thread) {
        let outer = Home.currentIfMade
        Home.show(self)
        for user in allUsers { user.leaveIfAbandoned() }
        // The outer home may be this loop, if its thread ends.
        Home.show(outer)
        threadID.store(Home.noThread, ordering: .sequentiallyConsistent)
      }
      rescuer.store(Home.noThread, ordering: .sequentiallyConsistent)
    }
  }

  /// Binds the loop to this thread. Answers false while another thread makes abandoned users leave.
  func tryBind() -> Bool {
    let thread = Thread.record.pointee.id
    while true {
      let old = threadID.load(ordering: .sequentiallyConsistent)
      if old != Home.noThread && old == rescuer.load(ordering: .sequentiallyConsistent) {
        return false
      }
      if change(threadID, from: old, to: thread) { return true }
    }
  }

  func change(_ word: borrowing Atomic<UInt64>, from old: UInt64, to new: UInt64) -> Bool {
    word.compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged
  }

  /// The open loop that is bound to the calling thread.
  static var bound: LoopCore? {
    (Home.currentIfMade as? LoopCore)?.abandonedLeave()
    // Their ends may have closed it, and made another.
    guard let core = Home.currentIfMade as? LoopCore, core.isOpen else { return nil }
    return core
  }

  /// The open core that has adopted `uv`, if there is one. The calling thread has the loop.
  static func adopter(of uv: UnsafeMutablePointer<uv_loop_t>) -> LoopCore? {
    core(of: uv)?.abandonedLeave()
    guard let core = core(of: uv), core.isOpen else { return nil }
    return core
  }

  private static func core(of uv: UnsafeMutablePointer<uv_loop_t>) -> LoopCore? {
    var found: Unmanaged<LoopCore>?
    withUnsafeMutablePointer(to: &found) { found in
      uv_walk(
        uv,
        { handle, found in
          guard let handle, let found, let core = LoopCore.woken(by: handle) else { return }
          found.assumingMemoryBound(to: Unmanaged<LoopCore>?.self).pointee = .passUnretained(core)
        }, found)
    }
    return found?.takeUnretainedValue()
  }
}

/// A message that makes a user leave.
private final class LeavingRequest: Entity, @unchecked Sendable {
  private let user: LoopUser
  init(_ user: LoopUser) { self.user = user }
  override func receive(_ message: inout Message, isCanceled: Bool) {
    if !isCanceled { user.leaveIfAbandoned() }
  }
}
