/// A handle to an owner, for Swift: the death of the object it stands for is its own.
public final class Owner: @unchecked Sendable {
  /// What outlives it.
  public let record: OwnerRecord

  /// - Parameters:
  ///   - label: its name in reports.
  ///   - deinit: step 4 of its death.
  ///   - dealloc: step 8.
  public init(
    label: StaticString? = nil, deinit: (() -> Void)? = nil, dealloc: (() -> Void)? = nil
  ) {
    record = ClosureOwnerRecord(label.map { StaticSite($0) }, `deinit`, dealloc)
  }

  deinit { record.releaseHandle() }

  /// Sends once when the death begins; completes after the deinit.
  public var deallocating: Signal<UnitValue> { record.deallocating }
  /// Sends once and completes after the deinit.
  public var deallocated: Signal<UnitValue> { record.deallocated }

  /// Binds `disposable`: it is disposed when the owner dies.
  public func add(_ disposable: Disposable) { record.add(disposable) }
}

private final class ClosureOwnerRecord: OwnerRecord, @unchecked Sendable {
  private var onDeinit: (() -> Void)?
  private var onDealloc: (() -> Void)?

  init(_ label: StaticSite?, _ onDeinit: (() -> Void)?, _ onDealloc: (() -> Void)?) {
    self.onDeinit = onDeinit
    self.onDealloc = onDealloc
    super.init(label: label)
  }

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
