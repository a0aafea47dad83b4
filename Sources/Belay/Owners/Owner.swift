/// A handle to an owner, for Swift. When this goes, the object that the owner stands for dies.
public final class Owner: @unchecked Sendable {
  /// The owner itself, which outlives the handle.
  public let record: OwnerRecord

  /// - Parameters:
  ///   - label: the name in reports.
  ///   - address: the address of the object that it stands for, which notifications get.
  ///   - deinit: step 4 of the death.
  ///   - dealloc: step 8 of the death.
  public init(
    label: StaticString? = nil, address: UnsafeMutableRawPointer? = nil,
    deinit: (() -> Void)? = nil, dealloc: (() -> Void)? = nil
  ) {
    record = ClosureOwnerRecord(label.map { StaticSite($0) }, address, nil, `deinit`, dealloc)
  }

  /// Makes an owner that dies at the home of `scheduler`: that of a loop, a worker, a pool or a host.
  /// What is bound to it ends there, whichever thread releases it last. (The other initialiser makes
  /// one that dies on that thread.) A close of the loop names the owner, and leaves it alive.
  ///
  /// - Parameters:
  ///   - scheduler: the one at whose home it dies.
  ///   - label: the name in reports.
  ///   - address: the address of the object that it stands for, which notifications get.
  ///   - deinit: step 4 of the death.
  ///   - dealloc: step 8 of the death.
  /// - Throws: `.invalid` for a scheduler whose work has no home, such as
  ///   `ImmediateScheduler.shared`; `.closed` for one that takes no work any more.
  public init(
    dyingAt scheduler: Scheduler, label: StaticString? = nil,
    address: UnsafeMutableRawPointer? = nil, deinit: (() -> Void)? = nil,
    dealloc: (() -> Void)? = nil
  ) throws(Failure) {
    guard let home = scheduler.home, home.acceptsMessages else { throw Failure(.invalid) }
    if !scheduler.takesWork { throw Failure(.closed) }
    record = ClosureOwnerRecord(label.map { StaticSite($0) }, address, home, `deinit`, dealloc)
    record.reside()
  }

  deinit { record.releaseHandle() }

  /// Sends once when the death begins; completes after the deinit.
  public var deallocating: Signal<UnitValue> { record.deallocating }
  /// Sends once and completes after the deinit.
  public var deallocated: Signal<UnitValue> { record.deallocated }

  /// Binds `disposable`: the owner's death disposes of it.
  public func add(_ disposable: Disposable) { record.add(disposable) }

  /// Binds a child. It dies when this owner dies, at its turn among the bound disposables, even if
  /// it has handles.
  ///
  /// - Returns: `.invalid` for a cycle; `.assigned` for a child of another parent; `.range` when
  ///   the tree gets too high.
  @discardableResult
  public func add(child: Owner) -> Code { record.addChild(child.record) }

  /// Removes a child without ending it. Answers `.notFound` if it is no child of this owner.
  @discardableResult
  public func remove(child: Owner) -> Code { record.removeChild(child.record) }
}

/// An owner whose deinit and dealloc are closures.
private final class ClosureOwnerRecord: OwnerRecord, @unchecked Sendable {
  private var onDeinit: (() -> Void)?
  private var onDealloc: (() -> Void)?

  private let object: UnsafeMutableRawPointer?

  init(
    _ label: StaticSite?, _ object: UnsafeMutableRawPointer?, _ home: Home?,
    _ onDeinit: (() -> Void)?, _ onDealloc: (() -> Void)?
  ) {
    self.object = object
    self.onDeinit = onDeinit
    self.onDealloc = onDealloc
    super.init(label: label, home: home)
  }

  override var address: UnsafeMutableRawPointer? { object }

  override func runDeinit() {
    onDeinit?()
    onDeinit = nil
  }

  override func runDealloc() {
    onDealloc?()
    onDealloc = nil
  }
}

/// A weak reference to an owner.
package final class WeakOwner: Entity, @unchecked Sendable {
  private let record: OwnerRecord

  public init(_ record: OwnerRecord) {
    self.record = record
    super.init()
  }

  public override var valueKind: ValueKind { .weak }

  /// A handle for the caller, which must release it; nil once the owner is dying.
  package func lock() -> OwnerRecord? { record.retainHandleIfAlive() ? record : nil }

  /// Whether the owner's death has begun.
  public var isDying: Bool { record.isDying }
}
