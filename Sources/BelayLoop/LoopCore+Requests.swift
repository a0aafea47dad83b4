@_spi(Engine) import Belay
import CLibuv

/// Belay's requests, and handles whose close calls back. A close waits for both.
extension LoopCore {
  /// Notes the beginning of a request. The close waits until it has come back.
  package func requestBegan() {
    requests += 1
    _ = Unmanaged.passRetained(self)
  }

  package func requestEnded() {
    requests -= 1
    endCloseIfDone()
    Unmanaged.passUnretained(self).release()
  }

  /// Closes one of Belay's handles. On the host's loop, libuv frees its memory later by C's own
  /// function, because Belay may have been unloaded by then. Otherwise the close waits for it.
  ///
  /// A callback that closes a handle may run a turn, in which libuv releases it, and libuv may look at it
  /// again behind the callback. So its memory stays until libuv releases one outside of callbacks.
  package func closeAndFree(_ handle: UnsafeMutableRawPointer) {
    if isAdopted && dispatches == 0 && (closing == nil || leavesHandles) {
      return LoopCore.close(handle, LoopCore.free)
    }
    requestBegan()
    handle.assumingMemoryBound(to: uv_handle_t.self).pointee.data = here
    LoopCore.close(handle) { handle in
      let core = LoopCore.of(handle.unsafelyUnwrapped)
      core.released.append(UnsafeMutableRawPointer(handle.unsafelyUnwrapped))
      if core.dispatches == 0 { core.freeReleased() }
      core.requestEnded()
    }
  }

  /// Frees the handles that libuv has released.
  func freeReleased() {
    while let handle = released.popLast() {
      LoopCore.free(handle.assumingMemoryBound(to: uv_handle_t.self))
    }
  }

  /// Cancels a request, which comes back in any case. Answers false if its work has begun.
  @discardableResult
  package static func cancel<Request>(_ request: UnsafeMutablePointer<Request>) -> Bool {
    uv_cancel(UnsafeMutableRawPointer(request).assumingMemoryBound(to: uv_req_t.self)) == 0
  }

  // MARK: Watchers

  /// Makes `handle` a watcher that calls `owner`, and retains `owner` until `stopWatching`. A close
  /// does not take a watcher for the host's.
  package func startWatching<Handle, Owner: AnyObject>(
    by handle: UnsafeMutablePointer<Handle>, for owner: Owner
  ) {
    LoopCore.withHandle(handle) { $0.pointee.data = Unmanaged.passRetained(owner).toOpaque() }
    watchers.append(UnsafeMutableRawPointer(handle))
  }

  @inline(never)
  private func closeAndFree(watcher: UnsafeMutableRawPointer) {
    if let index = watchers.firstIndex(of: watcher) {
      watchers[index] = watchers[watchers.count - 1]
      watchers.removeLast()
    }
    closeAndFree(watcher)
    // libuv releases it in a turn.
    if isOpen { noteNewWatcher() }
  }

  /// Closes the watcher of `owner`, if it has one.
  package func stopWatching<Handle, Owner: AnyObject>(
    by handle: inout UnsafeMutablePointer<Handle>?, for owner: Owner
  ) {
    guard let watcher = handle else { return }
    handle = nil
    closeAndFree(watcher: UnsafeMutableRawPointer(watcher))
    Unmanaged.passUnretained(owner).release()
  }

  /// Whether a descriptor is the loop's own, or that of a handle, also an idle one.
  package func has(_ fd: Int32) -> Bool {
    // The host may have closed the loop.
    if fd < 0 || hasLostHandles { return false }
    if fd == backendFD || fd == pollable.set { return true }
    if fd == pollable.timer || fd == pollable.bell { return true }
    // What libuv has for itself.
    if fd == uv.pointee.async_io_watcher.fd || fd == uv.pointee.inotify_fd { return true }
    if fd == uv.pointee.signal_pipefd.0 || fd == uv.pointee.signal_pipefd.1 { return true }
    // -1 when it has been found.
    var wanted = fd
    uv_walk(
      uv,
      { handle, wanted in
        var own: Int32 = -1
        guard uv_fileno(handle, &own) == 0 else { return }
        let wanted = wanted.unsafelyUnwrapped.assumingMemoryBound(to: Int32.self)
        if wanted.pointee == own { wanted.pointee = -1 }
      }, &wanted)
    return wanted != fd
  }

  func watches(with handle: UnsafeMutablePointer<uv_handle_t>) -> Bool {
    watchers.contains(UnsafeMutableRawPointer(handle))
  }
}
