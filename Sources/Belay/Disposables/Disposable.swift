import CBelayShim
import Synchronization

/// Ends one piece of work, once. Safe from any thread and from inside any callback.
open class Disposable: Entity, @unchecked Sendable {
  struct Flags: OptionSet {
    let rawValue: UInt16
    /// No callback begins any more; whoever set it sees the end through.
    static let closed = Flags(rawValue: 1)
    /// Tearing down was taken on by somebody.
    static let torn = Flags(rawValue: 2)
    /// The teardown and `disposed` are over.
    static let done = Flags(rawValue: 4)
    /// The context has been freed, or is being.
    static let freed = Flags(rawValue: 8)
    /// The context has been freed.
    static let gone = Flags(rawValue: 16)
    /// Somebody waits for this to become quiet.
    static let awaited = Flags(rawValue: 32)
    /// `container` and `slot` are taken.
    static let claimed = Flags(rawValue: 64)
    /// `container` and `slot` are valid.
    static let member = Flags(rawValue: 128)
    /// It is a member of further containers, which `Memberships` knows.
    static let memberOfMore = Flags(rawValue: 256)
    /// `slot` is a link's place in an emitter's buffer. Such a link is never in a container.
    static let placed = Flags(rawValue: 512)
    /// Whoever leaves last, or comes first when nobody is inside, tears it down.
    static let deferred = Flags(rawValue: 1024)
    /// The machine has no barrier for others' sake: whoever delivers fences for himself.
    static let fences = Flags(rawValue: 2048)
    /// A `ForeignSubscription`.
    static let callsDirectly = Flags(rawValue: 4096)
    /// Hangs on an emitter of its own home with nothing between, and has no other home.
    static let direct = Flags(rawValue: 8192)
    /// A container that is gone itself, but not all that it held.
    static let lingering = Flags(rawValue: 16384)
    /// What keeps a delivery from going straight through.
    static let notable: UInt16 = 1 | 2048
  }

  private final let flagWord = Atomic<UInt16>(
    belay_shim_emitter_must_fence() ? Flags.fences.rawValue : 0)
  /// How many deliveries are inside this subscription; written by its home only.
  private final let depth = Atomic<UInt16>(0)
  /// Where the first container keeps it; see `Flags.placed` for the other use.
  final var slot: UInt32 = 0
  // Counted by hand: a strong reference would be counted each time that one looks.
  private final var container: Unmanaged<CompoundCore>?

  public override init() { super.init() }

  deinit {
    if flags.contains(.memberOfMore) { Memberships.forget(self) }
    container?.drop()
  }

  public final override var valueKind: ValueKind { .disposable }

  // MARK: Disposing

  /// Ends the work. Idempotent.
  public final func dispose() { dispose(noting: nil) }

  /// Whether it has been disposed, or has ended; true even while its action still runs.
  public final var isDisposed: Bool { isClosed }

  /// Disposes, and tells `quiet` about callbacks that are still running.
  package func dispose(noting quiet: Quiet?) { if close() { becomeGone() } }

  /// Tells `quiet` of what still runs, once this has been disposed.
  package func await(_ quiet: Quiet) { quiet.note(self) }

  /// Whether nothing of it runs, as far as `level` asks.
  package func isQuiet(_ level: Quiet.Level) -> Bool { true }

  /// The thread whose work has to end before this is quiet; 0 if that is not known.
  package var runner: UInt64 { 0 }

  // MARK: State

  @inline(__always)
  final var flags: Flags { Flags(rawValue: flagWord.load(ordering: .relaxed)) }

  /// Sets flags and returns those that were set before.
  @inline(never)
  final func raise(_ flags: Flags) -> Flags {
    if belay_shim_is_alone() {
      let before = flagWord.load(ordering: .relaxed)
      flagWord.store(before | flags.rawValue, ordering: .relaxed)
      return Flags(rawValue: before)
    }
    return Flags(
      rawValue: flagWord.bitwiseOr(flags.rawValue, ordering: .acquiringAndReleasing).oldValue)
  }

  @inline(__always)
  package final var isClosed: Bool { flagWord.load(ordering: .relaxed) & 1 != 0 }

  /// Claims the end. True for one caller only, who sees it through.
  @inline(__always)
  final func close() -> Bool { !raise(.closed).contains(.closed) }

