/// A container that is disposed as one, in the order of adding.
///
/// A member that ends by itself leaves. Adding to one that has been disposed disposes the
/// newcomer at once. Dropping a compound does not dispose its members.
public final class CompoundDisposable: ContainerDisposable, @unchecked Sendable {
  /// Names a member; never used for another one.
  public struct Key: Equatable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
  }

  let members: CompoundCore
  /// Whether the members go with this; else somebody else has them too.
  private let isOnlyHolder: Bool
  /// Whether this has emptied `members`.
  private var isPassingOn = false

  public override init() {
    members = CompoundCore()
    isOnlyHolder = true
    super.init()
    members.isSeen(by: self)
  }

  /// Another view of `members`.
  init(of members: CompoundCore) {
    self.members = members
    isOnlyHolder = false
    super.init()
    members.isSeen(by: self)
  }

  /// - Parameter members: the first ones, in this order.
  public convenience init(_ members: [Disposable]) {
    self.init()
    for member in members { add(member) }
  }

  deinit { if isOnlyHolder { members.abandon() } }

  /// Adds `member`. Nil when it did not stay: it was disposed already, the compound was (and then
  /// the newcomer is now), or it is, or holds, this compound.
  @discardableResult
  public func add(_ member: Disposable?) -> Key? {
    guard let member, !isHeld(by: member) else { return nil }
    return addUnheld(member)
  }

  /// The same for a member that does not hold this (`isHeld(by:)`).
  package func addUnheld(_ member: Disposable) -> Key? { Self.key(members.add(member)) }

  /// Adds an action of C's.
  package func add(_ action: ForeignAction) -> Key? { Self.key(members.add(action)) }

  private static func key(_ rawValue: UInt64) -> Key? {
    rawValue == 0 ? nil : Key(rawValue: rawValue)
  }

  /// Whether `member` is this compound, or holds it, however deep.
  package func isHeld(by member: Disposable) -> Bool {
    guard let core = member.core else { return false }
    // What was never in a container is in none that is in `member`.
    if core !== members && !life.has(.enrolled) { return false }
    return Nesting.holds(core, members)
  }

  /// Takes a member out without disposing it, in constant time. False if it has gone.
  @discardableResult
  public func remove(_ key: Key) -> Bool { members.remove(key.rawValue) }

  /// How many members there are.
  public var count: Int { members.memberCount }

  package override func takeContent() -> Disposable? {
    if !isPassingOn {
      if !members.empty() { return nil }
      isPassingOn = true
    }
    return members.disposeUpToContainer(of: self)
  }
}
