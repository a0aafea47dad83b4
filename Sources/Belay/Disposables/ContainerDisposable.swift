import CBelayShim
import Synchronization

/// One that holds others, and passes its disposal on to them.
///
/// It is quiet when it has passed it on and they are quiet: those that still ran are its parts
/// (`Quiet`), for those who come to wait later.
open class ContainerDisposable: Disposable, @unchecked Sendable {
  package final let lock = Lock()
  private final let disposingThread = Atomic<UInt64>(0)

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
      giveContent { Quiet.dispose($0, of: self) }
      disposingThread.store(0, ordering: .relaxed)
      finalise()
    }
    quiet?.note(self)
  }

  package override func isQuiet(_ level: Quiet.Level) -> Bool { life.has(.finalised) }
  package override var runner: UInt64 { disposingThread.load(ordering: .relaxed) }
}
