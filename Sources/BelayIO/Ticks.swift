@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CLibuv

/// A place in a loop's turn.
public enum LoopTick: Int32, Sendable {
  /// In each turn, before the others. While somebody subscribes, the loop never waits.
  case idle
  /// Before the loop waits.
  case prepare
  /// After the loop has waited.
  case check
}

extension Loop {
  /// Sends the number of the tick, from 0 on, each time that the loop comes to a place in its turn.
  ///
  /// A turn inside of the subscriber's callback is not counted.
  public func ticks(_ place: LoopTick) -> Signal<UInt64> { core.ticks(place) { $0 } }
}

extension LoopCore {
  /// `convert` makes the values; the signal takes over their references.
  package func ticks<Value>(
    _ place: LoopTick, convert: @escaping (UInt64) -> Value
  ) -> Signal<Value> {
    source("ticks") { [self] subscriber in
      TickSource(self, place, Events(subscriber, convert))
    }
  }
}

private final class TickSource: HandleSource, @unchecked Sendable {
  private let place: LoopTick
  private var events: Events<UInt64>?
  private var count: UInt64 = 0

  init(_ core: LoopCore, _ place: LoopTick, _ events: Events<UInt64>) {
    self.place = place
    self.events = events
    super.init(core)
  }

  override func begin() {
    let code =
      switch place {
      case .idle:
        open(
          { uv_idle_init(core.uv, $0.assumingMemoryBound(to: uv_idle_t.self)) },
          {
            uv_idle_start($0.assumingMemoryBound(to: uv_idle_t.self)) { TickSource.tick($0) }
          })
      case .prepare:
        open(
          { uv_prepare_init(core.uv, $0.assumingMemoryBound(to: uv_prepare_t.self)) },
          {
            uv_prepare_start($0.assumingMemoryBound(to: uv_prepare_t.self)) { TickSource.tick($0) }
          })
      case .check:
        open(
          { uv_check_init(core.uv, $0.assumingMemoryBound(to: uv_check_t.self)) },
          {
            uv_check_start($0.assumingMemoryBound(to: uv_check_t.self)) { TickSource.tick($0) }
          })
      }
    if code < 0 { events?.failed(.uv(code, "cannot watch a loop's turns")) }
  }

  private static func tick(_ handle: UnsafeMutableRawPointer?) {
    guard let source = HandleSource.of(handle) as? TickSource else { return }
    source.deliver {
      let number = source.count
      source.count += 1
      source.events?.send(number)
    }
  }

  override func end() {
    super.end()
    events = nil
  }
}
