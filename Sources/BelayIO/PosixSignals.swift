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
      SignalWatch(self, number, Events(subscriber, convert))
    }
  }
}

private final class SignalWatch: HandleSource, @unchecked Sendable {
  private let number: Int32
  private var events: Events<Int32>?

  init(_ core: LoopCore, _ number: Int32, _ events: Events<Int32>) {
    self.number = number
    self.events = events
    super.init(core)
  }

  override func begin() {
    let code = open(
      { uv_signal_init(core.uv, $0.assumingMemoryBound(to: uv_signal_t.self)) },
      {
        uv_signal_start(
          $0.assumingMemoryBound(to: uv_signal_t.self),
          { handle, number in
            guard let watch = HandleSource.of(handle) as? SignalWatch else { return }
            watch.core.tell { watch.events?.send(number) }
          }, number)
      })
    if code < 0 { events?.failed(.uv(code, "cannot watch signal \(number)")) }
  }

  override func end() {
    super.end()
    events = nil
  }
}
