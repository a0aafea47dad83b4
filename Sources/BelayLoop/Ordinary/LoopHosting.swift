@_spi(Engine) import Belay
import CLibuv

// The C library has functions of its own for these.
extension Loop {
  /// The libuv loop, for handles of the program's own.
  ///
  /// - Throws: `Code.closed`; `.wrongThread` on another thread than the loop's.
  public var uv: UnsafeMutablePointer<uv_loop_t> { get throws(Failure) { try here().uv } }

  /// Whether the loop has something to wait for; false when this user has left it.
  ///
  /// - Throws: `Code.wrongThread` on another thread than the loop's.
  public var isAlive: Bool { get throws(Failure) { isClosed ? false : try here().isAlive } }

  /// How often the loop has come back from waiting: once for each turn.
  ///
  /// - Throws: like `uv`.
  public var turns: UInt64 { get throws(Failure) { try here().turns } }

  /// The descriptor of libuv's backend, for a program that polls it for reading, for as long as
  /// `backendTimeout` says, and then calls `run(.nowait)`. The loop owns it.
  ///
  /// - Throws: like `uv`.
  public var backendFD: Int32 { get throws(Failure) { try here().backendFD } }

  /// How long to wait for `backendFD` at most; nil: without limit. Ask again after every run and
  /// after every call that may arm something.
  ///
  /// - Throws: like `uv`.
  public var backendTimeout: Duration? {
    get throws(Failure) { try here().backendTimeout.map { .nanoseconds($0) } }
  }

  /// One descriptor for everything: it is readable whenever the loop has something to do, timers
  /// and newly armed sources included. The first call makes it; the loop owns it.
  ///
  /// - Throws: like `uv`, and the system's error when there is no descriptor left.
  public func pollableFD() throws(Failure) -> Int32 {
    let fd = try here().pollableFD()
    if fd < 0 { throw Failure.uv(fd, "cannot make a descriptor to wait for") }
    return fd
  }

  /// Sets the loop's hook for errors that nobody handles, which is asked before the one of the
  /// process (`UnhandledErrorHook.install(_:)`). It replaces the hook of another user of the
  /// loop, and goes when this user leaves. Nil removes it.
  ///
  /// - Throws: like `uv`.
  public func onUnhandledError(_ hook: UnhandledErrorHook?) throws(Failure) {
    try here().setUnhandledErrorHook(hook, of: user)
  }
}
