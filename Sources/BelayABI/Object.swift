@_spi(Engine) import Belay
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares.

private func type(_ handle: OpaquePointer?) -> ObjectType? { object(handle, ObjectType.self) }

/// A field that a `belay_field` describes.
private final class CField: ObjectField, @unchecked Sendable {
  fileprivate let field: belay_field
  fileprivate let fieldKind: ValueKind

  init(_ field: belay_field, _ name: CText, _ kind: ValueKind) {
    self.field = field
    fieldKind = kind
    super.init(name, hasGetter: field.get != nil, hasSetter: field.set != nil)
  }

  override func load(from object: UnsafeMutableRawPointer?) -> ForeignValue {
    settleGuard(of: object)
    if let get = field.get { return foreign(LastFailure.isolating { get(object) }) }
    guard let place = object?.advanced(by: field.offset) else { return .null }
    switch fieldKind {
    case .owner: return reference(at: place).map { ForeignValue(taking: OwnerBox($0)) } ?? .null
    case .weak:
      return BelayABI.object(place.loadUnaligned(as: OpaquePointer?.self), WeakOwner.self)
        .map { ForeignValue(taking: $0) } ?? .null
    default: return ForeignVariable(fieldKind, at: place).load()
    }
  }

  private func reference(at place: UnsafeMutableRawPointer) -> OwnerRecord? {
    owner(place.loadUnaligned(as: OpaquePointer?.self))
  }

  override func store(_ value: ForeignValue, in object: UnsafeMutableRawPointer?) -> Code {
    beginStore(in: object)
    defer { endStore(in: object) }
    if let set = field.set {
      return LastFailure.tell { set(object, exported(value)) }
    }
    guard let place = object?.advanced(by: field.offset) else { return .dead }
    if fieldKind == .owner || fieldKind == .weak {
      let code = refer(to: value, at: place)
      return code.isFailure ? LastFailure.tell(refusal(code, value)) : code
    }
    do throws(Failure) {
      try ForeignVariable(fieldKind, at: place).store(value)
      return .ok
    } catch {
      return LastFailure.tell(refusal(error.code, value))
    }
  }

  /// The failure of storing a value in this field.
  private func refusal(_ code: Code, _ value: ForeignValue) -> Failure {
    if code != .wrongKind { return Failure(code) }
    let (field, given) = (fieldKind.name.string, (value.kind ?? .null).name.string)
    return Failure(
      code, message: name.text + " is of kind " + field + ", the value of kind " + given)
  }

  /// Stores a reference to the value's owner, and releases the former one. The object's lock is held, and the
  /// caller holds a reference to what the field had.
  private func refer(to value: ForeignValue, at place: UnsafeMutableRawPointer) -> Code {
    let isWeak = fieldKind == .weak
    var new: OpaquePointer?
    if let record = value.handle(.owner) as? OwnerRecord {
      if !isWeak { record.retainHandle() }
      new = give(isWeak ? WeakOwner(record) : record)
    } else if isWeak, let weak = value.handle(.weak) {
      new = give(weak)
    } else if value.kind != .null {
      return .wrongKind
    }
    let old = place.loadUnaligned(as: OpaquePointer?.self)
    place.storeBytes(of: new, as: OpaquePointer?.self)
    if isWeak { belay_weak_release(old) } else { belay_owner_release(old) }
    return .ok
  }
}

extension ObjectField {
  /// The field as the host has described it. Every field of a type of C is a `CField`.
  var described: (field: belay_field, kind: ValueKind) {
    let field = unsafeDowncast(self, to: CField.self)
    return (field.field, field.fieldKind)
  }
}

/// The owner behind a handle and the keys of a path; nil if one of the two is missing or wrong.
@inline(never)
func place(
  _ o: OpaquePointer?, _ path: UnsafePointer<CChar>?
) -> (owner: OwnerRecord, path: PathKey)? {
  guard let owner = owner(o), let path, let keys = PathKey.path(path) else { return nil }
  return (owner, keys)
}

private func field(_ field: belay_field, after type: ObjectType) -> CField? {
  guard let name = field.name, let key = PathKey.path(name), key.next == nil,
    let kind = ValueKind(rawValue: UInt32(field.kind.rawValue)), kind != .failure
  else { return nil }
  let made = CField(field, key.name, kind)
  var names = field.depends_on
  while let next = names, let name = next.pointee {
    guard let other = type.field(UInt(bitPattern: name)) else { return nil }
    made.depend(on: other)
    names = next + 1
  }
  return made
}

@_cdecl("belay_type_create")
@implementation
public func belay_type_create(
  _ fields: UnsafePointer<belay_field>!, _ count: Int, _ flags: UInt32
) -> OpaquePointer! {
  if flags & ~BELAY_TYPE_DYNAMIC != 0 || (fields == nil && count != 0) { return failed(.invalid) }
  let type = ObjectType(isDynamic: flags != 0)
  if UInt(bitPattern: count) > UInt(ObjectType.mostFields) { return failed(.range) }
  for index in 0..<count {
    guard let given = known(fields, at: index), let made = field(given, after: type),
      type.add(made) == .ok
    else { return failed(.invalid) }
  }
  return give(type)
}

