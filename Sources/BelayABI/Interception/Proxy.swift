@_spi(Engine) import Belay
import CBelay

private func proxy(_ handle: OpaquePointer?) -> DelegateProxy? {
  object(handle, DelegateProxy.self)
}

@_cdecl("belay_proxy_create")
@implementation
public func belay_proxy_create(_ o: OpaquePointer!, _ i: OpaquePointer!) -> OpaquePointer! {
  guard let owner = owner(o), let interface = interface(i) else { return failed(invalid(o, i)) }
  return giving { () throws(Failure) in try DelegateProxy.of(owner, interface) }
}

@_cdecl("belay_proxy_retain")
@implementation
public func belay_proxy_retain(_ p: OpaquePointer!) -> OpaquePointer! { retain(p) }

@_cdecl("belay_proxy_release")
@implementation
public func belay_proxy_release(_ p: OpaquePointer!) { release(p) }

@_cdecl("belay_proxy_table")
@implementation
public func belay_proxy_table(_ p: OpaquePointer!) -> UnsafeRawPointer! {
  proxy(p).map { UnsafeRawPointer($0.table) }
}

@_cdecl("belay_proxy_forward_to")
@implementation
public func belay_proxy_forward_to(
  _ p: OpaquePointer!, _ table: UnsafeRawPointer!, _ delegate: OpaquePointer!
) -> Int32 {
  guard let proxy = proxy(p) else { return fail(invalid(p)) }
  return explained { proxy.forward(to: table, of: owner(delegate)) }
}

@_cdecl("belay_proxy_around")
@implementation
public func belay_proxy_around(
  _ p: OpaquePointer!, _ around: belay_around_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!, _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  let proxy = proxy(p)
  return intercept(p, isGiven: proxy != nil && around != nil, ctx, ctx_free, disposable) {
    (context) throws(Failure) in
    try proxy.unsafelyUnwrapped.around(interceptor(around, context))
  }
}

@_cdecl("belay_slot_create_in_proxy")
@implementation
public func belay_slot_create_in_proxy(
  _ p: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> OpaquePointer! {
  guard let proxy = proxy(p), let name else { return failed(invalid(p)) }
  return giving { () throws(Failure) in
    try proxy.slot(of: interceptable(proxy.interface, name))
  }
}
