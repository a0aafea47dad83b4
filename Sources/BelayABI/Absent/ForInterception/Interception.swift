@_spi(Engine) import Belay
import CBelay

// The functions of interception in a build without it. No interface can be made, so no other function can get
// a handle, and each fails. It still frees what the caller gives away. The declarations are those of the
// folder Interception, because a library has one of the two folders.

private func refused(
  _ ctx: UnsafeMutableRawPointer?, _ free: FreeFunction?,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>? = nil
) -> Int32 {
  disposable?.pointee = nil
  Context.free(ctx, free)
  return fail(.missing)
}

private func unused(_ value: belay_value) -> Int32 {
  discard(foreign(value))
  return fail(.missing)
}

// MARK: Interface

@_cdecl("belay_interface_create")
@implementation
public func belay_interface_create(_ description: UnsafePointer<belay_interface_description>!)
  -> OpaquePointer!
{ failed(.unsupported, "built without interception") }

@_cdecl("belay_interface_retain")
@implementation
public func belay_interface_retain(_ i: OpaquePointer!) -> OpaquePointer! { nil }

@_cdecl("belay_interface_release")
@implementation
public func belay_interface_release(_ i: OpaquePointer!) {}

@_cdecl("belay_interface_name")
@implementation
public func belay_interface_name(_ i: OpaquePointer!) -> UnsafePointer<CChar>! {
  StaticSite("").pointer
}

@_cdecl("belay_interface_method_count")
@implementation
public func belay_interface_method_count(_ i: OpaquePointer!) -> Int { 0 }

@_cdecl("belay_interface_method")
@implementation
public func belay_interface_method(_ i: OpaquePointer!, _ index: Int) -> UnsafePointer<
  belay_method
>! { nil }

// MARK: Invocation

@_cdecl("belay_invocation_create")
@implementation
public func belay_invocation_create(_ i: OpaquePointer!, _ name: UnsafePointer<CChar>!)
  -> OpaquePointer!
{ failed(.missing) }

@_cdecl("belay_invocation_retain")
@implementation
public func belay_invocation_retain(_ i: OpaquePointer!) -> OpaquePointer! { nil }

@_cdecl("belay_invocation_release")
@implementation
public func belay_invocation_release(_ i: OpaquePointer!) {}

@_cdecl("belay_invocation_method")
@implementation
public func belay_invocation_method(_ i: OpaquePointer!) -> UnsafePointer<CChar>! {
  StaticSite("").pointer
}

@_cdecl("belay_invocation_count")
@implementation
public func belay_invocation_count(_ i: OpaquePointer!) -> Int { 0 }

@_cdecl("belay_invocation_context")
@implementation
public func belay_invocation_context(_ i: OpaquePointer!) -> UnsafeMutableRawPointer! { nil }

@_cdecl("belay_invocation_set_context")
@implementation
public func belay_invocation_set_context(_ i: OpaquePointer!, _ context: UnsafeMutableRawPointer!)
  -> Int32
{ fail(.missing) }

@_cdecl("belay_invocation_get")
@implementation
public func belay_invocation_get(
  _ i: OpaquePointer!, _ index: Int, _ value: UnsafeMutablePointer<belay_value>!
) -> Int32 {
  value?.pointee = exported(.null)
  return fail(.missing)
}

@_cdecl("belay_invocation_set")
@implementation
public func belay_invocation_set(_ i: OpaquePointer!, _ index: Int, _ value: belay_value) -> Int32 {
  unused(value)
}

@_cdecl("belay_invocation_result")
@implementation
public func belay_invocation_result(_ i: OpaquePointer!) -> belay_value { exported(.null) }

@_cdecl("belay_invocation_set_result")
@implementation
public func belay_invocation_set_result(_ i: OpaquePointer!, _ value: belay_value) -> Int32 {
  unused(value)
}

@_cdecl("belay_invocation_retain_arguments")
@implementation
public func belay_invocation_retain_arguments(_ i: OpaquePointer!) -> Int32 { fail(.missing) }

@_cdecl("belay_invocation_call")
@implementation
public func belay_invocation_call(_ i: OpaquePointer!, _ function: belay_function!) -> Int32 {
  fail(.missing)
}

@_cdecl("belay_invocation_proceed")
@implementation
public func belay_invocation_proceed(_ i: OpaquePointer!) -> Int32 { fail(.missing) }

// MARK: Slot

@_cdecl("belay_slot_create_in_table")
@implementation
public func belay_slot_create_in_table(
  _ i: OpaquePointer!, _ table: UnsafeMutableRawPointer!, _ name: UnsafePointer<CChar>!,
  _ flags: UInt32
) -> OpaquePointer! { failed(.missing) }

