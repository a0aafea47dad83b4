import CBelayShim
import CLibuv

/// Handles of ours on a loop whose host may close every handle that it finds.
extension LoopCore {
  /// A libuv handle's own view of itself.
  static func withHandle<Handle, Result>(
    _ handle: UnsafeMutablePointer<Handle>, _ body: (UnsafeMutablePointer<uv_handle_t>) -> Result
  ) -> Result {
    body(UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self))
  }

  /// Closes a handle; `closed` is told when libuv has let go of it: in the call when the host's
  /// close of it is over.
  @inline(never)
  static func close(_ address: UnsafeMutableRawPointer, _ closed: @escaping uv_close_cb) {
    let handle = address.assumingMemoryBound(to: uv_handle_t.self)
    if uv_is_closing(handle) == 0 {
      uv_close(handle, closed)
    } else if isClosed(handle) {
      closed(handle)
    } else {
      handle.pointee.close_cb = closed
    }
  }

  /// C's own function, which stays where it is when we are unloaded.
  static var free: uv_close_cb { unsafeBitCast(belay_shim_system_free(), to: uv_close_cb.self) }

  /// Whether libuv has let go of a handle.
  static func isClosed(_ handle: UnsafeMutablePointer<uv_handle_t>) -> Bool {
    // UV_HANDLE_CLOSED, for which libuv has no function.
    uv_is_closing(handle) != 0 && handle.pointee.flags & 2 != 0
  }

  /// Has a handle's callback called at the loop's next turn. Any thread.
  static func wake(_ async: UnsafeMutablePointer<uv_async_t>) {
    // What libuv writes to may be gone when the host has closed the handle.
    if withHandle(async, { uv_is_closing($0) }) != 0 { return }
    // libuv's write is a point at which a thread can be cancelled, here with a lock in its hands.
    let state = belay_shim_hold_cancellation()
    _ = uv_async_send(async)
    belay_shim_allow_cancellation(state)
  }
}
