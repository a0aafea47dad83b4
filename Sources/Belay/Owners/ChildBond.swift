import CBelayShim
import Synchronization

/// Ties a child to its parent; the parent holds it like any bound disposable. Disposing of the bond
/// is the child's death, even if the child has handles. The bond is quiescent when that death is
/// over.
final class ChildBond: Disposable, @unchecked Sendable {
  final let parent: OwnerRecord
  final let child: OwnerRecord
  private let lock = Lock()
  /// The thread on which the child is dying; 0 while the child lives, or its death waits.
  private let dyingThread = Atomic<UInt64>(0)
  /// The child's bound disposables that were still running when its death began.
  private var lingering: ReferenceArray<Disposable> = []

  init(_ parent: OwnerRecord, _ child: OwnerRecord) {
    self.parent = parent
    self.child = child
    super.init()
  }

  package override func dispose(noting quiescence: Quiescence?) {
    if close() { child.kill() }
    if let quiescence { self.await(quiescence) }
  }

  func dies(on thread: UInt64) { dyingThread.store(thread, ordering: .relaxed) }

  /// The child's death waits for these.
  func waits(for running: ReferenceArray<Disposable>) {
    var forgotten = running
    lock.withLock { swap(&forgotten, &lingering) }
    extendLifetime(forgotten)  // released outside the lock
    dies(on: 0)
    Quiescence.movedOn()
  }

  /// Ends the bond, because the child is dead or has been removed from its parent.
  func end() {
    _ = close()
    var forgotten: ReferenceArray<Disposable> = []
    lock.withLock { swap(&forgotten, &lingering) }
    extendLifetime(forgotten)  // released outside the lock
    finalise()
  }

  /// What the child's death waits for.
  var awaited: ReferenceArray<Disposable> { lock.withLock { lingering } }

  package override func isQuiescent(_ level: Quiescence.Level) -> Bool { life.has(.finalised) }

  /// The threads that must go on before the child's death can.
  package override var runners: [UInt64] {
    let thread = dyingThread.load(ordering: .relaxed)
    if thread != 0 { return [thread] }
    var threads: [UInt64] = []
    for member in awaited {
      Quiescence.addBlockers(of: member, .silent, to: &threads)
    }
    return threads.isEmpty ? [child.home?.runner ?? 0] : threads
  }
}

/// The lock and the limit of all trees of owners. A death goes down a tree by recursion, so the
/// height is limited.
private enum OwnerTree {
  static let lock = Lock()
  static let greatestHeight = 1000
}

extension OwnerRecord {
  /// Makes `child` a child of this owner. It dies at its turn in step 3 of this owner's death, even
  /// if it has handles. If this owner is dying, the child dies at once. A child that is dying is
  /// ignored.
  ///
  /// - Returns: `.invalid` for a cycle, and for a tree with another loop than the root's if the
  ///   root's end cannot wait; `.wrongKind` for a child whose end the host declares; `.assigned`
  ///   for a child of another parent; `.range` when the tree gets too high.
  package final func addChild(_ child: OwnerRecord) -> Code {
    if !child.diesWithItsHandles { return .wrongKind }
    var refused: ChildBond?
    let code = OwnerTree.lock.withLock { () -> Code in
      if let bond = child.bond { return bond.parent === self ? .ok : .assigned }
      var depth = 2
      var root = self
      while root !== child, let parent = root.bond?.parent {
        depth += 1
        root = parent
      }
      var isElsewhere = root === child
      depth += child.height(&isElsewhere, below: root)
      if isElsewhere { return .invalid }
      if depth > OwnerTree.greatestHeight { return .range }
      // Under the lock, so that `height` finds it. If this has been emptied, the child dies.
      if let bond = child.tie(to: self), insert(bond) == 0 { refused = bond }
      return .ok
    }
    refused?.dispose()
    return code
  }

  /// Removes a child without ending it. Answers `.notFound` if it is no child of this owner, or if
  /// the end of this owner has come to it.
  package final func removeChild(_ child: OwnerRecord) -> Code {
    let bond = OwnerTree.lock.withLock { () -> ChildBond? in
      // Closing it here takes the child from this owner's end before another parent may have it.
      guard let bond = child.bond, bond.parent === self, bond.close() else { return nil }
      return child.takeBond()
    }
    bond?.end()
    return bond == nil ? .notFound : .ok
  }

  /// The height of the tree below this owner. Notes whether a part of the tree has another home than
  /// `root`, whose end cannot wait. The caller holds the tree's lock. A bond that is closed may still
  /// be a member: its child has been removed, or is dying.
  private final func height(_ isElsewhere: inout Bool, below root: OwnerRecord) -> Int {
    if !root.diesWithItsHandles, let home, home !== root.home { isElsewhere = true }
    var children: ReferenceArray<CompoundCore> = []
    forEachMember { if !$0.isClosed, let bond = $0 as? ChildBond { children.append(bond.child) } }
    var height = 0
    for child in children {
      let child = unsafeDowncast(child, to: OwnerRecord.self)
      height = max(height, 1 + child.height(&isElsewhere, below: root))
    }
    return height
  }

  /// The parent, while it has one.
  public final var parent: OwnerRecord? { OwnerTree.lock.withLock { bond?.parent } }
}
