@_spi(Engine) import Belay
import CBelay

/// A responder that calls C functions.
private final class CResponder: Responder, @unchecked Sendable {
  private let given: belay_responder
  private let context: Context

  init(_ given: belay_responder) {
    self.given = given
    context = Context(given.ctx, given.ctx_free)
    super.init(interface(given.interface), UnsafeMutableRawPointer(mutating: given.table))
  }

  override func resolve(
    _ object: UnsafeMutableRawPointer, _ method: StaticSite
  ) -> (@convention(c) () -> Void)? {
    guard let resolve = given.resolve else { return nil }
    return LastFailure.isolating { resolve(context.pointer, object, method.pointer) }
  }

  override func target(
    _ object: UnsafeMutableRawPointer, _ method: StaticSite
  ) -> OwnerRecord? {
    guard let target = given.target else { return nil }
    return owner(LastFailure.isolating { target(context.pointer, object, method.pointer) })
  }

  override func forward(_ object: UnsafeMutableRawPointer, _ invocation: Invocation) -> Code {
    guard let forward = given.forward else { return .notFound }
    let (answer, failure) = LastFailure.collecting {
      forward(context.pointer, object, lend(invocation))
    }
    invocation.told = failure
    return Code(rawValue: answer)
  }
}

@_cdecl("belay_object_set_responder")
@implementation
public func belay_object_set_responder(
  _ o: OpaquePointer!, _ responder: UnsafePointer<belay_responder>!
) -> Int32 {
  guard let given = known(responder) else { return fail(invalid(o)) }
  // From here on this frees the context, also when the call fails.
  let made = CResponder(given)
  guard let owner = owner(o), given.table == nil || given.interface != nil,
    UInt(bitPattern: given.table) % UInt(MemoryLayout<UInt>.alignment) == 0
  else { return fail(invalid(o)) }
  return answer(owner.set(made))
}

@_cdecl("belay_object_responds")
@implementation
public func belay_object_responds(
  _ o: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> Int32 {
  guard let owner = owner(o), let name = StaticSite(at: name) else { return 0 }
  return owner.responds(to: name) ? 1 : 0
}

@_cdecl("belay_invocation_send")
@implementation
public func belay_invocation_send(_ i: OpaquePointer!, _ o: OpaquePointer!) -> Int32 {
  guard let invocation = invocation(i), let owner = owner(o) else { return fail(invalid(i, o)) }
  do throws(Failure) {
    try invocation.send(to: owner)
    return 0
  } catch {
    return fail(error)
  }
}
