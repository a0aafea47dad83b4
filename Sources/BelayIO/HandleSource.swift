@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

/// A source with one handle of libuv's, which it has from its beginning to its end.
class HandleSource: SourceAtLoop, @unchecked Sendable {
  private final var handle: UnsafeMutablePointer<uv_handle_t>?
  private final var isDelivering = false

  /// Makes the handle and starts it. Answers libuv's code.
  final func open(
    _ make: (UnsafeMutableRawPointer) -> Int32, _ start: (UnsafeMutableRawPointer) -> Int32
  ) -> Int32 {
    let room = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<uv_any_handle>.size, alignment: 16)
    // Some handles open descriptors: a socket, a pipe to a child.
    var code = belay_shim_fill_standard()
    if code == 0 { code = make(room) }
    if code != 0 {
      room.deallocate()
      return code
    }
    let handle = room.assumingMemoryBound(to: uv_handle_t.self)
    self.handle = handle
    core.startWatching(by: handle, for: self)
    let started = start(room)
    if started >= 0 { core.noteNewWatcher() }
    return started
  }

  override func end() { closeHandle() }

  final func closeHandle() { core.stopWatching(by: &handle, for: self) }

  /// The handle, if neither this nor the host has closed it.
  final var room: UnsafeMutableRawPointer? {
    guard let handle, !LoopCore.isClosing(handle) else { return nil }
    return UnsafeMutableRawPointer(handle)
  }

  /// The source of a handle that calls back. The caller retains it for the call.
  static func of(_ handle: UnsafeMutableRawPointer?) -> HandleSource {
    let data = handle.unsafelyUnwrapped.assumingMemoryBound(to: uv_handle_t.self).pointee.data
    let source = Unmanaged<HandleSource>.fromOpaque(data.unsafelyUnwrapped)
    return source.retain().takeRetainedValue()
  }

  /// Calls `body` as a part of the turn. A turn inside of that call leaves it out, because libuv
  /// tells the same again, and is answered false.
  @discardableResult
  final func deliver(_ body: () -> Void) -> Bool {
    if isDelivering { return false }
    isDelivering = true
    core.dispatch { _ in body() }
    isDelivering = false
    return true
  }
}

/// The callbacks by which a source tells one subscription.
struct Events<Item> {
  let send: (Item) -> Void
  private let end: (Failure?) -> Void

  func failed(_ failure: Failure) { end(failure) }
  func completed() { end(nil) }
}

extension Subscriber {
  /// Sends a value, and takes over the caller's reference.
  func next(giving value: Value) -> Code {
    let code = next(value)
    discard(value)
    return code
  }

  /// Nil: completes.
  func end(with failure: Failure?) {
    if let failure { error(failure) } else { completed() }
  }
}

extension Events {
  /// `convert` makes the values; the signal takes over their references.
  init<Value>(_ subscriber: Subscriber<Value>, _ convert: @escaping (Item) -> Value) {
    send = {
      let value = convert($0)
      subscriber.send(value)
      discard(value)
    }
    end = { subscriber.end(with: $0) }
  }
}
