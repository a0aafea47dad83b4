@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

/// Hears of a descriptor's events.
protocol DescriptorUser: AnyObject {
  /// A callback from here may close the descriptor.
  func came(_ events: Int32)
}

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
  var isOpen: Bool { fd >= 0 }
  private var handle: UnsafeMutablePointer<uv_poll_t>?
  /// The events that its user waits for, and those that libuv does.
  private var wanted: Int32 = 0
  private var watched: Int32 = 0
  /// The mode of a terminal that has been made raw.
  private var savedMode: UnsafeMutableRawPointer?
  /// It stays until the descriptor is closed, or has another one.
  var user: (any DescriptorUser)?

  /// Takes the descriptor over, also when it fails. `name` is for the message: what the user has
  /// passed, as the descriptor may be Belay's own; nil: the caller wants the code only.
  init(_ core: LoopCore, _ fd: Int32, _ kind: Int32, _ name: CText? = nil) throws(Failure) {
    self.core = core
    self.fd = fd
    self.kind = kind
    let handle = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
    let code =
      core.hasLostHandles ? Code.canceled.rawValue : uv_poll_init(core.uv, handle, fd)
    if code != 0 {
      handle.deallocate()
      Descriptor.close(fd)
      throw .uv(code, name?.text ?? "")
    }
    self.handle = handle
    core.startWatching(by: handle, for: self)
  }

  /// Waits for `event`, of which `user` hears.
  @inline(never)
  func wait(for event: uv_poll_event, as user: any DescriptorUser) {
    self.user = user
    wait(for: event)
  }

  /// Waits for `event`, or does so no more.
  func wait(for event: uv_poll_event, _ waits: Bool = true) {
    let event = Int32(event.rawValue)
    wanted = waits ? wanted | event : wanted & ~event
    watch()
  }

  private func watch() {
    guard let handle, watched != wanted, !LoopCore.isClosing(handle) else { return }
    watched = wanted
    if wanted == 0 {
      uv_poll_stop(handle)
      return
    }
    uv_poll_start(handle, wanted) { handle, status, events in
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
      watched = 0
    }
    let user = user
    events = core.confirmed(events, of: fd) ?? events
    if events != 0 { core.dispatch { _ in user?.came(events) } }
    watch()
  }

  /// Makes a terminal raw, or gives it the mode that it had before.
  func setRaw(_ isRaw: Bool) -> Int32 { belay_shim_set_raw(fd, isRaw ? 1 : 0, &savedMode) }

  /// Closes the descriptor. Nothing is called any more.
  func close() {
    if !isOpen { return }
    if savedMode != nil { _ = setRaw(false) }
    let closed = fd
    fd = -1
    user = nil
    core.stopWatching(by: &handle, for: self)
    Descriptor.close(closed)
  }

  /// Closes it, unless it is one of the standard three, which are the host's.
  static func close(_ fd: Int32) { if fd > 2 { belay_shim_close(fd) } }
}

extension LoopCore {
  /// Those of libuv's events that there are if some may be old. Nil: there is nothing to confirm, or an
  /// error, which is every event.
  func confirmed(_ events: Int32, of fd: Int32) -> Int32? {
    if !mayHaveOldEvents { return nil }
    let found = belay_shim_ready(fd, events)
    return found < 0 ? nil : found
  }
}
