@_spi(Engine) import Belay
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares.

func invocation(_ handle: OpaquePointer?) -> Invocation? { object(handle, Invocation.self) }

@_cdecl("belay_invocation_create")
@implementation
public func belay_invocation_create(
  _ i: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> OpaquePointer! {
  guard let interface = interface(i), let name else { return failed(invalid(i)) }
  guard let method = interface.method(name) else { return failed(.notFound) }
  return give(Invocation(method))
}

@_cdecl("belay_invocation_retain")
@implementation
public func belay_invocation_retain(_ i: OpaquePointer!) -> OpaquePointer! { retain(i) }

@_cdecl("belay_invocation_release")
@implementation
public func belay_invocation_release(_ i: OpaquePointer!) { release(i) }

@_cdecl("belay_invocation_method")
@implementation
public func belay_invocation_method(_ i: OpaquePointer!) -> UnsafePointer<CChar>! {
  invocation(i)?.method.name.pointer ?? StaticSite("").pointer
}

@_cdecl("belay_invocation_count")
@implementation
public func belay_invocation_count(_ i: OpaquePointer!) -> Int { invocation(i)?.count ?? 0 }

@_cdecl("belay_invocation_context")
@implementation
public func belay_invocation_context(_ i: OpaquePointer!) -> UnsafeMutableRawPointer! {
  invocation(i)?.context
}

@_cdecl("belay_invocation_set_context")
@implementation
public func belay_invocation_set_context(
  _ i: OpaquePointer!, _ context: UnsafeMutableRawPointer!
) -> Int32 {
  guard let invocation = invocation(i) else { return fail(invalid(i)) }
  return answer(invocation.setContext(context))
}

@_cdecl("belay_invocation_get")
@implementation
public func belay_invocation_get(
  _ i: OpaquePointer!, _ index: Int, _ value: UnsafeMutablePointer<belay_value>!
) -> Int32 {
  value?.pointee = exported(.null)
  guard let invocation = invocation(i), let value else { return fail(invalid(i)) }
  guard let argument = invocation.argument(index) else { return fail(.range) }
  value.pointee = exported(argument)
  return 0
}

@_cdecl("belay_invocation_set")
@implementation
public func belay_invocation_set(
  _ i: OpaquePointer!, _ index: Int, _ value: belay_value
) -> Int32 {
  giving(value, to: invocation(i)) { $0.setArgument(index, $1) }
}

@_cdecl("belay_invocation_result")
@implementation
public func belay_invocation_result(_ i: OpaquePointer!) -> belay_value {
  exported(invocation(i)?.resultValue ?? .null)
}

@_cdecl("belay_invocation_set_result")
@implementation
public func belay_invocation_set_result(_ i: OpaquePointer!, _ value: belay_value) -> Int32 {
  giving(value, to: invocation(i)) { $0.setResult($1) }
}

@_cdecl("belay_invocation_retain_arguments")
@implementation
public func belay_invocation_retain_arguments(_ i: OpaquePointer!) -> Int32 {
  guard let invocation = invocation(i) else { return fail(invalid(i)) }
  invocation.retainArguments()
  return 0
}

@_cdecl("belay_invocation_call")
@implementation
public func belay_invocation_call(_ i: OpaquePointer!, _ function: belay_function!) -> Int32 {
  guard let invocation = invocation(i), let function else { return fail(invalid(i)) }
  LastFailure.isolating { invocation.call(function) }
  return 0
}

@_cdecl("belay_invocation_proceed")
@implementation
public func belay_invocation_proceed(_ i: OpaquePointer!) -> Int32 {
  guard let invocation = invocation(i) else { return fail(invalid(i)) }
  return answer(LastFailure.isolating { invocation.proceed() })
}
