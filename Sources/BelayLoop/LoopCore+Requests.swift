import Belay
import CLibuv

/// What a close waits for: requests of ours, and handles that call back when they are closed.
extension LoopCore {
  /// A request of ours begins; the close waits until it has come back.
  func requestBegan() {
    requests += 1
    _ = Unmanaged.passRetained(self)
  }

  func requestEnded() {
    requests -= 1
    endCloseIfDone()
    Unmanaged.passUnretained(self).release()
  }

  /// Closes one of our handles, whose memory libuv gives back to C when it has let go of it: then, on
  /// a loop of the host's, we may have been unloaded. Else the close waits for it.
  func closeAndFree(_ handle: UnsafeMutableRawPointer) {
    if isAdopted && (closing == nil || leavesHandles) {
      return LoopCore.close(handle, LoopCore.free)
    }
    requestBegan()
    handle.assumingMemoryBound(to: uv_handle_t.self).pointee.data = here
    LoopCore.close(handle) { handle in
      let core = LoopCore.of(handle.unsafelyUnwrapped)
      LoopCore.free(handle)
      core.requestEnded()
    }
  }

  /// Takes a request back, which comes back in any case. False once its work has begun.
  @discardableResult
  static func cancel<Request>(_ request: UnsafeMutablePointer<Request>) -> Bool {
    uv_cancel(UnsafeMutableRawPointer(request).assumingMemoryBound(to: uv_req_t.self)) == 0
  }

  // MARK: Watchers

  /// A watcher of ours calls `owner`, and holds it, until `stopWatching`. A close must not take it for
  /// the host's.
  func startWatching<Handle, Owner: AnyObject>(
    by handle: UnsafeMutablePointer<Handle>, for owner: Owner
  ) {
    LoopCore.withHandle(handle) { $0.pointee.data = Unmanaged.passRetained(owner).toOpaque() }
    watchers.append(UnsafeMutableRawPointer(handle))
  }

  /// Closes the watcher that `owner` has, if it has one.
  func stopWatching<Handle, Owner: AnyObject>(
    by handle: inout UnsafeMutablePointer<Handle>?, for owner: Owner
  ) {
    guard let watcher = handle else { return }
    handle = nil
    watchers.removeAll { $0 == UnsafeMutableRawPointer(watcher) }
    closeAndFree(UnsafeMutableRawPointer(watcher))
    Unmanaged.passUnretained(owner).release()
  }

  func watches(with handle: UnsafeMutablePointer<uv_handle_t>) -> Bool {
    watchers.contains(UnsafeMutableRawPointer(handle))
  }
}
