@_spi(Engine) import Belay
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares.

/// The host's object of an association, and the function that frees it.
private final class CAssociation: Association, @unchecked Sendable {
  private let free: belay_free_fn?

  init(_ given: belay_association, _ object: UnsafeMutableRawPointer) {
    free = given.free
    super.init(UInt(bitPattern: given.key), UInt(bitPattern: given.kind), object)
  }

  deinit {
    if let free { LastFailure.isolating { free(object) } }
  }
}

@_cdecl("belay_association_set")
@implementation
public func belay_association_set(
  _ o: OpaquePointer!, _ association: UnsafePointer<belay_association>!
) -> Int32 {
  guard let given = known(association), let object = given.object else { return fail(invalid(o)) }
  let isAssigned = given.policy == BELAY_ASSOCIATION_ASSIGN
  // From here on this frees the object, also when the call fails.
  let assigned = isAssigned ? CAssociation(given, object) : nil
  guard let owner = owner(o), given.key != nil else { return fail(invalid(o)) }
  if let assigned { return answer(owner.set(assigned)) }
  guard given.policy == BELAY_ASSOCIATION_RETAIN || given.policy == BELAY_ASSOCIATION_COPY,
    let take = given.take
  else { return fail(.invalid) }
  guard let taken = LastFailure.isolating({ take(object) }) else { return fail(.canceled) }
  return answer(owner.set(CAssociation(given, taken)))
}

@_cdecl("belay_association_get")
@implementation
public func belay_association_get(
  _ o: OpaquePointer!, _ key: UnsafeRawPointer!, _ kind: UnsafeRawPointer!
) -> UnsafeMutableRawPointer! {
  owner(o)?.association(UInt(bitPattern: key), UInt(bitPattern: kind))?.object
}

@_cdecl("belay_association_remove")
@implementation
public func belay_association_remove(
  _ o: OpaquePointer!, _ key: UnsafeRawPointer!, _ kind: UnsafeRawPointer!
) -> Int32 {
  guard let owner = owner(o), let key else { return fail(invalid(o)) }
  return answer(owner.removeAssociation(UInt(bitPattern: key), UInt(bitPattern: kind)))
}
