@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CLibuv

extension Loop {
  /// Sends the number of the POSIX signal each time the process receives it.
  public func posixSignal(_ number: Int32) -> Signal<Int32> {
    core.posixSignal(number) { $0 }
  }
}

extension LoopCore {
  /// `convert` makes the values; the signal takes over their references.
  package func posixSignal<Value>(
    _ number: Int32, convert: @escaping (Int32) -> Value
  ) -> Signal<Value> {
    source("posix_signal") { [self] subscriber in
      SignalWatch(
        self, number,
        send: {
          let value = convert($0)
          subscriber.send(value)
          discard(value)
        }, fail: { subscriber.error($0) }
      )
    }
  }
}

extension Subscriber {
  /// Sends a value, and takes over the caller's reference.
  @discardableResult
  package func send(giving value: Value) -> Code {
    let code = next(value)
    discard(value)
    return code
  }
}

private final class SignalWatch: SourceAtLoop, @unchecked Sendable {
  private let number: Int32
  private var send: ((Int32) -> Void)?
  private var fail: ((Failure) -> Void)?
  private var handle: UnsafeMutablePointer<uv_signal_t>?

  init(
    _ core: LoopCore, _ number: Int32, send: @escaping (Int32) -> Void,
    fail: @escaping (Failure) -> Void
  ) {
    self.number = number
    self.send = send
    self.fail = fail
    super.init(core)
  }

  override func begin() {
    let handle = UnsafeMutablePointer<uv_signal_t>.allocate(capacity: 1)
    var code = uv_signal_init(core.uv, handle)
    if code != 0 {
      handle.deallocate()
    } else {
      self.handle = handle
      core.startWatching(by: handle, for: self)
      code = uv_signal_start(
        handle,
        { handle, number in
          let watch = Unmanaged<SignalWatch>.fromOpaque(handle.unsafelyUnwrapped.pointee.data)
          watch.retain().takeRetainedValue().comes(number)
        }, number)
    }
    if code != 0 {
      fail?(.uv(code, "cannot watch signal \(number)"))
    } else {
      core.noteNewWatcher()
    }
  }

  private func comes(_ number: Int32) { core.dispatch { _ in send?(number) } }

  override func end() {
    core.stopWatching(by: &handle, for: self)
    send = nil
    fail = nil
  }
}
