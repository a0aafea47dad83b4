import CBelayShim
import Synchronization

/// Ties a child to its parent: what the parent holds, as a bound thing. Disposed of, it is the
/// child's death, whoever holds handles; quiescent, when that is over.
final class ChildBond: Disposable, @unchecked Sendable {
  final let parent: OwnerRecord
  final let child: OwnerRecord
  private let lock = Lock()
  /// The thread that the child is dying on; 0: it is not, or waits.
  private let mourner = Atomic<UInt64>(0)
  /// What was still running of what the child had bound.
  private var lingering: [Disposable] = []

  init(_ parent: OwnerRecord, _ child: OwnerRecord) {
    self.parent = parent
    self.child = child
    super.init()
  }

  package override func dispose(noting quiescence: Quiescence?) {
    if close() {
      let running = child.kill()
      if !running.isEmpty { lock.withLock { lingering = running } }
    }
    if let quiescence { self.await(quiescence) }
  }

  func dies(on thread: UInt64) { mourner.store(thread, ordering: .relaxed) }

  /// The child is dead, or no child any more.
  func loosen() {
    _ = close()
    let forgotten = lock.withLock { () -> [Disposable] in
      let forgotten = lingering
      lingering = []
      return forgotten
    }
    extendLifetime(forgotten)  // released outside the lock
    finalise()
  }

  package override func await(_ quiescence: Quiescence) {
    quiescence.note(self)
    for member in lock.withLock({ lingering }) { member.await(quiescence) }
  }

  package override func isQuiescent(_ level: Quiescence.Level) -> Bool { life.has(.finalised) }

  /// Whoever keeps the child from going on.
  package override var runner: UInt64 {
    let thread = mourner.load(ordering: .relaxed)
    if thread != 0 { return thread }
    for member in lock.withLock({ lingering }) where !member.isQuiescent(.idle) {
      return member.runner
    }
    return child.home?.threadID.load(ordering: .relaxed) ?? 0
  }
}

/// How owners hang together. A death goes down a tree by recursion, hence the limit.
private enum OwnerTree {
  static let lock = Lock()
  static let greatestHeight = 1000
}

extension OwnerRecord {
  /// Binds `child`, which dies whole when this dies: at its turn in step 3, whoever holds handles.
  /// At once when this is dying; a dying child is ignored.
  ///
  /// - Returns: `.invalid` for a cycle, and for a child with another loop than that of a parent
  ///   whose end cannot wait; `.wrongKind` for a child whose end is declared by the host;
  ///   `.assigned` for one that has another parent; `.range` when the tree gets too high.
  package final func addChild(_ child: OwnerRecord) -> Code {
    if !child.diesWithItsHandles { return .wrongKind }
    if !diesWithItsHandles, let itsHome = child.home, itsHome !== home { return .invalid }
    var made: ChildBond?
    let code = OwnerTree.lock.withLock { () -> Code in
      if let bond = child.bond { return bond.parent === self ? .ok : .assigned }
      var depth = 1
      var ancestor: OwnerRecord? = self
      while let known = ancestor {
        if known === child { return .invalid }
        depth += 1
        ancestor = known.bond?.parent
      }
      if depth + child.height > OwnerTree.greatestHeight { return .range }
      made = child.tie(to: self)
      return .ok
    }
    if let made { add(made) }
    return code
  }

  /// Sets a child free. `.notFound` when it is none of this one's.
  package final func removeChild(_ child: OwnerRecord) -> Code {
    let bond = OwnerTree.lock.withLock { () -> ChildBond? in
      guard let bond = child.bond, bond.parent === self else { return nil }
      return child.takeBond()
    }
    bond?.loosen()
    return bond == nil ? .notFound : .ok
  }

  /// Under the tree's lock: how many owners are below, one under the other.
  private final var height: Int {
    var children: [CompoundCore] = []
    forEachMember { if let child = ($0 as? ChildBond)?.child { children.append(child) } }
    var height = 0
    for child in children {
      height = max(height, 1 + unsafeDowncast(child, to: OwnerRecord.self).height)
    }
    return height
  }

  /// The parent, while it has one.
  public final var parent: OwnerRecord? { OwnerTree.lock.withLock { bond?.parent } }
}
