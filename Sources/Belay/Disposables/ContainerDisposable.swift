import CBelayShim
import Synchronization

/// A disposable that holds others, and passes its disposal on to them.
///
/// It is quiescent when it has done so and they are quiescent. Members that still run then are its
/// parts (`Quiescence`), so that a later wait finds them, too.
public class ContainerDisposable: Disposable, @unchecked Sendable {
  package final let lock = Lock()
  private final let disposingThread = Atomic<UInt64>(0)
  /// While this passes its disposal on: the container that continues after it.
  private final var outer: ContainerDisposable?

  package override init() {
    super.init()
    level = Self.containers
    Live.disposables.began()
  }

  deinit { Live.disposables.ended() }

  /// Takes out the next disposable to end, in order; nil when none is left. Called after the end
  /// was claimed, until it answers nil. It may dispose by itself of members that are not
  /// containers.
  package func takeContent() -> Disposable? { nil }

  @_optimize(speed)
  package override func dispose(noting quiescence: Quiescence?) {
    if close() { passOn() }
    quiescence?.note(self)
  }

  /// Disposes of what it holds, and of what that holds. Containers may be nested to any depth, so
  /// this walks down into them without recursion.
  private final func passOn() {
    var current = self
    current.beginPassing()
    while true {
      if let next = current.takeContent() {
        if next.level == Self.containers {
          let inner = unsafeDowncast(next, to: ContainerDisposable.self)
          if inner.close() {
            inner.outer = current
            inner.beginPassing()
            current = inner
            continue
          }
        } else {
          next.dispose(noting: nil)
        }
        Quiescence.rememberUnlessOver(next, of: current)
      } else {
        current.disposingThread.store(0, ordering: .relaxed)
        current.finalise()
        guard let outer = current.outer else { return }
        current.outer = nil
        Quiescence.rememberUnlessOver(current, of: outer)
        current = outer
      }
    }
  }

  private final func beginPassing() {
    disposingThread.store(Thread.record.pointee.id, ordering: .relaxed)
  }

  package override func isQuiescent(_ level: Quiescence.Level) -> Bool { life.has(.finalised) }
  package override var runners: [UInt64] { [disposingThread.load(ordering: .relaxed)] }
}
