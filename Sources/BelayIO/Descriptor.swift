@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

/// A descriptor, which a loop watches. Used on the loop's thread.
///
/// Streams read and write by themselves instead of by libuv's streams, because libuv's writes raise
/// SIGPIPE, which may end the host.
package final class Descriptor {
  package let core: LoopCore
  /// -1 when it has been closed.
  package private(set) var fd: Int32
  /// `BELAY_SHIM_SOCKET` and so on.
  let kind: Int32
  private var handle: UnsafeMutablePointer<uv_poll_t>?
  private var wanted: Int32 = 0
  private(set) var isOpen = true
  /// Called with the events that have come. Belay's own callbacks may close the descriptor.
  var ready: ((Int32) -> Void)?

  /// Takes the descriptor over, also when it fails.
  init(_ core: LoopCore, _ fd: Int32, _ kind: Int32) throws(Failure) {
    self.core = core
    self.fd = fd
    self.kind = kind
    let handle = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
    let code = uv_poll_init(core.uv, handle, fd)
    if code != 0 {
      handle.deallocate()
      Descriptor.close(fd)
      throw .uv(code, "descriptor \(fd)")
    }
    self.handle = handle
    core.startWatching(by: handle, for: self)
  }

  /// Waits for `events`; 0: for none.
  func watch(_ events: Int32) {
    guard let handle, events != wanted else { return }
    wanted = events
    if events == 0 {
      uv_poll_stop(handle)
      return
    }
    uv_poll_start(handle, events) { handle, status, events in
      let this = Unmanaged<Descriptor>.fromOpaque(handle.unsafelyUnwrapped.pointee.data)
      this.retain().takeRetainedValue().came(status, events)
    }
    core.noteNewWatcher()
  }

  private func came(_ status: Int32, _ events: Int32) {
    var events = events
    if status < 0 {
      // libuv has stopped the handle. The next call of the system tells what has happened.
      events = wanted
      wanted = 0
    }
    let ready = ready
    core.dispatch { _ in ready?(events) }
  }

  /// Closes the descriptor. Nothing is called any more.
  func close() {
    if !isOpen { return }
    isOpen = false
    ready = nil
    core.stopWatching(by: &handle, for: self)
    Descriptor.close(fd)
    fd = -1
  }

  /// Closes it, unless it is one of the standard three, which are the host's.
  static func close(_ fd: Int32) { if fd > 2 { belay_shim_close(fd) } }
}