  /// The end is over: nothing of it runs any more. Leaves the containers, which until then know of
  /// what still runs, and tells who waits.
  @inline(__always)
  final func becomeGone(_ more: Flags = []) {
    let before = raise([.gone, more])
    if !before.isDisjoint(with: [.member, .memberOfMore, .awaited]) { afterBecomingGone(before) }
  }

  private final func afterBecomingGone(_ before: Flags) {
    leaveContainers(before)
    if before.contains(.awaited) { Quiet.settle(self) }
  }

  /// Notes the place in the first container.
  final func enroll(in container: CompoundCore, at slot: UInt32) {
    self.container = .passRetained(container)
    self.slot = slot
  }

  /// Whether its one container, if any, has let go of everything, as when it was disposed of by it.
  @inline(__always)
  final func isOnlyInEmptied(_ before: Flags) -> Bool {
    !before.contains(.memberOfMore)
      && container.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.isEmptied }
  }

  /// `before`: the flags when it became gone.
  final func leaveContainers(_ before: Flags) {
    if before.contains(.member) {
      container?._withUnsafeGuaranteedRef { $0.forget(self, slot) }
    }
    if before.contains(.memberOfMore) { Memberships.forget(self) }
  }

  // MARK: Running

  /// A delivery that is inside: what `leave` needs to know.
  package struct Passage {
    fileprivate let outerDepth: UInt16
    /// Whether another one is inside already.
    package var isInside: Bool { outerDepth != 0 }
    /// False when no callback may begin.
    package let isOpen: Bool
  }

  /// Marks a delivery as running; `leave` follows in any case.
  @inline(__always)
  package final func enter() -> Passage {
    let outer = depth.load(ordering: .relaxed)
    depth.store(outer &+ 1, ordering: .relaxed)
    belay_shim_compiler_barrier()
    return Passage(
      outerDepth: outer,
      isOpen: flagWord.load(ordering: .acquiring) & Flags.notable == 0 || isOpenAfterAll())
  }

  /// Enters, if it is a `ForeignSubscription` that is open. Else nothing has happened, and `leave`
  /// does not follow.
  @inline(__always)
  final func enterDirectly() -> Passage? {
    let outer = depth.load(ordering: .relaxed)
    depth.store(outer &+ 1, ordering: .relaxed)
    belay_shim_compiler_barrier()
    let flags = flagWord.load(ordering: .acquiring)
    if flags & (Flags.notable | Flags.callsDirectly.rawValue) == Flags.callsDirectly.rawValue {
      return Passage(outerDepth: outer, isOpen: true)
    }
    depth.store(outer, ordering: .releasing)
    return nil
  }

  /// Sets flags before anybody else knows this.
  @inline(__always)
  final func mark(_ more: Flags) {
    flagWord.store(flagWord.load(ordering: .relaxed) | more.rawValue, ordering: .relaxed)
  }

  @inline(never)
  package final func isOpenAfterAll() -> Bool {
    if flags.contains(.fences) { belay_shim_fence() }
    return !isClosed
  }

  @inline(__always)
  package final func leave(_ passage: Passage) {
    depth.store(passage.outerDepth, ordering: .releasing)
    belay_shim_compiler_barrier()
    if flagWord.load(ordering: .relaxed) & Flags.notable != 0 { leftNotably() }
  }

  /// Leaves what the caller has closed, and seen to as far as it can be.
  @inline(__always)
  final func leaveClosed(_ passage: Passage) {
    depth.store(passage.outerDepth, ordering: .releasing)
    belay_shim_compiler_barrier()
    if !flags.isDisjoint(with: [.awaited, .fences]) { leftNotably() }
  }

  @inline(never)
  package final func leftNotably() {
    if flags.contains(.fences) { belay_shim_fence() }
    if isClosed { leftAfterClose() }
  }

  /// Over in every respect, as most are as soon as they have been disposed of.
  @inline(__always)
  final var isOver: Bool { flags.intersection([.gone, .lingering]) == .gone && !isRunning }

  @inline(__always)
  final var isRunning: Bool { depth.load(ordering: .acquiring) != 0 }

  /// A delivery was left after the end had begun.
  package func leftAfterClose() {}
}
