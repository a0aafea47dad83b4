/// An object that hangs on an owner under a key, and is let go of at step 6 of its death.
///
/// Kinds keep apart what uses the same key: two kinds of proxy on one object do not meet.
open class Association: Attachment, @unchecked Sendable {
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

/// How an associated object is held.
public enum AssociationPolicy {
  /// It is not: who associated it sees to its life.
  case assign
  case retain
  /// By a copy.
  case copy((AnyObject) -> AnyObject)
}

/// Holds an object of Swift's.
private final class ObjectAssociation: Association, @unchecked Sendable {
  private let held: AnyObject?

  init(_ key: UInt, _ kind: UInt, _ object: AnyObject, holds: Bool) {
    held = holds ? object : nil
    super.init(key, kind, Unmanaged.passUnretained(object).toOpaque())
  }
}

extension OwnerRecord {
  /// Associates an object, in the place of the one with its key and kind.
  ///
  /// - Returns: `.dead` from step 6 of the death on.
  package final func set(_ association: Association) -> Code {
    replace(with: association, .association, association.key, association.subkey)
  }

  /// Lets go of what is associated. `.notFound` when nothing is.
  package final func removeAssociation(_ key: UInt, _ kind: UInt) -> Code {
    replace(with: nil, .association, key, kind)
  }

  package final func association(_ key: UInt, _ kind: UInt) -> Association? {
    find(.association, key, kind).map { unsafeDowncast($0, to: Association.self) }
  }

  // MARK: For Swift

  /// Associates `object` under the address `key`, in the place of what had it; nil: takes that out.
  /// Several kinds may share a key. Let go of, in the order of associating, at step 6 of the death.
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

  /// What is associated under `key` and `kind`.
  public final func associated(
    with key: UnsafeRawPointer, kind: UnsafeRawPointer? = nil
  ) -> AnyObject? {
    guard
      let known = association(UInt(bitPattern: key), UInt(bitPattern: kind)) as? ObjectAssociation,
      let object = known.object
    else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
  }
}
