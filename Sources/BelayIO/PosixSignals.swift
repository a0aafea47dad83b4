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
      PosixSignalSource(self, number, Events(subscriber, convert))
    }
  }
}

/// Waits for a POSIX signal for one subscription.
class SignalWatch: HandleSource, @unchecked Sendable {
  final let number: Int32

  init(_ core: LoopCore, _ number: Int32) {
    self.number = number
    super.init(core)
  }

  /// Called when the process has received it.
  func received() {}
  /// Called when it cannot be waited for.
  func failed(_ failure: Failure) {}

  override func begin() {
    let code = open(
      { uv_signal_init(core.uv, $0.assumingMemoryBound(to: uv_signal_t.self)) },
      {
        uv_signal_start(
          $0.assumingMemoryBound(to: uv_signal_t.self),
          { handle, _ in
            guard let watch = HandleSource.of(handle) as? SignalWatch else { return }
            watch.core.tell { watch.received() }
          }, number)
      })
    if code < 0 { failed(.uv(code, "cannot watch signal \(number)")) }
  }
}

private final class PosixSignalSource: SignalWatch, @unchecked Sendable {
  private var events: Events<Int32>?

  init(_ core: LoopCore, _ number: Int32, _ events: Events<Int32>) {
    self.events = events
    super.init(core, number)
  }

  override func received() { events?.send(number) }
  override func failed(_ failure: Failure) { events?.failed(failure) }

  override func end() {
    super.end()
    events = nil
  }
}
