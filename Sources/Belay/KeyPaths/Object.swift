/// An object whose `@Observed` properties can be observed and bound by key paths. Its owner dies
/// when the object is destroyed.
open class Object: @unchecked Sendable {
  private static let type = ObjectType(isDynamic: true)

  /// The object's owner.
  public let owner = Owner()

  /// Makes the object together with its owner.
  public init() { _ = owner.record.declare(Self.type) }

  /// Reports a change of `keyPath`, a property that is not `@Observed` but calls `access`. Both name
  /// the class that declares the property: the key path of a subclass is another one.
  public final func changing<Root: Object, Value>(
    _ keyPath: KeyPath<Root, Value>, _ change: () -> Void
  ) {
    let key = KeyNames.name(of: keyPath)
    KeyPathCopy.change(key, of: owner.record, change)
  }

  /// Notes that `keyPath` is read, for an observer of a value that is being computed.
  public final func access<Root: Object, Value>(_ keyPath: KeyPath<Root, Value>) {
    KeyPathTracking.here?.note(owner.record, KeyNames.name(of: keyPath))
  }

  /// Runs `body`, and reports its changes at the end, once for each property.
  public final func batch(_ body: () -> Void) {
    _ = owner.record.beginBatch()
    body()
    KeyPathCopy.report { _ = owner.record.endBatch() }
  }
}

/// A property of an `Object` that can be observed.
///
/// It has no lock. Two threads may use it at a time only to read it, as with a plain variable. For
/// a property that several threads set, write a computed one around a lock of your own, with
/// `Object.access` and `Object.changing`.
@propertyWrapper public struct Observed<Value> {
  private var stored: Value

  /// The first value is no change.
  public init(wrappedValue: Value) { stored = wrappedValue }

  @available(*, unavailable, message: "@Observed is for properties of subclasses of Object")
  public var wrappedValue: Value {
    get { fatalError() }
    set { fatalError() }
  }

  public static subscript<Root: Object>(
    _enclosingInstance object: Root, wrapped wrapped: ReferenceWritableKeyPath<Root, Value>,
    storage storage: ReferenceWritableKeyPath<Root, Observed>
  ) -> Value {
    get {
      object.access(wrapped)
      return object[keyPath: storage].stored
    }
    set {
      object.changing(wrapped) {
        // Released when the property may be read again, because its end may read it.
        let old = object[keyPath: storage].stored
        object[keyPath: storage].stored = newValue
        extendLifetime(old)
      }
    }
  }
}

/// A weak reference of an `Object` to another one, which can be observed. The death of its target
/// is a change.
@propertyWrapper public struct ObservedWeak<Target: Object> {
  private weak var stored: Target?

  /// The first target is no change.
  public init(wrappedValue: Target?) { stored = wrappedValue }

  @available(*, unavailable, message: "@ObservedWeak is for properties of subclasses of Object")
  public var wrappedValue: Target? {
    get { fatalError() }
    set { fatalError() }
  }

  public static subscript<Root: Object>(
    _enclosingInstance object: Root, wrapped wrapped: ReferenceWritableKeyPath<Root, Target?>,
    storage storage: ReferenceWritableKeyPath<Root, ObservedWeak>
  ) -> Target? {
    get {
      object.access(wrapped)
      let target = object[keyPath: storage].stored
      if let target { KeyPathTracking.here?.noteDeath(of: target.owner.record) }
      return target
    }
    set { object.changing(wrapped) { object[keyPath: storage].stored = newValue } }
  }
}

/// The keys that stand for key paths in the core.
enum KeyNames {
  private static let lock = Lock()
  nonisolated(unsafe) private static var names: [AnyKeyPath: CText] = [:]

  static func name(of keyPath: AnyKeyPath) -> CText {
    lock.withLock {
      if let known = names[keyPath] { return known }
      let made = CText("\(names.count)")
      names[keyPath] = made
      return made
    }
  }
}

/// Notes what is read on this thread.
class KeyPathTracking: @unchecked Sendable {
  @TaskLocal private static var current: KeyPathTracking?
  private let thread = Thread.record.pointee.id
  private var isOver = false

  /// The one that reads at this moment. A task that a getter starts inherits `current`, and is none of the
  /// reading.
  static var here: KeyPathTracking? {
    guard let current, current.thread == Thread.id, !current.isOver else { return nil }
    return current
  }

  final func during<Value>(_ read: () -> Value) -> Value {
    defer { isOver = true }
    return Self.$current.withValue(self, operation: read)
  }

  func note(_ record: OwnerRecord, _ key: CText) {}
  func noteDeath(of record: OwnerRecord) {}
}
