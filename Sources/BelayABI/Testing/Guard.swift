@_spi(Engine) import Belay
import CBelay
import CBelayShim

// MARK: What the rest of the module calls

/// The host is about to change a field, if `code` is no failure. Answers `code`.
func announced(_ owner: OwnerRecord, _ key: UnsafePointer<CChar>, _ code: Code) -> Code {
  if !code.isFailure { belay_guard_announce(owner.address, key) }
  return code
}

/// The host has changed a field. Its observers may write no more than anybody else. Answers `name`.
func revoked(_ owner: OwnerRecord, _ key: UnsafePointer<CChar>, _ name: CText) -> CText {
  belay_guard_revoke(owner.address, key)
  return name
}

/// Belay or a setter is about to write to `object`.
func beginStore(in object: UnsafeMutableRawPointer?) { belay_guard_begin_store(object) }
func endStore(in object: UnsafeMutableRawPointer?) { belay_guard_end_store(object) }

/// Belay is about to read a field.
func settleGuard(of object: UnsafeMutableRawPointer?) { belay_guard_settle(object) }

// MARK: Fields

/// The bytes of a field in the object. One with a getter has some if it has an offset.
private func bytes(of field: belay_field, _ kind: ValueKind) -> belay_guard_field {
  let hasNone = field.get != nil && field.offset == 0
  let size =
    switch kind {
    case _ where hasNone: 0
    case .int8, .uint8: 1
    case .int16, .uint16: 2
    case .bool, .int32, .uint32, .float: 4
    case .int64, .uint64, .double, .pointer, .owner, .weak: 8
    default: MemoryLayout<belay_value>.size
    }
  return belay_guard_field(name: field.name, offset: field.offset, size: size, announced: 0)
}

/// The bytes of the fields. Those of a variable come before those that a getter may have.
private func fields(of type: ObjectType) -> [belay_guard_field] {
  var (variables, others): ([belay_guard_field], [belay_guard_field]) = ([], [])
  type.eachField { field in
    let (field, kind) = field.described
    let bytes = bytes(of: field, kind)
    if field.get == nil { variables.append(bytes) } else { others.append(bytes) }
  }
  return variables + others
}

// MARK: The exported functions

// They repeat the header's declarations, which `@implementation` compares.

@_cdecl("belay_guarded_create")
@implementation
public func belay_guarded_create(_ size: Int) -> UnsafeMutableRawPointer! {
  if size == 0 {
    fail(.invalid)
    return nil
  }
  let made = belay_guard_create(size)
  if made == nil { fail(.noMemory) }
  return made
}

@_cdecl("belay_guarded_destroy")
@implementation
public func belay_guarded_destroy(_ memory: UnsafeMutableRawPointer!) {
  if memory != nil && !belay_guard_destroy(memory) { fail(.invalid) }
}

@_cdecl("belay_object_guard")
@implementation
public func belay_object_guard(_ o: OpaquePointer!) -> Int32 {
  guard let owner = owner(o) else { return fail(invalid(o)) }
  guard let object = owner.address else { return fail(.invalid) }
  guard let type = owner.objectType else { return fail(owner.missing) }
  let name = UInt(bitPattern: o)
  let fields = fields(of: type)
  let code = fields.withUnsafeBufferPointer {
    belay_guard_begin(
      object, name, (owner.label ?? StaticSite("")).pointer, $0.baseAddress, $0.count)
  }
  if code == 0 { owner.add(AnonymousDisposable { belay_guard_end(object, name) }) }
  return answer(Code(rawValue: code > 0 ? 0 : code))
}

@_cdecl("belay_on_unannounced_write")
@implementation
public func belay_on_unannounced_write(
  _ hook: belay_unannounced_write_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> Int32 {
  let isSet = belay_guard_set_hook(
    unsafeBitCast(hook, to: (@convention(c) () -> Void)?.self), ctx, ctx_free)
  return isSet ? 0 : fail(.reentrant)
}

@_cdecl("belay_unannounced_write_count")
@implementation
public func belay_unannounced_write_count() -> UInt64 { belay_guard_count() }
