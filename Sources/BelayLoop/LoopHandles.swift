import CBelayShim
import CLibuv

/// Access to Belay's handles on a loop whose host may close every handle that it finds.
extension LoopCore {
  /// Calls `body` with a handle as its base type.
  package static func withHandle<Handle, Result>(
    _ handle: UnsafeMutablePointer<Handle>, _ body: (UnsafeMutablePointer<uv_handle_t>) -> Result
  ) -> Result {
    body(UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self))
  }

  /// Makes a loop of libuv's. Answers libuv's code.
  package static func initialize(_ uv: UnsafeMutablePointer<uv_loop_t>) -> Int32 {
    let code = belay_shim_find_room()
    return code == 0 ? uv_loop_init(uv) : code
  }

  /// Closes a handle. libuv calls `closed` when it has released the handle. If the host has closed
  /// it before, `closed` is called at once, or replaces the host's callback.
  @inline(never)
  package static func close(_ address: UnsafeMutableRawPointer, _ closed: @escaping uv_close_cb) {
    let handle = address.assumingMemoryBound(to: uv_handle_t.self)
    if uv_is_closing(handle) == 0 {
      uv_close(handle, closed)
    } else if isClosed(handle) {
      closed(handle)
    } else {
      handle.pointee.close_cb = closed
    }
  }

  /// C's own function, which exists even after Belay has been unloaded.
  package static var free: uv_close_cb {
    unsafeBitCast(belay_shim_system_free(), to: uv_close_cb.self)
  }

  /// Whether a handle has been closed. libuv must not start or stop it then.
  package static func isClosing<Handle>(_ handle: UnsafeMutablePointer<Handle>) -> Bool {
    withHandle(handle) { uv_is_closing($0) } != 0
  }

  /// Whether libuv has released a handle.
  static func isClosed(_ handle: UnsafeMutablePointer<uv_handle_t>) -> Bool {
    // 2 is UV_HANDLE_CLOSED, which libuv has no function for.
    uv_is_closing(handle) != 0 && handle.pointee.flags & 2 != 0
  }

  /// Makes libuv call a handle's callback at the next turn. Called under the mailbox's lock, by any
  /// thread: libuv ends the process if two threads do this at once.
  static func wake(_ async: UnsafeMutablePointer<uv_async_t>) {
    // If the host has closed the handle, what libuv writes to may be gone.
    if isClosing(async) { return }
    // libuv would wait with this one until it has looked at the last one. It does not do so in a turn inside
    // of another async's callback.
    async.pointee.pending = 0
    // libuv's write is a cancellation point, and the caller holds a lock.
    let state = belay_shim_hold_cancellation()
    _ = uv_async_send(async)
    belay_shim_allow_cancellation(state)
  }
}
