import Belay
import CBelayShim
import CLibuv

/// A loop that the host drives by its descriptors.
extension LoopCore {
  package var backendFD: Int32 { uv_backend_fd(uv) }

  /// Nanoseconds to wait at most; nil: without limit.
  package var backendTimeout: Int64? {
    if isClosed { return nil }
    if hasNewWatchers || hasMail { return 0 }
    uv_update_time(uv)
    if uv_loop_alive(uv) == 0 { return nil }
    let timeout = uv_backend_timeout(uv)
    return timeout < 0 ? nil : Int64(timeout) * 1_000_000
  }

  /// One descriptor for everything; made at the first ask.
  package func pollableFD() -> Int32 {
    if let pollable { return pollable.set }
    var made = belay_pollable()
    let result = belay_shim_open_pollable(&made, backendFD)
    if result < 0 { return result }
    pollable = made
    refreshPollable()
    return result
  }

  /// A run does that at its end, and in callbacks, which may poll.
  func refreshPollable(always: Bool = false) {
    guard var pollable, !isRunning || dispatches > 0 || always, !isClosed else { return }
    belay_shim_set_pollable(&pollable, backendTimeout ?? -1)
  }
}
