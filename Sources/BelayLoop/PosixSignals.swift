import Belay
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
    .create(SourceOptions(label: "posix_signal")) { [self] subscriber in
      let watch = SignalWatch(
        self, number,
        send: {
          let value = convert($0)
          subscriber.sendOrFail(value)
          discard(value)
        }, fail: { subscriber.error($0) })
      perform { watch.start() }
      return AnonymousDisposable { self.perform { watch.stop() } }
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

/// A libuv signal watcher. The handle lives until libuv has closed it.
private final class SignalWatch {
  private let core: LoopCore
  private let number: Int32
  private let send: (Int32) -> Void
  private let fail: (Failure) -> Void
  private var handle: UnsafeMutablePointer<uv_signal_t>?
  private var isStopped = false

  init(
    _ core: LoopCore, _ number: Int32, send: @escaping (Int32) -> Void,
    fail: @escaping (Failure) -> Void
  ) {
    self.core = core
    self.number = number
    self.send = send
    self.fail = fail
  }

  func start() {
    if isStopped { return }
    let handle = UnsafeMutablePointer<uv_signal_t>.allocate(capacity: 1)
    var code = uv_signal_init(core.uv, handle)
    if code != 0 {
      handle.deallocate()
      fail(.uv(code, "cannot watch signal \(number)"))
      return
    }
    handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    self.handle = handle
    // The handle retains this until `stop`.
    _ = Unmanaged.passRetained(self)
    core.opened(handle)
    code = uv_signal_start(
      handle,
      { handle, number in
        let watch = Unmanaged<SignalWatch>.fromOpaque(handle.unsafelyUnwrapped.pointee.data)
        watch.retain().takeRetainedValue().send(number)
      }, number)
    if code != 0 {
      fail(.uv(code, "cannot watch signal \(number)"))
    } else {
      core.noteNewWatcher()
    }
  }

  func stop() {
    isStopped = true
    guard let handle else { return }
    self.handle = nil
    core.closeAndFree(watcher: UnsafeMutableRawPointer(handle))
    Unmanaged.passUnretained(self).release()
  }
}
