/// Disposes of its members, in the order of adding, when its last reference goes. Nothing else ends
/// them.
public final class DisposeBag: Entity, @unchecked Sendable {
  private let members = CompoundCore()

  /// Makes an empty bag.
  public override init() {
    super.init()
    Live.disposables.began()
  }

  deinit {
    members.dispose()
    Live.disposables.ended()
  }

  @_spi(Engine) public override var valueKind: ValueKind { .bag }

  /// Adds `member`, unless it has ended. A member that ends by itself leaves.
  public func add(_ member: Disposable) { _ = members.add(member) }

  /// The number of members.
  public var count: Int { members.memberCount }
}

extension Disposable {
  /// Puts this into `bag`.
  public final func disposed(by bag: DisposeBag) { bag.add(self) }
}
