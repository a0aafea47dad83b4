@_spi(Engine) import Belay
import CBelayShim

extension LoopCore {
  /// The thread that an inherited loop has in a child of fork(); no thread has this id.
  static var parentsThread: UInt64 { Home.noThread - 1 }

  /// Evaluated before the first loop is made. In a child of fork(), the loop of the thread stays the
  /// parent's: the two share what the kernel has of it, so a close would take the parent's
  /// descriptors out. The thread has no loop there, until it makes one or binds that one.
  ///
  /// This also runs between the fork and the exec of a process that libuv starts, so it takes no lock.
  static let staysWithParents: Void = belay_shim_in_children {
    guard let core = Home.currentIfMade as? LoopCore else { return }
    core.threadID.store(parentsThread, ordering: .relaxed)
    Home.show(nil)
  }
}
