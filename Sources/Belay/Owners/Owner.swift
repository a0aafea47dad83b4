/// A handle to an owner, for Swift: the death of the object it stands for is its own.
public final class Owner: @unchecked Sendable {
  /// What outlives it.
  public let record: OwnerRecord

  /// - Parameters:
  ///   - label: its name in reports.
  ///   - address: that of the object it stands for, for who is notified.
  ///   - deinit: step 4 of its death.
  ///   - dealloc: step 8.
  public init(
    label: StaticString? = nil, address: UnsafeMutableRawPointer? = nil,
    deinit: (() -> Void)? = nil, dealloc: (() -> Void)? = nil
  ) {
    record = ClosureOwnerRecord(label.map { StaticSite($0) }, address, `deinit`, dealloc)
  }

  deinit { record.releaseHandle() }

  /// Sends once when the death begins; completes after the deinit.
  public var deallocating: Signal<UnitValue> { record.deallocating }
  /// Sends once and completes after the deinit.
  public var deallocated: Signal<UnitValue> { record.deallocated }

  /// Binds `disposable`: it is disposed when the owner dies.
  public func add(_ disposable: Disposable) { record.add(disposable) }

  /// Binds a child: it dies whole when this dies, at its turn among what is bound, whoever holds it.
  ///
  /// - Returns: `.invalid` for a cycle; `.assigned` for a child of another parent; `.range` when the
  ///   tree gets too high.
  @discardableResult
  public func add(child: Owner) -> Code { record.addChild(child.record) }

  /// Sets a child free. `.notFound` when it is none of this one's.
  @discardableResult
  public func remove(child: Owner) -> Code { record.removeChild(child.record) }
}

private final class ClosureOwnerRecord: OwnerRecord, @unchecked Sendable {
  private var onDeinit: (() -> Void)?
  private var onDealloc: (() -> Void)?

  private let object: UnsafeMutableRawPointer?

  init(
    _ label: StaticSite?, _ object: UnsafeMutableRawPointer?, _ onDeinit: (() -> Void)?,
    _ onDealloc: (() -> Void)?
  ) {
    self.object = object
    self.onDeinit = onDeinit
    self.onDealloc = onDealloc
    super.init(label: label)
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

/// Refers to an owner without keeping it from dying.
public final class WeakOwner: Entity, @unchecked Sendable {
  private let record: OwnerRecord

  public init(_ record: OwnerRecord) {
    self.record = record
    super.init()
  }

  public override var valueKind: ValueKind { .weak }

  /// The owner with a handle for the caller, who releases it; nil once it is dying.
  package func lock() -> OwnerRecord? { record.retainHandleIfAlive() ? record : nil }

  /// Whether the owner's death has begun.
  public var isDying: Bool { record.isDying }
}