@_cdecl("belay_slot_create_in_object")
@implementation
public func belay_slot_create_in_object(
  _ i: OpaquePointer!, _ o: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> OpaquePointer! { failed(.missing) }

@_cdecl("belay_slot_retain")
@implementation
public func belay_slot_retain(_ s: OpaquePointer!) -> OpaquePointer! { nil }

@_cdecl("belay_slot_release")
@implementation
public func belay_slot_release(_ s: OpaquePointer!) {}

@_cdecl("belay_table_gone")
@implementation
public func belay_table_gone(_ table: UnsafeMutableRawPointer!) -> Int32 {
  fail(table == nil ? .invalid : .notFound)
}

@_cdecl("belay_slot_sent")
@implementation
public func belay_slot_sent(_ s: OpaquePointer!) -> OpaquePointer! { failed(.missing) }

@_cdecl("belay_slot_invoked")
@implementation
public func belay_slot_invoked(_ s: OpaquePointer!) -> OpaquePointer! { failed(.missing) }

@_cdecl("belay_slot_around")
@implementation
public func belay_slot_around(
  _ s: OpaquePointer!, _ around: belay_around_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!, _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 { refused(ctx, ctx_free, disposable) }

@_cdecl("belay_slot_respond")
@implementation
public func belay_slot_respond(
  _ s: OpaquePointer!, _ respond: belay_respond_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!, _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 { refused(ctx, ctx_free, disposable) }

@_cdecl("belay_slot_context")
@implementation
public func belay_slot_context(_ call: belay_value) -> UnsafeMutableRawPointer! {
  fail(.wrongKind)
  return nil
}

@_cdecl("belay_function_create")
@implementation
public func belay_function_create(
  _ letters: UnsafePointer<CChar>!, _ o: OpaquePointer!, _ call: belay_respond_fn!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> belay_function! {
  disposable?.pointee = nil
  Context.free(ctx, ctx_free)
  fail(.unsupported, "built without interception")
  return nil
}

@_cdecl("belay_slot_set_default")
@implementation
public func belay_slot_set_default(_ s: OpaquePointer!, _ value: belay_value) -> Int32 {
  unused(value)
}

@_cdecl("belay_slot_set_combiner")
@implementation
public func belay_slot_set_combiner(
  _ s: OpaquePointer!, _ combine: belay_combine_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> Int32 { refused(ctx, ctx_free) }

@_cdecl("belay_slot_connect")
@implementation
public func belay_slot_connect(
  _ s: OpaquePointer!, _ letters: UnsafePointer<CChar>!, _ function: belay_function!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 { refused(ctx, ctx_free, disposable) }

@_cdecl("belay_slot_status")
@implementation
public func belay_slot_status(_ s: OpaquePointer!) -> Int32 { fail(.missing) }

@_cdecl("belay_slot_original")
@implementation
public func belay_slot_original(_ s: OpaquePointer!) -> belay_function! { nil }

// MARK: Responder

@_cdecl("belay_object_set_responder")
@implementation
public func belay_object_set_responder(
  _ o: OpaquePointer!, _ responder: UnsafePointer<belay_responder>!
) -> Int32 {
  guard let given = known(responder) else { return fail(invalid(o)) }
  Context.free(given.ctx, given.ctx_free)
  return o == nil ? fail(.missing) : fail(.unsupported, "built without interception")
}

@_cdecl("belay_object_responds")
@implementation
public func belay_object_responds(_ o: OpaquePointer!, _ name: UnsafePointer<CChar>!) -> Int32 { 0 }

@_cdecl("belay_invocation_send")
@implementation
public func belay_invocation_send(_ i: OpaquePointer!, _ o: OpaquePointer!) -> Int32 {
  fail(.missing)
}

// MARK: Proxy

@_cdecl("belay_proxy_create")
@implementation
public func belay_proxy_create(_ o: OpaquePointer!, _ i: OpaquePointer!) -> OpaquePointer! {
  failed(.missing)
}

@_cdecl("belay_proxy_retain")
@implementation
public func belay_proxy_retain(_ p: OpaquePointer!) -> OpaquePointer! { nil }

@_cdecl("belay_proxy_release")
@implementation
public func belay_proxy_release(_ p: OpaquePointer!) {}

@_cdecl("belay_proxy_table")
@implementation
public func belay_proxy_table(_ p: OpaquePointer!) -> UnsafeRawPointer! { nil }

@_cdecl("belay_proxy_forward_to")
@implementation
public func belay_proxy_forward_to(
  _ p: OpaquePointer!, _ table: UnsafeRawPointer!, _ delegate: OpaquePointer!
) -> Int32 { fail(.missing) }

@_cdecl("belay_proxy_around")
@implementation
public func belay_proxy_around(
  _ p: OpaquePointer!, _ around: belay_around_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!, _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 { refused(ctx, ctx_free, disposable) }

@_cdecl("belay_slot_create_in_proxy")
@implementation
public func belay_slot_create_in_proxy(_ p: OpaquePointer!, _ name: UnsafePointer<CChar>!)
  -> OpaquePointer!
{ failed(.missing) }
