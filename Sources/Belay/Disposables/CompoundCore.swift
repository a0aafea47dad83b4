import CBelayShim
import Synchronization

/// What a container holds, and how it is let go of, from any thread. An owner's record is one
/// itself.
open class CompoundCore: Entity, @unchecked Sendable {
  private final let lock = AsymmetricLock()
  private final let emptied = Atomic<Bool>(false)
  /// Under the lock; once this has been emptied it belongs to whoever has done that.
  private final var table = MemberTable()
  // Under the lock, or before others know this; its memory lasts until this has been emptied.
  // Unmanaged, for it may be going just then, and be counted no more.
  private final var view: Unmanaged<Disposable>?

  /// Whether it has been emptied, for good.
  @inline(__always)
  final var isEmptied: Bool { emptied.load(ordering: .relaxed) }

  @inline(__always)
  public override init() { super.init() }

  @inline(__always)
  deinit { if !isEmptied { abandon() } }

  /// Adds `member`, which leaves when it ends by itself, and is disposed at once when this has
  /// been; answers its key, or 0 when it did not stay.
  @discardableResult
  package final func add(_ member: Disposable) -> UInt64 {
    if member.isClosed { return 0 }
    lock.acquire()
    if isEmptied {
      lock.release()
      member.dispose()
      return 0
    }
    let (slot, key) = table.insert(.member(.passRetained(member)))
    lock.release()
    return enroll(member, slot) ? key : 0
  }

  /// Adds an action; answers its key, or 0 when it has run at once.
  @discardableResult
  @_optimize(speed)
  package final func add(_ action: ForeignAction) -> UInt64 {
    lock.acquireInlined()
    var key: UInt64 = 0
    if !isEmptied {
      key =
        table.isUnused ? table.insertFirst(.action(action)) : table.insert(.action(action)).key
    }
    lock.releaseInlined()
    if key == 0 { action.run() }
    return key
  }

  /// Tells the member where it is kept. False when it has ended meanwhile, and left.
  private final func enroll(_ member: Disposable, _ slot: UInt32) -> Bool {
    if !member.lifecycle.set(.enrolled).has(.enrolled) {
      member.enroll(in: self, at: slot)
      if !member.lifecycle.set(.member).has(.finalised) { return true }
    } else if Memberships.add(member, self, slot) {
      return true
    }
    forget(member, slot)
    return false
  }

  /// Takes a member out without disposing it. False for a key whose member has gone.
  final func remove(_ key: UInt64) -> Bool {
    let slot = UInt32(truncatingIfNeeded: key)
    let removed = lock.withLock {
      isEmptied ? nil : table.slot(of: key).map { table.remove($0) }
    }
    switch removed {
    case .action(let action): action.free()
    case .member(let held):
      let member = held.takeRetainedValue()
      if member.life.has(.memberOfMore) { Memberships.withdraw(member, self, slot) }
    case .nothing, nil: return false
    }
    return true
  }

  /// A member has ended by itself.
  final func forget(_ member: Disposable, _ slot: UInt32) {
    let wasHeld = lock.withLock { () -> Bool in
      guard !isEmptied, table.holds(member, at: slot) else { return false }
      _ = table.remove(slot)
      return true
    }
    // Released outside the lock.
    if wasHeld { Unmanaged.passUnretained(member).drop() }
  }

  /// Empties it, disposes the members and runs the actions, in order; later ones are disposed of on
  /// arrival. Answers with those that are not over then.
  @inline(never)
  @_optimize(speed)
  @discardableResult
  final func dispose(_ isUnshared: Bool = belay_shim_is_alone()) -> [Disposable] {
    var left: [Disposable] = []
    guard empty(isUnshared) else { return left }
    var place = table.start
    while let content = table.content(at: &place) {
      switch content {
      case .nothing: break
      case .action(let action): action.run()
      case .member(let member):
        member._withUnsafeGuaranteedRef {
          $0.dispose(noting: nil)
          if !$0.isOver { left.append($0) }
        }
        member.drop()
      }
    }
    table.deallocate()
    return left
  }

  /// The same, for who does not ask what is not over.
  package final func end() { dispose() }

  /// Its end, as `NestedEnds` brings it about.
  open override func receive(_ message: inout Message, isCanceled: Bool) { dispose() }

  /// For who has emptied it, `whole`: runs the actions and disposes of the members up to the next
  /// container, and takes that out; nil: none is left, and this is not asked again.
  @_optimize(speed)
  final func disposeUpToContainer(of whole: Disposable) -> Disposable? {
    while let content = table.popFirst() {
      switch content {
      case .nothing: break
      case .action(let action): action.run()
      case .member(let member):
        if member._withUnsafeGuaranteedRef({ $0.level == Disposable.containers }) {
          return member.takeRetainedValue()
        }
        member._withUnsafeGuaranteedRef { Quiescence.dispose($0, of: whole) }
        member.drop()
      }
    }
    table.deallocate()
    return nil
  }

  /// Lets go of the members without disposing them: the compound's last handle has gone.
  final func abandon() {
    guard empty() else { return }
    var place = table.start
    while let content = table.content(at: &place) {
      switch content {
      case .nothing: break
      case .action(let action): action.free()
      case .member(let member):
        #if hasFeature(Embedded)
          member.drop()
        #else
          var held: Disposable? = member.takeRetainedValue()
          NestedEnds.letGo(of: &held)
        #endif
      }
    }
    table.deallocate()
  }

  package final var memberCount: Int { lock.withLock { isEmptied ? 0 : table.count } }

  /// `view` stands for this, until this has been emptied.
  final func isSeen(by view: Disposable) {
    lock.withLock { if !isEmptied { self.view = .passUnretained(view) } }
  }

  /// Notes the containers of the compound that this is a part of, and maybe some that it was in.
  final func noteHolders(in nesting: inout Nesting) {
    lock.withLock {
      if !isEmptied { view?._withUnsafeGuaranteedRef { $0.noteHolders(in: &nesting) } }
    }
  }

  /// Hands each member to `body`, which calls nothing that takes the lock.
  @inline(never)
  package final func forEachMember(_ body: (Disposable) -> Void) {
    lock.withLock {
      if isEmptied { return }
      var place = table.start
      while let content = table.content(at: &place) {
        if case .member(let member) = content { member._withUnsafeGuaranteedRef(body) }
      }
    }
  }

  /// True for who has emptied it, and has the table now.
  @inline(__always)
  final func empty(_ isUnshared: Bool = belay_shim_is_alone()) -> Bool {
    lock.withLock(unless: isUnshared) {
      if isEmptied { return false }
      emptied.store(true, ordering: .relaxed)
      return true
    }
  }
}
