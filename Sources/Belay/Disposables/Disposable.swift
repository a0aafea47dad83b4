import CBelayShim

/// A handle to one piece of work, which it ends once. It may be used on any thread and inside of
/// any callback.
open class Disposable: Entity, @unchecked Sendable {
  final let lifecycle = Lifecycle()
  /// For a sink, the number of operators below it; for a container, `containers`; 1 for a subscription
  /// that `endsSilently`. The field is here because it costs no memory here.
  final var level: UInt16 = 0
  static var containers: UInt16 { .max }
  /// The key in the first container. A sink that is `indexed` keeps its index in an emitter's buffer
  /// here (`Lifecycle.Marks.indexed`).
  final var cell: UInt32 = 0
  // Counted by hand, because Swift would count a strong reference at each look.
  private final var container: Unmanaged<CompoundCore>?

  @_spi(Engine) public override init() { super.init() }

  deinit {
    let life = life
    if life.has(.memberOfMore) { Memberships.forget(self) }
    if life.has(.hasParts) { Quiescence.forgetParts(of: self) }
    container?.drop()
  }

  @_spi(Engine) public final override var valueKind: ValueKind { .disposable }

  // MARK: Disposing

  /// Ends the work. Further calls do nothing.
  public final func dispose() { dispose(noting: nil) }

  /// Whether it has been disposed of, or has ended. True even while its last callback still runs.
  public final var isDisposed: Bool { isClosed }

  /// Disposes, and notes callbacks that are still running in `quiescence`.
  package func dispose(noting quiescence: Quiescence?) { if close() { finalise() } }

  /// Notes in `quiescence` what still runs of this, after its disposal.
  package final func await(_ quiescence: Quiescence) {
    quiescence.note(self)
    if let bond = self as? ChildBond { for member in bond.awaited { member.await(quiescence) } }
  }

  /// Whether nothing of this runs, in the sense of `level`. `Quiescence` asks its parts separately.
  package func isQuiescent(_ level: Quiescence.Level) -> Bool { true }

  /// The threads that must do something before this is quiescent, if none is in a delivery of it; 0
  /// stands for one that is not known.
  package var runners: [UInt64] { [] }

  // MARK: State

  @inline(__always)
  final var life: Lifecycle.State { lifecycle.state }

  @inline(__always)
  package final var isClosed: Bool { life.has(.closed) }

  /// Claims the end. One caller gets true, and sees the end through.
  @inline(__always)
  final func close() -> Bool { lifecycle.claim(.closed) != nil }

  /// Marks the end as over: nothing of this runs any more. Only now leaves the containers, which
  /// must know until then what still runs (so it leaves when its parts are over, too), and wakes the
  /// waits for this.
  @inline(__always)
  final func finalise() {
    if let before = lifecycle.claim(.finalised) { wasFinalised(before) }
  }

  /// Handles `finalised`. `before` is the state before that phase.
  @inline(__always)
  final func wasFinalised(_ before: Lifecycle.State) {
    if before.hasAny(of: [.member, .memberOfMore, .awaited]) { afterFinalising(before) }
  }

  private final func afterFinalising(_ before: Lifecycle.State) {
    leaveUnlessPartsRun(before)
    if before.has(.awaited) { Quiescence.settle(self) }
  }

  /// Leaves the containers, unless they must know of parts that still run.
  @inline(never)
  final func leaveUnlessPartsRun(_ before: Lifecycle.State) {
    if !life.has(.hasParts) || !Quiescence.keepsInContainers(self) { leaveContainers(before) }
  }

  /// Stores the first membership.
  final func enroll(in container: CompoundCore, at cell: UInt32) {
    self.container = .passRetained(container)
    self.cell = cell
  }

  final var firstContainer: CompoundCore? { container?.takeUnretainedValue() }

  /// Whether this is in no container that still needs to be told. Its one container, if any, has
  /// been emptied, as when the container disposes of it.
  @inline(__always)
  final func isOnlyInEmptied(_ before: Lifecycle.State) -> Bool {
    !before.has(.memberOfMore)
      && container.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.isEmptied }
  }

  final func leaveContainers(_ before: Lifecycle.State) {
    if before.has(.member) {
      container?._withUnsafeGuaranteedRef { $0.forget(self, cell) }
    }
    if before.has(.memberOfMore) { Memberships.forget(self) }
  }

  // MARK: Delivering (see also Delivery.swift)

  /// Called when this thread has left a delivery of something that is closed or deferred. If it was
  /// the last thread inside, it does what was left to the last.
  package func leftAfterClose() {}

  /// Whether nothing of this runs or will, and it has no parts. Most disposables are over as soon
  /// as they have been disposed of.
  @inline(__always)
  final var isOver: Bool {
    let life = life
    return life.has(.finalised) && !life.has(.hasParts) && !Delivery.isAnywhere(in: self)
  }
}
