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
  /// Somebody learns of it when this does not run.
  final var tellsItsLoss = false
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
    let delivery = beginDelivery()
    if delivery.isOpen { perform() }
    if interval == 0 && close() { Delivery.noteHere() }
    endDelivery(delivery)
    if interval < 0 { ran() }
  }

  package final override func dispose(noting quiescence: Quiescence?) {
    if close() {
      if isRunning { Delivery.noteHere() } else { free() }
      scheduler?.withdraw(self)
    }
    quiescence?.note(self)
  }

  /// Whether this thread is inside of a run of it.
  package final var isRunningHere: Bool { Delivery.isHere(in: self) }

  /// Whether somebody is inside, who frees it. Work that has a home runs nowhere else.
  private final var isRunning: Bool {
    if let home = scheduler?.home, home.isCurrent { return Delivery.isHere(in: self) }
    Delivery.noteEverywhere()
    return Delivery.isAnywhere(in: self)
  }

  package final override func leftAfterClose() {
    if Delivery.isHere(in: self) { return }
    free()
    if life.has(.awaited) { Quiescence.settle(self) }
  }

  private final func free() {
    guard lifecycle.claim(.freeing) != nil else { return }
    drop()
    finalise()
  }

  package final override func isQuiescent(_ level: Quiescence.Level) -> Bool {
    if Delivery.isAnywhere(in: self) { return false }
    return level == .idle && !life.has(.freeing) || life.has(.finalised)
  }

  package final override var runner: UInt64 { scheduler?.home?.runner ?? 0 }

  public final override func receive(_ message: inout Message, isCanceled: Bool) {
    guard message.kind == .work, !isClosed else { return }
    // It may have been taken just before the scheduler's end.
    if !isCanceled, let scheduler, scheduler.takesWork { return scheduler.arrive(self) }
    if !isCanceled || message.wasTaken, !tellsItsLoss { Lost.lose(self) }
    dispose()
  }
}

/// A closure to be run.
package final class ClosureWork: Work, @unchecked Sendable {
  private var action: (() -> Void)?

  @inline(never)
  package init(_ action: @escaping () -> Void) {
    self.action = action
    super.init()
  }

  package override func perform() { action?() }
  package override func drop() { action = nil }
}
