import CBelayShim
import Synchronization

/// Stands for an object and ends what is bound to it when the object dies. Handles, signals and
/// bound disposables share the record, which outlives the object.
///
/// A death has eight steps: 1 weak references read nil; 2 `deallocating` sends; 3 bound disposables
/// are disposed of, in order; 4 the object's deinit; 5 named notifications; 6 associated objects; 7
/// `deallocating` completes, `deallocated` sends and completes; 8 the object's dealloc. Steps 4 to
/// 8 wait while a callback that is bound to the owner is running. Then they run on the thread that
/// leaves the last one.
open class OwnerRecord: CompoundCore, @unchecked Sendable {
  /// How far the death has come.
  enum State: UInt8 {
    case alive, dying, dead
  }

  private typealias Phases = OwnerAttachments.Phases

  private let lock = Lock()
  /// The state, and `attachedBit`.
  private let stateWord = Atomic<UInt8>(0)
  /// Set when the owner has attachments, or is getting them. A death that finds it clear takes no
  /// lock for them.
  private static var attachedBit: UInt8 { 4 }
  /// Whether the release of the last handle ends the object. Otherwise the host declares the end.
  final let diesWithItsHandles: Bool
  private let handles = Atomic<Int>(1)
  private final var attachments: OwnerAttachments?
  /// The home at which it dies; nil: the thread that releases the last reference.
  public let home: Home?
  /// The name in reports.
  public let label: StaticSite?
  /// The line of code that made it.
  public let site: StaticSite?

  @inline(__always)
  @_spi(Engine) public init(
    label: StaticSite? = nil, site: StaticSite? = nil, home: Home? = nil,
    diesWithItsHandles: Bool = true
  ) {
    self.diesWithItsHandles = diesWithItsHandles
    self.label = label
    self.site = site
    self.home = home
    Live.owners.began()
    super.init()
  }

  @inline(__always)
  deinit {}

  @_spi(Engine) public final override var valueKind: ValueKind { .owner }

  // MARK: What the object does

  /// Step 4.
  @_spi(Engine) open func runDeinit() {}
  /// Step 8.
  @_spi(Engine) open func runDealloc() {}

  /// The address at which the object is, or was.
  @_spi(Engine) open var address: UnsafeMutableRawPointer? { nil }

  // MARK: Handles

  /// Adds a handle to the object. If the owner is dying, this only keeps the record.
  package final func retainHandle() { handles.wrappingAdd(1, ordering: .relaxed) }

  /// Gives a handle back. Giving back the last one is the object's death.
  @_optimize(speed)
  package final func releaseHandle() {
    // Another thread can find an adopted owner by its address, without having a reference.
    let isUnshared = isUnshared && diesWithItsHandles
    if dropHandle(isUnshared) != 0 { return }
    guard diesWithItsHandles, state == .alive else { return }
    if home != nil, goesHome(.work) { return }
    let own = Thread.own
    if own.pointee.ends.depth != 0 { return NestedEnds.run(self) }
    own.pointee.ends.depth = 1
    die(isUnshared)
    own.pointee.ends.depth = 0
  }

  /// Sends the owner to its home, to die there. Answers false if it must die here.
  @inline(never)
  private final func goesHome(_ step: Message.Kind) -> Bool {
    guard let home, !home.isCurrent else { return false }
    return !home.post(Message(to: self, step), reserved: true).isFailure
  }

  /// Counts one handle less, and answers how many are left.
  @inline(__always)
  private final func dropHandle(_ isUnshared: Bool) -> Int {
    if !isUnshared {
      return handles.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
    }
    let left = handles.load(ordering: .relaxed) - 1
    handles.store(left, ordering: .relaxed)
    return left
  }

  /// Adds a handle, for a weak reference. Answers false if the object is dying, or if its last
  /// handle has gone and the owner is on its way to its home.
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

  @_spi(Engine) public final override func receive(_ message: inout Message, isCanceled: Bool) {
    switch message.kind {
    case .end: resume()
    case .dispose: dieNow()
    // A callback that is bound to the owner may have retained it meanwhile; a weak reference
    // cannot.
    default: if handles.load(ordering: .acquiring) == 0 { dieNow() }
    }
  }

