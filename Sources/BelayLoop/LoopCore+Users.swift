@_spi(Engine) import Belay
import CLibuv

/// The users of a loop.
extension LoopCore {
  func add(_ user: LoopUser) {
    usersLock.withLock { users.append(user) }
    if user.options.isPersistent { LoopCore.withHandle(async) { uv_ref($0) } }
  }

  func remove(_ user: LoopUser) {
    let isPersistent = usersLock.withLock { () -> Bool in
      users.remove(user)
      return users.contains { $0.options.isPersistent }
    }
    if !isPersistent && !isHeldForTurn { LoopCore.withHandle(async) { uv_unref($0) } }
  }

  /// All users. Any thread may ask.
  var allUsers: ReferenceArray<LoopUser> { usersLock.withLock { users } }
  var hasOneUser: Bool { usersLock.withLock { users.count == 1 } }

  /// The handle of the oldest user that still has one. Called on the loop's thread.
  package var firstHandle: LoopUser.Handle? {
    usersLock.withLock {
      for user in users { if let handle = user.handle { return handle } }
      return nil
    }
  }

  var isPersistent: Bool {
    usersLock.withLock { users.contains { $0.options.isPersistent } }
  }
}
