import CBelayShim
import Synchronization

/// One that holds others, and passes its disposal on to them.
///
/// It is quiet when it has passed it on and they are quiet: what was still running is remembered,
/// for those who come to wait later.
open class ContainerDisposable: Disposable, @unchecked Sendable {
  package final let lock = Lock()
  private final let disposingThread = Atomic<UInt64>(0)
  private final var lingering: [Disposable] = []

  public override init() {
    super.init()
    Live.disposables.began()
  }

  deinit { Live.disposables.ended() }

  /// Hands over each that is to be disposed, in order; called once, after the end was claimed.
  package func giveContent(_ dispose: (Disposable) -> Void) {}

  @_optimize(speed)
  package override func dispose(noting quiet: Quiet?) {
    if close() {
      disposingThread.store(Thread.record.pointee.id, ordering: .relaxed)
      giveContent { inner in
        inner.dispose(noting: nil)
        if !inner.isOver { linger(inner) }
      }
      disposingThread.store(0, ordering: .relaxed)
      // Who came to wait meanwhile waits for what lingers as well.
      if flags.contains(.awaited) {
        for waiting in Quiet.waiting(for: self) { awaitLingering(waiting) }
      }
      let found = lock.withLock { lingering }
      becomeGone(found.isEmpty ? [] : .lingering)
      // What is over by now is forgotten: those that hold each other do not stay in a circle, for
      // one of them is the last to go.
      let left = stillLingering(found)
      lock.withLock { lingering = left }
    }
    if let quiet { self.await(quiet) }
  }

  /// Remembers what has been disposed, unless it is quiet.
  package final func linger(_ inner: Disposable) {
    let left = stillLingering([inner])
    if !left.isEmpty { lock.withLock { lingering += left } }
  }

  /// Those that are not quiet; in the place of a container that is gone, what lingers of it.
  private final func stillLingering(_ found: [Disposable]) -> [Disposable] {
    var left: [Disposable] = []
    for inner in found {
      if inner.flags.contains(.lingering) {
        let container = unsafeDowncast(inner, to: ContainerDisposable.self)
        for held in container.lock.withLock({ container.lingering })
        where held !== self && !held.isQuiet(.freed) { left.append(held) }
      } else if !inner.isQuiet(.freed) {
        left.append(inner)
      }
    }
    return left
  }

  package override func await(_ quiet: Quiet) {
    // In this order: see where they become known to who waits already.
    quiet.note(self)
    awaitLingering(quiet)
  }

  private final func awaitLingering(_ quiet: Quiet) {
    for inner in lock.withLock({ lingering }) { inner.await(quiet) }
  }

  package override func isQuiet(_ level: Quiet.Level) -> Bool { flags.contains(.gone) }
  package override var runner: UInt64 { disposingThread.load(ordering: .relaxed) }
}