  /// Lists the owner at its home, so that the report of the home's close names it. Called once, by the
  /// code that has made it with a home.
  @_spi(Engine) public final func reside() {
    guard let home, home.listsResidents else { return }
    let entry = ResidentOwner(self, at: home)
    _ = add(entry)
    home.list(entry)
  }

  // MARK: State

  private final var state: State {
    State(rawValue: stateWord.load(ordering: .acquiring) & ~Self.attachedBit).unsafelyUnwrapped
  }

  /// Whether its death has begun.
  public final var isDying: Bool { state != .alive }

  /// Changes the state from `state` to `next`, and answers true to the one caller that did.
  /// `isPlain` expects an owner without attachments, and false one with attachments.
  @inline(__always)
  private final func advance(
    from state: State, to next: State, isPlain: Bool, _ isUnshared: Bool
  ) -> Bool {
    let attached = isPlain ? 0 : Self.attachedBit
    if isUnshared {
      if stateWord.load(ordering: .relaxed) != state.rawValue | attached { return false }
      stateWord.store(next.rawValue | attached, ordering: .relaxed)
      return true
    }
    return stateWord.compareExchange(
      expected: state.rawValue | attached, desired: next.rawValue | attached,
      ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Makes the attachments, even for a dead owner. The caller holds the lock.
  private final func makeAttachments() -> OwnerAttachments {
    let made = OwnerAttachments()
    let before = stateWord.bitwiseOr(Self.attachedBit, ordering: .acquiringAndReleasing).oldValue
    // A death that has begun without attachments does not look at them in steps 1 to 3.
    made.hasAnnounced = before != 0
    attachments = made
    return made
  }

  // MARK: Binding

  /// The bound disposables, as one disposable. It is made when first asked for, and shared while it
  /// lives.
  package final var compound: CompoundDisposable {
    defer { unlock() }
    let attachments = lockMadeAttachments()
    if let made = attachments?.compound { return made }
    let made = CompoundDisposable(of: self)
    if state != .dead { attachments?.compound = made }
    return made
  }

  // MARK: Signals

  /// Sends once when the death begins, while the object is intact, and completes after its deinit.
  /// Late subscribers get what has been sent. (RxSwift's rx.deallocating.)
  public final var deallocating: Signal<UnitValue> {
    phaseEmitters.deallocating.signal("deallocating")
  }

  /// Sends once and completes after the object's deinit. Late subscribers get both events.
  public final var deallocated: Signal<UnitValue> {
    phaseEmitters.deallocated.signal("deallocated")
  }

  /// The sources of the two signals, made when first asked for, in the state of that moment.
  private final var phaseEmitters: Phases {
    lock.acquire()
    // A dead owner gets attachments, too, so that later callers find the same sources.
    let attachments = attachments ?? makeAttachments()
    let known = attachments.phases
    let emitters: Phases = known ?? (.make(), .make())
    attachments.phases = emitters
    let stateThen = known == nil ? state : .alive
    lock.release()
    if stateThen != .alive {
      emitters.deallocating.acceptInAnyCase(unitValue)
      if stateThen == .dead { announceDeath(emitters) {} }
    }
    return emitters
  }

  /// Makes `deallocating` fail, because the death cannot be detected.
  final func failDeallocating(_ code: Code) {
    _ = phaseEmitters.deallocating.send(.failed(Failure(code)))
  }

  /// Runs step 7, then `action`: when no other thread is in the strand of one of the two signals.
  private final func announceDeath(_ emitters: Phases, then action: @escaping () -> Void) {
    // The thread that has just made the emitters may not have sent it yet; none sends it twice.
    var departure = emitters.deallocating.acceptUnlessBusy(unitValue)
    if departure == nil {
      _ = emitters.deallocating.send(.completed)
      departure = emitters.deallocated.acceptUnlessBusy(unitValue)
    }
    guard let departure else {
      _ = emitters.deallocated.send(.completed)
      return action()
    }
    bond?.waits(for: [departure])
    departure.then { self.announceDeath(emitters, then: action) }
  }

  /// Runs step 8 for an owner that has attachments.
  private final func finishAnnounced() {
    runDealloc()
    watch(8)
    Live.owners.ended()
    takeBond()?.end()
  }

  // MARK: What hangs on it

  /// Takes the lock and returns the attachments, if there are any. `unlock` must follow.
  @inline(never)
  final func lockAttachments() -> OwnerAttachments? {
    lock.acquire()
    return attachments
  }

  /// The same, but makes attachments; nil if the owner is dead.
  @inline(never)
  final func lockMadeAttachments() -> OwnerAttachments? {
    lock.acquire()
    if attachments != nil || state == .dead { return attachments }
    let made = makeAttachments()
    if state != .dead { return made }
    // Nothing may be attached to a dead owner.
    attachments = nil
    return nil
  }

  @inline(never)
  final func unlock() { lock.release() }

  /// The attachments. The caller holds the lock.
  final var attachmentsUnderLock: OwnerAttachments? { attachments }

  /// Replaces the attachment that the words name by `new`.
  final func replace(
    with new: Attachment?, _ kind: Attachment.Kind, _ one: UInt, _ other: UInt
  ) -> Code {
    let attachments = new == nil ? lockAttachments() : lockMadeAttachments()
    if new != nil && (state == .dead || attachments?.hasFallen(kind) ?? true) {
      unlock()
      return .dead
    }
    let old = attachments?.list.first(kind, one, other)
    if let old { attachments?.list.remove(old) }
    if let new { attachments?.list.append(new) }
    unlock()
    // Released outside the lock.
    return new == nil && old == nil ? .notFound : .ok
  }

  final func find(_ kind: Attachment.Kind, _ one: UInt, _ other: UInt) -> Attachment? {
    defer { unlock() }
    return lockAttachments()?.list.first(kind, one, other)
  }

  // MARK: Its place in a tree

  final var bond: ChildBond? {
    defer { unlock() }
    return lockAttachments()?.bond
  }

  /// Makes a bond to `parent`; nil if this owner is dying. The caller holds the tree's lock.
  final func tie(to parent: OwnerRecord) -> ChildBond? {
    defer { unlock() }
    guard let attachments = lockMadeAttachments(), !isDying else { return nil }
    let bond = ChildBond(parent, self)
    attachments.bond = bond
    return bond
  }

  final func takeBond() -> ChildBond? {
    defer { unlock() }
    guard let attachments = lockAttachments() else { return nil }
    let bond = attachments.bond
    attachments.bond = nil
    return bond
  }

  // MARK: Death

  /// The probe of a step that begins; 8: the death is over.
  private final func watch(_ step: UInt64) {
    if belay_shim_watches_ends() { Probe.phase(self, step) }
  }

  /// Makes attachments, so that the death takes the way where the probe is.
  @inline(never)
  private final func takeWatchedWay() {
    _ = lockMadeAttachments()
    unlock()
  }

  /// Runs steps 1 to 3. Answers the bound disposables that may still be running, or nil if the
  /// death has begun before.
  @inline(__always)
  package final func beginDeath(
    _ isUnshared: Bool = belay_shim_is_alone()
  ) -> ReferenceArray<Disposable>? {
    if belay_shim_watches_ends() { takeWatchedWay() }
    if advance(from: .alive, to: .dying, isPlain: true, isUnshared) { return dispose(isUnshared) }
    guard advance(from: .alive, to: .dying, isPlain: false, isUnshared) else { return nil }
    watch(1)
    return announce(leavesIt: false)
  }

  /// Runs steps 2 and 3; nil if they have been run. While another thread is in the strand of
  /// `deallocating`, answers what is over when that thread has left, and the caller must call this
  /// again then. If it `leavesIt`, lets that thread send, and does not wait.
  @inline(never)
  private final func announce(leavesIt: Bool) -> ReferenceArray<Disposable>? {
    let attachments = lockAttachments()
    let (bond, phases) = (attachments?.bond, attachments?.phases)
    let hasAnnounced = attachments?.hasAnnounced ?? true
    unlock()
    if hasAnnounced { return nil }
    bond?.dies(on: Thread.record.pointee.id)
    if let phases, let departure = phases.deallocating.acceptUnlessBusy(unitValue) {
      if !leavesIt { return [departure] }
      _ = phases.deallocating.accept(unitValue)
    }
    attachments?.hasAnnounced = true
    watch(3)
    return disposeCompound(dispose(false))
  }

  /// Runs steps 1 to 3 for an owner whose end cannot be put off. Sleeps until no other thread runs
  /// anything that was bound (`Quiescence.forOthers`). Answers nil if the death has begun before.
  package final func beginDeathNow() -> Code? {
    guard let running = beginDeath() else { return nil }
    var code = Quiescence.forOthers(running)
    while let left = announce(leavesIt: code.isFailure) {
      let next = Quiescence.forOthers(left)
      if !code.isFailure { code = next }
    }
    return code
  }

  /// Disposes of the disposable that stands for the bound disposables (`asDisposable`). If it has been
  /// disposed of before, it has the members that still run. Answers `left` and these.
  @inline(never)
  private final func disposeCompound(
    _ left: ReferenceArray<Disposable>
  ) -> ReferenceArray<Disposable> {
    let compound = lockAttachments()?.compound
    unlock()
    compound?.dispose()
    guard let compound, !compound.isOver else { return left }
    // Each for itself, because the thread may be inside of one of them.
    var left = left
    for part in Quiescence.all(of: compound) { left.append(part) }
    return left
  }

  /// Runs steps 5 and 6. The caller holds the lock, which is released around each call.
  @inline(never)
  private final func letFall(_ attachments: OwnerAttachments) {
    while let falling = attachments.takeFalling() {
      unlock()
      falling._withUnsafeGuaranteedRef { $0.fall(from: address) }
      falling.drop()
      _ = lockAttachments()
    }
  }

  /// Runs steps 5 to 8.
  @inline(__always)
  package final func finishDeath() {
    let isUnshared = isUnshared && diesWithItsHandles
    if !advance(from: .dying, to: .dead, isPlain: true, isUnshared) { return finishAttached() }
    runDealloc()
    Live.owners.ended()
  }

  /// The same for an owner that has attachments.
  @inline(never)
  private final func finishAttached() {
    guard let attachments = lockAttachments() else { return }
    watch(5)
    letFall(attachments)
    stateWord.store(State.dead.rawValue, ordering: .releasing)
    let compound = attachments.compound
    attachments.compound = nil
    let phases = attachments.phases
    unlock()
    extendLifetime(compound)  // released outside the lock
    if let phases { announceDeath(phases) { self.finishAnnounced() } } else { finishAnnounced() }
  }

  /// Ends the count for a record that was made and not used.
  final func finishUnused() { Live.owners.ended() }

  /// Ends the object as the child of another, even if it has handles.
  final func kill() { if !goesHome(.dispose) { dieNow() } }

  @inline(__always)
  private final func die(_ isUnshared: Bool = belay_shim_is_alone()) {
    guard let running = beginDeath(isUnshared) else { return }
    dieUnlessRunning(running)
  }

  @inline(never)
  private final func dieNow() { die() }

  @inline(never)
  private final func waitThenDie(_ running: ReferenceArray<Disposable>) {
    let quiescence = Quiescence(.silent)
    for member in running { member.await(quiescence) }
    bond?.waits(for: running)
    quiescence.then { self.goOn() }
  }

  /// Continues the death, at home, when nothing that was bound runs any more.
  private final func goOn() {
    if let home, !home.isCurrent {
      _ = home.post(Message(to: self, .end), reserved: true)
      // What it has waited for may be freeing contexts yet. The death waits for the home alone now.
      bond?.waits(for: [])
    } else {
      resume()
    }
  }

  /// Continues the death after a wait, on this thread.
  private final func resume() {
    bond?.dies(on: Thread.record.pointee.id)
    dieUnlessRunning(announce(leavesIt: false) ?? [])
  }

  @inline(__always)
  private final func dieUnlessRunning(_ running: ReferenceArray<Disposable>) {
    if running.isEmpty { dieAtLast() } else { waitThenDie(running) }
  }

  /// Runs steps 4 to 8.
  private final func dieAtLast() {
    runDeinit()
    finishDeath()
  }
}
