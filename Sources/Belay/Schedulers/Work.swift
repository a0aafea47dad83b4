import CBelayShim
import Synchronization

/// Something that has been scheduled. As a disposable it prevents the run.
@_spi(Engine) open class Work: Disposable, @unchecked Sendable {
  /// The time at which it is due; nil: as soon as possible.
  package final var due: Instant?
  /// Whether it was scheduled with a time. Set before other threads know it.
  package final var isTimed = false
  /// Whether its time has come, and that run is not over.
  package final let isWaiting = Atomic<Bool>(false)
  /// Whether another object handles it when this is not run, so that it is not counted as lost.
  final var isLossHandled = false
  /// The index in a list of a timer queue that is not sorted; negative: in no queue.
  final var timerIndex: Int32 = -1
  /// The time between runs; 0: it runs once; negative: it decides itself (`RecursiveWork`).
  package final var interval: Int64 = 0
  package final var leeway: Int64 = 0
  package final var scheduler: Scheduler?
  /// How many timers the queue had got when it got this one.
  final var timerSequence: UInt64 = 0

  public override init() {
    super.init()
    Live.disposables.began()
  }

  deinit {
    if !isDisposed { drop() }
    Live.disposables.ended()
  }

  /// Does the work.
  open func perform() {}

  /// The name and the line of code that a close's report gives it.
  open var origin: Origin { Origin() }

  /// Releases what the work holds. Called exactly once; `perform` is not called afterwards.
  open func drop() {}

  /// Counts the runs that were accepted and do not come, because the home has closed.
  open func lose() { Lost.lose(self) }

  /// Called when a run is over, for work that decides itself how often it runs.
  open func ran() {}

  /// The latest time at which it should run.
  final var latest: Instant { (due ?? 0).addingSaturated(leeway) }

  /// Sets the next time of repeated work, which is later than `now`: a late run does not move those that
  /// follow.
  final func keepRhythm(after now: Instant) {
    guard let due else { return }
    self.due = now.addingSaturated(interval - (now - due) % interval)
  }

  package final func run() {
    let delivery = beginDelivery()
    if delivery.isOpen {
      let begun = SlowCallbackHook.begin()
      if begun < 0 { perform() } else { performTimed(begun) }
    }
    if interval == 0 && close() { Delivery.noteHere() }
    endDelivery(delivery)
    if interval < 0 { ran() }
  }

  /// Asks for the name first, because the run may release the subscription that has it.
  @inline(never)
  private final func performTimed(_ begun: Int64) {
    let origin = origin
    perform()
    SlowCallbackHook.end(begun, self, origin)
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

  /// Whether a thread is inside, and will free it. Work with a home runs nowhere else.
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
    let record = Thread.record
    let place = publish(in: record)
    drop()
    _ = belay_shim_end_delivery(record, place)
    finalise()
  }

  package final override func isQuiescent(_ level: Quiescence.Level) -> Bool {
    if Delivery.isAnywhere(in: self) { return false }
    return level == .idle && !life.has(.freeing) || life.has(.finalised)
  }

  package final override var runners: [UInt64] { [scheduler?.home?.runner ?? 0] }

  public final override func receive(_ message: inout Message, isCanceled: Bool) {
    guard message.kind == .work, !isClosed else { return }
    // The scheduler may have ended after it has accepted the message.
    if !isCanceled, let scheduler, scheduler.takesWork { return scheduler.arrive(self) }
    if !isCanceled || message.wasAccepted, !isLossHandled { lose() }
    dispose()
  }
}

/// Work that calls a closure.
package final class ClosureWork: Work, @unchecked Sendable {
  private var action: (() -> Void)?
  private let label, site: StaticSite?

  @inline(never)
  package init(_ origin: Origin, _ action: @escaping () -> Void) {
    self.action = action
    (label, site) = (origin.label, origin.site)
    super.init()
  }

  package convenience init(label: StaticString? = nil, _ action: @escaping () -> Void) {
    self.init(Origin(label: label.map { StaticSite($0) }), action)
  }

  package override var origin: Origin { Origin(label: label, site: site) }

  package override func perform() { action?() }
  package override func drop() { action = nil }
}
