@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

/// The readiness of a descriptor.
public struct PollEvents: OptionSet, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  /// Reading would not block.
  public static let readable = PollEvents(rawValue: 1)
  /// Writing would not block.
  public static let writable = PollEvents(rawValue: 2)
  /// The other side has closed its end for writing.
  public static let disconnected = PollEvents(rawValue: 4)
  /// There is urgent data.
  public static let prioritized = PollEvents(rawValue: 8)

  /// Whether a descriptor can be polled for these: for one at least, and none that is unknown.
  package var isPossible: Bool { 1...15 ~= rawValue }
}

extension Loop {
  /// Sends what the descriptor is ready for, in each turn in which it is ready.
  ///
  /// The descriptor stays the caller's, who keeps it open until the subscription has ended. It
  /// becomes non-blocking. Fails with `.notPermitted` for a file or a directory, which are always
  /// ready, with libuv's EEXIST for a descriptor that the loop has already, and with `.invalid` for no
  /// events and for unknown ones.
  public func poll(_ descriptor: Int32, for events: PollEvents) -> Signal<PollEvents> {
    events.isPossible ? core.poll(descriptor, events) { $0 } : .error(Failure(.invalid))
  }
}

extension LoopCore {
  /// `convert` makes the values; the signal takes over their references.
  package func poll<Value>(
    _ descriptor: Int32, _ wanted: PollEvents, convert: @escaping (PollEvents) -> Value
  ) -> Signal<Value> {
    source("poll") { [self] subscriber in
      PollSource(self, descriptor, wanted, Events(subscriber, convert))
    }
  }
}

final class PollSource: HandleSource, @unchecked Sendable {
  private let descriptor: Int32
  private let wanted: PollEvents
  private var events: Events<PollEvents>?
  private let isTimer: Bool
  /// Whether a turn inside of an event has stopped it, which otherwise could not wait.
  private var isPaused = false

  /// - Parameter isTimer: whether the first event completes it, and the end closes the descriptor.
  init(
    _ core: LoopCore, _ descriptor: Int32, _ wanted: PollEvents, _ events: Events<PollEvents>,
    isTimer: Bool = false
  ) {
    self.descriptor = descriptor
    self.wanted = wanted
    self.events = events
    self.isTimer = isTimer
    super.init(core)
  }

  override func begin() {
    let code =
      !isTimer && core.has(descriptor)
      ? UV_EEXIST.rawValue
      : open(
        { uv_poll_init(core.uv, $0.assumingMemoryBound(to: uv_poll_t.self), descriptor) },
        { watch(by: $0) })
    if code < 0 { fail(code) }
  }

  private func watch(by room: UnsafeMutableRawPointer) -> Int32 {
    uv_poll_start(room.assumingMemoryBound(to: uv_poll_t.self), wanted.rawValue) {
      guard let source = HandleSource.of($0) as? PollSource else { return }
      source.comes(code: $1, $2)
    }
  }

  private func comes(code: Int32, _ events: Int32) {
    let confirmed = core.confirmed(wanted.rawValue, of: descriptor)
    if code >= 0 {
      let ready = PollEvents(rawValue: events & (confirmed ?? events))
      if ready.isEmpty { return }
      if !deliver({ tell(ready) }) {
        uv_poll_stop(room?.assumingMemoryBound(to: uv_poll_t.self))
        isPaused = true
        return
      }
    } else if confirmed == nil {
      core.dispatch { _ in fail(code) }
    } else {
      // libuv stops after an error, which was another descriptor's.
      isPaused = true
    }
    if isPaused, let room {
      isPaused = false
      _ = watch(by: room)
    }
  }

  private func tell(_ ready: PollEvents) {
    events?.send(ready)
    if !isTimer { return }
    events?.completed()
    // The descriptor stays ready, and the subscription's home may be busy for long.
    stop()
  }

  private func fail(_ code: Int32) {
    var what: Text =
      isTimer ? "cannot make a timer of the wall clock" : "cannot poll descriptor \(descriptor)"
    if code == UV_EPERM.rawValue { what += ", which is a file or a directory" }
    if code == UV_EEXIST.rawValue { what += ", which this loop has already" }
    events?.failed(.uv(code, what))
  }

  override func end() {
    super.end()
    if isTimer { belay_shim_close(descriptor) }
    events = nil
  }
}
