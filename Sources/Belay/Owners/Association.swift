/// An object that is attached to an owner under a key, and is released at step 6 of the death.
///
/// The subkey keeps apart users of one key, such as two kinds of proxy on one object.
@_spi(Engine) open class Association: Attachment, @unchecked Sendable {
  package final let key: UInt
  package final let subkey: UInt
  package final let object: UnsafeMutableRawPointer?

  package init(_ key: UInt, _ subkey: UInt, _ object: UnsafeMutableRawPointer?) {
    self.key = key
    self.subkey = subkey
    self.object = object
    super.init()
    kind = .association
  }

  public final override func isNamed(_ key: UInt, _ subkey: UInt) -> Bool {
    self.key == key && self.subkey == subkey
  }
}

/// How an owner holds an associated object.
public enum AssociationPolicy {
  /// Not at all: the caller keeps it alive.
  case assign
  /// Retains it, until the owner dies.
  case retain
  /// Retains a copy.
  case copy((AnyObject) -> AnyObject)
}

/// Associates a Swift object.
private final class ObjectAssociation: Association, @unchecked Sendable {
  private let held: AnyObject?

  init(_ key: UInt, _ kind: UInt, _ object: AnyObject, holds: Bool) {
    held = holds ? object : nil
    super.init(key, kind, Unmanaged.passUnretained(object).toOpaque())
  }
}

extension OwnerRecord {
  /// Associates an object, and replaces one with the same key and subkey.
  ///
  /// - Returns: `.dead` from step 6 of the death on.
  package final func set(_ association: Association) -> Code {
    replace(with: association, .association, association.key, association.subkey)
  }

  /// Releases an association. Answers `.notFound` if there is none.
  package final func removeAssociation(_ key: UInt, _ kind: UInt) -> Code {
    replace(with: nil, .association, key, kind)
  }

  package final func association(_ key: UInt, _ kind: UInt) -> Association? {
    find(.association, key, kind).map { unsafeDowncast($0, to: Association.self) }
  }

  // MARK: For Swift

  /// Associates `object` with the address `key`, and replaces an earlier one; nil only removes
  /// that. Objects with one key may differ in `kind`. They are released at step 6 of the death, in
  /// the order in which they were associated.
  ///
  /// - Returns: `.dead` from then on.
  @discardableResult
  public final func associate(
    _ object: AnyObject?, with key: UnsafeRawPointer, kind: UnsafeRawPointer? = nil,
    policy: AssociationPolicy = .retain
  ) -> Code {
    let (key, kind) = (UInt(bitPattern: key), UInt(bitPattern: kind))
    guard let object else { return removeAssociation(key, kind) }
    switch policy {
    case .assign: return set(ObjectAssociation(key, kind, object, holds: false))
    case .retain: return set(ObjectAssociation(key, kind, object, holds: true))
    case .copy(let copy): return set(ObjectAssociation(key, kind, copy(object), holds: true))
    }
  }

  /// The object that is associated under `key` and `kind`.
  public final func associated(
    with key: UnsafeRawPointer, kind: UnsafeRawPointer? = nil
  ) -> AnyObject? {
    guard
      let known = association(UInt(bitPattern: key), UInt(bitPattern: kind)) as? ObjectAssociation,
      let object = known.object
    else { return nil }
    // Another thread may replace it meanwhile, and then only `known` keeps the object.
    return withExtendedLifetime(known) {
      Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    }
  }
}
