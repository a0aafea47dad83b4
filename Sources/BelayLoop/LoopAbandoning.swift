import Belay
import Synchronization

/// What becomes of an open loop whose last handle goes on another thread than its own.
///
/// A message closes it at its next turn. Nobody can run a loop of our own any more, so it is closed
/// where its thread next looks for a loop, or when that thread ends; at once if it has ended.
extension LoopCore {
  /// The last handle goes. Any thread.
  func handleHasGone() {
    handle = nil
    guard isOpen else { return }
    if isCurrent {
      _ = close(nil)
      return
    }
    isAbandoned.store(true, ordering: .sequentiallyConsistent)
    if isAdopted || isRunning {
      _ = post(Message(to: ClosingRequest(self), .work), reserved: true)
    } else if threadID.load(ordering: .sequentiallyConsistent) == Home.nobody {
      closeIfAbandoned()
    } else {
      ErrorOutput.print(
        "belay: a loop was released away from its thread, and is open until that ends")
    }
  }

  /// On the thread that has it, or on any when none has.
  func closeIfAbandoned() {
    guard isAbandoned.exchange(false, ordering: .sequentiallyConsistent), isOpen else { return }
    if isCurrent {
      _ = close(nil)
      return
    }
    let outer = Home.currentIfMade
    Home.bind(self)
    _ = close(nil)
    Home.bind(outer)
  }

  /// The open loop that is bound to the calling thread.
  static var bound: LoopCore? {
    guard let core = Home.currentIfMade as? LoopCore else { return nil }
    core.closeIfAbandoned()
    return core.isOpen ? core : nil
  }
}

/// A close on its way to the loop.
private final class ClosingRequest: Entity, @unchecked Sendable {
  private let core: LoopCore
  init(_ core: LoopCore) { self.core = core }
  override func receive(_ message: inout Message, isCanceled: Bool) {
    if !isCanceled { core.closeIfAbandoned() }
  }
}
