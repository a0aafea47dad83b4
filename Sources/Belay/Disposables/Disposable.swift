import CBelayShim

/// Ends one piece of work, once. Safe from any thread and from inside any callback.
open class Disposable: Entity, @unchecked Sendable {
  final let lifecycle = Lifecycle()
  /// Of a sink: how many operators are below it; of a container: `containers`. (Here it takes no
  /// room.)
  final var level: UInt16 = 0
  static var containers: UInt16 { .max }
  /// Where the first container keeps it; see `Lifecycle.Marks.placed` for the other use.
  final var slot: UInt32 = 0
  // Counted by hand: a strong reference would be counted each time that one looks.
  private final var container: Unmanaged<CompoundCore>?

  public override init() { super.init() }

  deinit {
    let life = life
    if life.has(.memberOfMore) { Memberships.forget(self) }
    if life.has(.hasParts) { Quiescence.forgetParts(of: self) }
    container?.drop()
  }

  public final override var valueKind: ValueKind { .disposable }

  // MARK: Disposing

  /// Ends the work. Idempotent.
  public final func dispose() { dispose(noting: nil) }

  /// Whether it has been disposed, or has ended; true even while its action still runs.
  public final var isDisposed: Bool { isClosed }

  /// Disposes, and tells `quiescence` about callbacks that are still running.
  package func dispose(noting quiescence: Quiescence?) { if close() { finalise() } }

  /// Tells `quiescence` of what still runs, once this has been disposed.
  package func await(_ quiescence: Quiescence) { quiescence.note(self) }

  /// Whether nothing of it runs, as far as `level` asks. `Quiescence` asks its parts.
  package func isQuiescent(_ level: Quiescence.Level) -> Bool { true }

  /// The thread whose work has to end before this is quiescent, beside those that are inside; 0 if that
  /// is not known.
  package var runner: UInt64 { 0 }

  // MARK: State

  @inline(__always)
  final var life: Lifecycle.State { lifecycle.state }

  @inline(__always)
  package final var isClosed: Bool { life.has(.closed) }

  /// Claims the end. True for one caller only, who sees it through.
  @inline(__always)
  final func close() -> Bool { lifecycle.claim(.closed) != nil }

  /// The end is over: nothing of it runs any more. Leaves the containers, which until then know of
  /// what still runs, and tells who waits.
  @inline(__always)
  final func finalise() {
    if let before = lifecycle.claim(.finalised) { wasFinalised(before) }
  }

  /// `before`: the state when it was finalised.
  @inline(__always)
  final func wasFinalised(_ before: Lifecycle.State) {
    if before.hasAny(of: [.member, .memberOfMore, .awaited]) { afterFinalising(before) }
  }

  private final func afterFinalising(_ before: Lifecycle.State) {
    leaveContainers(before)
    if before.has(.awaited) { Quiescence.settle(self) }
  }

  /// Notes the place in the first container.
  final func enroll(in container: CompoundCore, at slot: UInt32) {
    self.container = .passRetained(container)
    self.slot = slot
  }

  final var firstContainer: CompoundCore? { container?.takeUnretainedValue() }

  /// Whether its one container, if any, has let go of everything, as when it was disposed of by it.
  @inline(__always)
  final func isOnlyInEmptied(_ before: Lifecycle.State) -> Bool {
    !before.has(.memberOfMore)
      && container.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.isEmptied }
  }

  final func leaveContainers(_ before: Lifecycle.State) {
    if before.has(.member) {
      container?._withUnsafeGuaranteedRef { $0.forget(self, slot) }
    }
    if before.has(.memberOfMore) { Memberships.forget(self) }
  }

  // MARK: Delivering, of which Delivery.swift has the rest

  /// This thread has left a delivery, and the end has begun, or is to be seen to by anybody. What was
  /// left to whoever leaves last is its to do.
  package func leftAfterClose() {}

  /// Over in every respect, as most are as soon as they have been disposed of.
  @inline(__always)
  final var isOver: Bool {
    let life = life
    return life.has(.finalised) && !life.has(.hasParts) && !Delivery.isAnywhere(in: self)
  }
}
