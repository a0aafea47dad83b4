import CBelayShim
import Synchronization

/// The sources of an owner's two signals.
private typealias Phases = (
  deallocating: PhaseEmitter<UnitValue>, deallocated: PhaseEmitter<UnitValue>
)

/// What ends with an object: the identity that its handles, its signals and whatever is bound to
/// it share, and that outlives it.
///
/// A death has eight steps: 1 weak references read nil; 2 `deallocating` sends; 3 what is bound is
/// disposed, in order; 4 the object's deinit; 5 named notifications and 6 associated objects; 7
/// `deallocating` completes, `deallocated` sends and completes; 8 the object's dealloc. While a
/// callback that is bound to it is running, steps 4 to 8 wait, and run on the thread that leaves
/// the last one.
open class OwnerRecord: CompoundCore, @unchecked Sendable {
  enum State: UInt8 {
    case alive, dying, dead
  }

  private let stateWord = Atomic<UInt8>(0)
  private let handles = Atomic<Int>(1)
  /// Holds this; given up at the death.
  private final var madeCompound: CompoundDisposable?
  private let lock = Lock()
  private final var phases: Phases?
  /// Where it dies; nil: wherever the last reference goes.
  public let home: Home?
  public let label: StaticSite?
  public let site: StaticSite?

  public init(label: StaticSite? = nil, site: StaticSite? = nil, home: Home? = nil) {
    self.label = label
    self.site = site
    self.home = home
    super.init()
    Live.owners.began()
  }

  public final override var valueKind: ValueKind { .owner }

  // MARK: What the object does

  /// Step 4.
  open func runDeinit() {}
  /// Step 8.
  open func runDealloc() {}

  /// Whether the last handle is the object's end; else the end is declared.
  open var diesWithItsHandles: Bool { true }

  // MARK: Handles

  /// Another handle to the object; on a dying owner to the record only.
  public final func retainHandle() { handles.add(1, ordering: .relaxed) }

  /// Gives a handle back; the last one is the object's death.
  @_optimize(speed)
  public final func releaseHandle() {
    if dropHandle() != 0 { return }
    guard diesWithItsHandles, state == .alive else { return }
    if let home, !home.isCurrent, !home.post(Letter(to: self, .work), reserved: true).isFailure {
      return
    }
    die()
  }

  /// One handle less; answers how many are left. (See `Disposable.raise` on being alone.)
  private final func dropHandle() -> Int {
    if !belay_shim_is_alone() {
      return handles.subtract(1, ordering: .acquiringAndReleasing).newValue
    }
    let left = handles.load(ordering: .relaxed) - 1
    handles.store(left, ordering: .relaxed)
    return left
  }

  /// A handle, unless the object is dying. For weak references.
  package final func retainHandleIfAlive() -> Bool {
    var count = handles.load(ordering: .relaxed)
    while count > 0, state == .alive {
      let (isDone, seen) = handles.weakCompareExchange(
        expected: count, desired: count + 1, ordering: .acquiring)
      if isDone { return true }
      count = seen
    }
    return false
  }

  public final override func receive(_ letter: inout Letter) { dieUnlessRevived() }
  public final override func refuse(_ letter: inout Letter) { dieUnlessRevived() }

  /// On the way home a weak reference may have brought it back.
  private final func dieUnlessRevived() {
    if handles.load(ordering: .acquiring) == 0 { die() }
  }

  // MARK: State

  private final var state: State {
    State(rawValue: stateWord.load(ordering: .acquiring)).unsafelyUnwrapped
  }

  /// Whether its death has begun.
  public final var isDying: Bool { state != .alive }

  /// From alive to dying; true for one caller only.
  private final func claimDeath() -> Bool {
    if belay_shim_is_alone() {
      if state != .alive { return false }
      stateWord.store(State.dying.rawValue, ordering: .relaxed)
      return true
    }
    return stateWord.compareExchange(
      expected: State.alive.rawValue, desired: State.dying.rawValue,
      ordering: .acquiringAndReleasing
    ).exchanged
  }

  // MARK: Binding

  /// What is bound, as a disposable; made when first asked for, and one while it lives.
  package final var compound: CompoundDisposable {
    lock.withLock {
      if let madeCompound { return madeCompound }
      let made = CompoundDisposable(of: self)
      if state != .dead { madeCompound = made }
      return made
    }
  }

  // MARK: Signals

  /// Sends once when the death begins, with the object intact; completes after its deinit. Late
  /// subscribers get what has been sent. (RxSwift's rx.deallocating.)
  public final var deallocating: Signal<UnitValue> {
    PhaseSignal(phaseEmitters.deallocating, "deallocating")
  }

  /// Sends once and completes after the object's deinit. Late subscribers get both.
  public final var deallocated: Signal<UnitValue> {
    PhaseSignal(phaseEmitters.deallocated, "deallocated")
  }

  /// Made when first asked for, in the state of the moment.
  private final var phaseEmitters: Phases {
    let (emitters, stateThen) = lock.withLock {
      () -> (Phases, State?) in
      if let phases { return (phases, nil) }
      let emitters: Phases = (.make(), .make())
      phases = emitters
      return (emitters, state)
    }
    if let stateThen, stateThen != .alive {
      _ = emitters.deallocating.send(unitValue)
      if stateThen == .dead { announceDeath(emitters) }
    }
    return emitters
  }

  private final func announceDeath(_ emitters: Phases) {
    _ = emitters.deallocating.send(.completed)
    _ = emitters.deallocated.send(unitValue)
    _ = emitters.deallocated.send(.completed)
  }

  /// From now on it is dead: answers with the signals' sources, and gives up the compound.
  @_optimize(speed)
  private final func becomeDead() -> Phases? {
    let (known, compound) = lock.withLock { () -> (Phases?, CompoundDisposable?) in
      stateWord.store(State.dead.rawValue, ordering: .releasing)
      let compound = madeCompound
      madeCompound = nil
      return (phases, compound)
    }
    _ = compound  // released outside the lock
    return known
  }

  // MARK: Death

  /// Steps 1 to 3; answers with what is still running of what was bound. Nil when the death has
  /// begun already.
  @_optimize(speed)
  package final func beginDeath() -> [Disposable]? {
    if !claimDeath() { return nil }
    let (known, compound) = lock.withLock { () -> (Phases?, CompoundDisposable?) in
      (phases, madeCompound)
    }
    if let known { _ = known.deallocating.send(unitValue) }
    var running: [Disposable] = []
    takeAll { member in
      member.dispose(noting: nil)
      if !member.isQuiet(.idle) { running.append(member) }
    }
    compound?.dispose()
    return running
  }

  /// Steps 5 to 8.
  package final func finishDeath() {
    if let emitters = becomeDead() { announceDeath(emitters) }
    runDealloc()
    Live.owners.ended()
  }

  /// Was never anybody's.
  final func finishUnused() { Live.owners.ended() }

  private final func die() {
    guard let running = beginDeath() else { return }
    if running.isEmpty { return dieAtLast() }
    let quiet = Quiet(.idle)
    for member in running { member.await(quiet) }
    quiet.then { self.dieAtLast() }
  }

  /// Steps 4 to 8.
  private final func dieAtLast() {
    runDeinit()
    finishDeath()
  }
}