@_cdecl("belay_type_retain")
@implementation
public func belay_type_retain(_ t: OpaquePointer!) -> OpaquePointer! { retain(t) }

@_cdecl("belay_type_release")
@implementation
public func belay_type_release(_ t: OpaquePointer!) { release(t) }

@_cdecl("belay_object_set_type")
@implementation
public func belay_object_set_type(_ o: OpaquePointer!, _ t: OpaquePointer!) -> Int32 {
  guard let owner = owner(o), let type = type(t) else { return fail(invalid(o, t)) }
  if owner.address == nil && type.hasFields { return fail(.invalid) }
  return answer(owner.declare(type))
}

@_cdecl("belay_object_get")
@implementation
public func belay_object_get(
  _ o: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ value: UnsafeMutablePointer<belay_value>!
) -> Int32 {
  value?.pointee = exported(.null)
  guard let value, let place = place(o, path) else { return fail(invalid(o)) }
  do throws(Failure) {
    value.pointee = exported(
      try LastFailure.isolating { () throws(Failure) in
        try place.owner.value(at: place.path)
      })
    return 0
  } catch {
    return fail(error)
  }
}

@_cdecl("belay_object_set")
@implementation
public func belay_object_set(
  _ o: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ value: belay_value
) -> Int32 {
  let value = foreign(value)
  defer { discard(value) }
  guard let place = place(o, path) else { return fail(invalid(o)) }
  return explained { place.owner.set(place.path, value) }
}

private enum Step {
  case will, did
}

@inline(never)
private func step(_ step: Step, _ o: OpaquePointer?, _ key: UnsafePointer<CChar>?) -> Int32 {
  guard let owner = owner(o), let key, let path = PathKey.path(key), path.next == nil else {
    return fail(invalid(o))
  }
  let name = path.name
  return answer(
    LastFailure.isolating {
      switch step {
      case .will: announced(owner, key, owner.willChange(name))
      case .did: owner.didChange(revoked(owner, key, name))
      }
    })
}

@inline(never)
private func batch(_ o: OpaquePointer?, _ step: (OwnerRecord) -> Code) -> Int32 {
  guard let owner = owner(o) else { return fail(invalid(o)) }
  return answer(LastFailure.isolating { step(owner) })
}

@_cdecl("belay_object_will_change")
@implementation
public func belay_object_will_change(_ o: OpaquePointer!, _ key: UnsafePointer<CChar>!) -> Int32 {
  step(.will, o, key)
}

@_cdecl("belay_object_did_change")
@implementation
public func belay_object_did_change(_ o: OpaquePointer!, _ key: UnsafePointer<CChar>!) -> Int32 {
  step(.did, o, key)
}

@_cdecl("belay_object_begin_changes")
@implementation
public func belay_object_begin_changes(_ o: OpaquePointer!) -> Int32 {
  batch(o) { $0.beginBatch() }
}

@_cdecl("belay_object_end_changes")
@implementation
public func belay_object_end_changes(_ o: OpaquePointer!) -> Int32 {
  batch(o) { $0.endBatch() }
}

@_cdecl("belay_object_observe")
@implementation
public func belay_object_observe(
  _ o: OpaquePointer!, _ path: UnsafePointer<CChar>!,
  _ options: UnsafePointer<belay_observe_options>!
) -> OpaquePointer! {
  var flags = ObservationOptions.initial
  var observer: OwnerRecord?
  if let options {
    guard let given = known(options) else { return failed(invalid(o)) }
    flags = ObservationOptions(rawValue: given.flags)
    observer = BelayABI.owner(given.observer)
  }
  guard let place = place(o, path), flags.isSubset(of: .all) else { return failed(invalid(o)) }
  let key = place.path.name
  if let type = place.owner.objectType, !type.isDynamic, type.field(key.address) == nil {
    return failed(.notFound, "there is no key " + key.text)
  }
  return give(place.owner.observe(place.path, flags, observer: observer))
}

@_cdecl("belay_change_get")
@implementation
public func belay_change_get(
  _ record: belay_value, _ change: UnsafeMutablePointer<belay_change>!
) -> Int32 {
  guard let change else { return fail(.invalid) }
  guard let items = (foreign(record).entity as? ArrayBox)?.items, items.count == 3,
    items[2].kind == .uint32
  else { return fail(.wrongKind) }
  let told = belay_change(
    size: 0, value: exported(items[0]), old: exported(items[1]),
    flags: UInt32(truncatingIfNeeded: items[2].payload))
  return fill(change, with: told) ? 0 : fail(.invalid)
}
