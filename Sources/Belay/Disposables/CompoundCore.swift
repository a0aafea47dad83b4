import CBelayShim
import Synchronization

/// The members of a container, which any thread may add, remove and dispose of. An owner's record
/// is a core itself.
open class CompoundCore: Entity, @unchecked Sendable {
  private final let lock = AsymmetricLock()
  private final let emptied = Atomic<Bool>(false)
  /// The members. The lock protects them. The thread that empties this owns them from then on.
  private final var table = MemberTable()
  // The disposable that stands for this, until this has been emptied. The lock protects it.
  // Unmanaged, because it may be in its deinit at this moment, when Swift must not retain it.
  private final var view: Unmanaged<Disposable>?

  /// Whether it has been emptied, which is for good.
  @inline(__always)
  final var isEmptied: Bool { emptied.load(ordering: .relaxed) }

  @inline(__always)
  @_spi(Engine) public override init() { super.init() }

  @inline(__always)
  deinit { if !isEmptied { abandon() } }

  /// Adds `member`, which leaves when it ends by itself. If this has been emptied, disposes of
  /// `member` at once. Answers the member's key (`mark`), or 0 if it did not stay.
  @inline(never)
  @discardableResult
  package final func add(_ member: Disposable) -> UInt64 {
    let key = insert(member)
    if key == 0 { member.dispose() }
    return key
  }

  /// Adds `member`, and calls nobody. Answers 0 if it has ended, or if this has been emptied: the
  /// caller must dispose of it then.
  final func insert(_ member: Disposable) -> UInt64 {
    if member.isClosed { return 0 }
    lock.acquire()
    if isEmptied {
      lock.release()
      return 0
    }
    let (cell, key) = table.insert(.member(.passRetained(member)))
    lock.release()
    if belay_shim_watches_ends() { Probe.member(belay_shim_added, member, of: self) }
    return enroll(member, cell) ? key : 0
  }

  /// Adds an action. Answers its key, or 0 if the action has run at once.
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
    if key == 0 || belay_shim_watches_ends() { addedNotably(action, key) }
    return key
  }

  /// Called when an action did not stay, or when somebody watches.
  @inline(never)
  private final func addedNotably(_ action: ForeignAction, _ key: UInt64) {
    if key == 0 { return action.run() }
    Probe.member(belay_shim_added, nil, of: self)
  }

  /// Tells the member where it is kept. Answers false if it has ended meanwhile, and takes it out
  /// again.
  private final func enroll(_ member: Disposable, _ cell: UInt32) -> Bool {
    if !member.lifecycle.set(.enrolled).has(.enrolled) {
      member.enroll(in: self, at: cell)
      if !member.lifecycle.set(.member).has(.finalised) { return true }
    } else if Memberships.add(member, self, cell) {
      return true
    }
    forget(member, cell)
    return false
  }

  /// Makes `key` one with which `remove` takes its member out.
  final func mark(_ key: UInt64) { lock.withLock { if !isEmptied { table.mark(key) } } }

  /// Takes a member out, and does not dispose of it. Answers false if the key's member has gone.
  final func remove(_ key: UInt64) -> Bool {
    let cell = UInt32(truncatingIfNeeded: key)
    let removed = lock.withLock {
      isEmptied ? nil : table.cell(of: key).map { table.remove($0) }
    }
    switch removed {
    case .action(let action):
      if belay_shim_watches_ends() { Probe.member(belay_shim_removed, nil, of: self) }
      action.free()
    case .member(let held):
      let member = held.takeRetainedValue()
      if belay_shim_watches_ends() { Probe.member(belay_shim_removed, member, of: self) }
      if member.life.has(.memberOfMore) { Memberships.withdraw(member, self, cell) }
    case .nothing, nil: return false
    }
    return true
  }

  /// Called when a member has ended by itself: releases it.
  final func forget(_ member: Disposable, _ cell: UInt32) {
    let wasHeld = lock.withLock { () -> Bool in
      guard !isEmptied, table.holds(member, at: cell) else { return false }
      _ = table.remove(cell)
      return true
    }
    // Released outside the lock.
    if wasHeld {
      if belay_shim_watches_ends() { Probe.member(belay_shim_removed, member, of: self) }
      Unmanaged.passUnretained(member).drop()
    }
  }

  /// Empties this, disposes of the members and runs the actions, in the order of adding. Members
  /// that are added later are disposed of at once. Answers the members that are not over by then.
  @inline(never)
  @_optimize(speed)
  @discardableResult
  final func dispose(_ isUnshared: Bool = belay_shim_is_alone()) -> ReferenceArray<Disposable> {
    var left: ReferenceArray<Disposable> = []
    guard empty(isUnshared) else { return left }
    while let content = table.popFirst() {
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

  /// `dispose` for callers that do not ask which members still run.
  package final func end() { dispose() }

  /// Disposes of the members when this is the receiver of a message of `NestedEnds`.
  @_spi(Engine) open override func receive(_ message: inout Message, isCanceled: Bool) { dispose() }

  /// Runs the actions and disposes of the members up to the next container, which it takes out for
  /// the caller. Nil: no member is left, and this must not be called again. The caller has emptied
  /// this, and stands for it as `whole`.
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

  /// Releases the members without disposing of them. Called when the last handle has gone.
  final func abandon() {
    guard empty() else { return }
    while let content = table.popFirst() {
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

  /// Makes `view` the disposable that stands for this, until this has been emptied.
  final func isSeen(by view: Disposable) {
    lock.withLock { if !isEmptied { self.view = .passUnretained(view) } }
  }

  /// Notes the containers of the compound that this is the core of, and perhaps some that it has
  /// left.
  final func noteHolders(in nesting: inout Nesting) {
    lock.withLock {
      if !isEmptied { view?._withUnsafeGuaranteedRef { $0.noteHolders(in: &nesting) } }
    }
  }

  /// Calls `body` with each member, under the lock, which `body` must not take.
  @inline(never)
  package final func forEachMember(_ body: (Disposable) -> Void) {
    lock.withLock {
      if isEmptied { return }
      var cell = table.start
      while let content = table.content(at: &cell) {
        if case .member(let member) = content { member._withUnsafeGuaranteedRef(body) }
      }
    }
  }

  /// Marks this as emptied. The caller that gets true owns the table from now on.
  @inline(__always)
  final func empty(_ isUnshared: Bool = belay_shim_is_alone()) -> Bool {
    lock.withLock(unless: isUnshared) {
      if isEmptied { return false }
      emptied.store(true, ordering: .relaxed)
      return true
    }
  }

  /// C's handle of this: a compound's, or an owner's.
  final var handle: UnsafeMutableRawPointer {
    lock.withLock { view?.toOpaque() } ?? Unmanaged.passUnretained(self).toOpaque()
  }
}
