/// A container whose members are disposed of together, in the order of adding.
///
/// A member that ends by itself leaves. Once the compound has been disposed of, it disposes at once
/// of whatever is added. Releasing a compound does not dispose of its members.
public final class CompoundDisposable: ContainerDisposable, @unchecked Sendable {
  /// Names a member. A key is never used for another member.
  public struct Key: Equatable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
  }

  private static let nestingLock = Lock()

  let members: CompoundCore
  /// Whether this releases the members when it goes. Otherwise another object has them too.
  private let isOnlyHolder: Bool
  /// Whether this has emptied `members`, and is passing the disposal on to them.
  private var isPassingOn = false

  /// Makes one without members.
  public override init() {
    members = CompoundCore()
    isOnlyHolder = true
    super.init()
    members.isSeen(by: self)
  }

  /// Another view of a core that has its own holder.
  init(of members: CompoundCore) {
    self.members = members
    isOnlyHolder = false
    super.init()
    members.isSeen(by: self)
  }

  /// - Parameter members: the first members, in this order.
  public convenience init(_ members: [Disposable]) {
    self.init()
    for member in members { add(member) }
  }

  deinit { if isOnlyHolder { members.abandon() } }

  /// Adds `member`. Answers nil if it did not stay: it had been disposed of already, or the
  /// compound had (then `member` is disposed of now), or it is or holds this compound.
  @discardableResult
  public func add(_ member: Disposable?) -> Key? {
    member.flatMap { addUnlessHeld(by: $0).key }
  }

  /// `add`, which also tells whether the member is or holds this compound.
  package func addUnlessHeld(by member: Disposable) -> (key: Key?, isHeld: Bool) {
    if member.core == nil { return (key(members.add(member)), false) }
    // Under the lock, so that no two threads make a cycle.
    let added = Self.nestingLock.withLock { isHeld(by: member) ? nil : members.insert(member) }
    guard let added else { return (nil, true) }
    if added == 0 { member.dispose() }
    return (key(added), false)
  }

  /// Adds an action that C has bound.
  package func add(_ action: ForeignAction) -> Key? { key(members.add(action)) }

  @inline(never)
  private func key(_ rawValue: UInt64) -> Key? {
    if rawValue == 0 { return nil }
    members.mark(rawValue)
    return Key(rawValue: rawValue)
  }

  /// Whether `member` is this compound or holds it, at any depth.
  private func isHeld(by member: Disposable) -> Bool {
    guard let core = member.core else { return false }
    // A compound that was never in a container is not inside of `member`.
    if core !== members && !life.has(.enrolled) { return false }
    return Nesting.holds(core, members)
  }

  /// Takes a member out in constant time, and does not dispose of it. Answers false if it has gone.
  @discardableResult
  public func remove(_ key: Key) -> Bool { members.remove(key.rawValue) }

  /// The number of members.
  public var count: Int { members.memberCount }

  package override func takeContent() -> Disposable? {
    if !isPassingOn {
      if !members.empty() { return nil }
      isPassingOn = true
    }
    return members.disposeUpToContainer(of: self)
  }
}
