@_spi(Engine) import Belay
import CBelayShim
import CLibuv

/// For a host that polls the loop's descriptors itself.
extension LoopCore {
  package var backendFD: Int32 { uv_backend_fd(uv) }

  /// The longest time to wait, in nanoseconds; nil: without limit.
  package var backendTimeout: Int64? {
    if isClosed { return nil }
    if needsTurn(hasNewWatchers || hasMail) { return 0 }
    uv_update_time(uv)
    if uv_loop_alive(uv) == 0 { return nil }
    let timeout = uv_backend_timeout(uv)
    return timeout < 0 ? nil : Int64(timeout) * 1_000_000
  }

  /// One descriptor for the whole loop, made when first asked for. It heeds what the program has
  /// armed by libuv meanwhile.
  package func pollableFD() -> Int32 {
    // Nothing tells when a run of the host's is over.
    if isAdopted { return Code.invalid.rawValue }
    if pollable.set < 0 {
      let result = belay_shim_open_pollable(&pollable, backendFD)
      if result < 0 { return result }
    }
    refreshPollable()
    return pollable.set
  }

  /// Sets the descriptor's timer. A run does so at its end, and in callbacks, because a callback
  /// may poll.
  func refreshPollable() {
    if pollable.set >= 0 { setPollable(backendTimeout ?? -1) }
  }

  /// Makes the descriptor readable after so many nanoseconds; negative: when something happens. In a turn
  /// or a callback, the host has heard of what was there before.
  func setPollable(_ nanoseconds: Int64) {
    belay_shim_set_pollable(&pollable, nanoseconds, isRunning || dispatches > 0)
  }
}
