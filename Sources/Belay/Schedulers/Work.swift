import CBelayShim
import Synchronization

/// Something scheduled, and the handle that keeps it from starting.
open class Work: Disposable, @unchecked Sendable {
  /// Nil: as soon as possible.
  package final var due: Instant?
  /// 0: once; negative: as often as it says (`RecursiveWork`).
  package final var interval: Int64 = 0
  /// It has, or had, a time; set before others know it.
  package final var isTimed = false
  /// Its time has come, and that run is not over.
  package final let isWaiting = Atomic<Bool>(false)
  package final var leeway: Int64 = 0
  package final var scheduler: Scheduler?
  // Its place in a timer queue.
  final var heapIndex = -1
  final var sequence: UInt64 = 0

  public override init() {
    super.init()
    Live.disposables.began()
  }

  deinit {
    if !isDisposed { drop() }
    Live.disposables.ended()
  }

  /// The work.
  open func perform() {}

  /// Lets go of what it holds; nothing is performed after. Runs exactly once.
  open func drop() {}

  /// A run of work that runs as often as it says is over.
  open func ran() {}

  /// The latest point at which it should run.
  final var latest: Instant { (due ?? 0).addingSaturated(leeway) }

  package final func run() {
    let passage = enter()
    if passage.isOpen { perform() }
    if interval == 0 { _ = close() }
    leave(passage)
    if interval < 0 { ran() }
  }

  package final override func dispose(noting quiet: Quiet?) {
    if close() {
      belay_shim_barrier()
      if !isRunning { free() }
      scheduler?.withdraw(self)
    }
    quiet?.note(self)
  }

  package final override func leftAfterClose() {
    guard !isRunning else { return }
    free()
    if flags.contains(.awaited) { Quiet.settle(self) }
  }

  private final func free() {
    if raise(.freed).contains(.freed) { return }
    drop()
    becomeGone()
  }

  package final override func isQuiet(_ level: Quiet.Level) -> Bool {
    level == .idle ? !isRunning : flags.contains(.gone)
  }

  package final override var runner: UInt64 { scheduler?.home?.runner ?? 0 }

  public final override func receive(_ letter: inout Letter, isRefused: Bool) {
    if isRefused { return dispose() }
    guard let scheduler, !isClosed else { return }
    scheduler.arrive(self)
  }
}

/// A closure to be run.
final class ClosureWork: Work, @unchecked Sendable {
  private var action: (() -> Void)?

  @inline(never)
  init(_ action: @escaping () -> Void) {
    self.action = action
    super.init()
  }

  override func perform() { action?() }
  override func drop() { action = nil }
}
