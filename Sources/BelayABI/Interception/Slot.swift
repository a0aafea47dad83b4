@_spi(Engine) import Belay
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares.

func slot(_ handle: OpaquePointer?) -> MethodSlot? { object(handle, MethodSlot.self) }

/// The method of that name. Throws if there is none, or if it must not be intercepted.
func interceptable(
  _ interface: Interface, _ name: UnsafePointer<CChar>
) throws(Failure) -> Method {
  guard let method = interface.method(name) else {
    throw Failure(
      .notFound, message: "\(interface.name.text) has no method \(Text(cString: name))")
  }
  try method.requireInterceptable()
  return method
}

@_cdecl("belay_slot_create_in_table")
@implementation
public func belay_slot_create_in_table(
  _ i: OpaquePointer!, _ table: UnsafeMutableRawPointer!, _ name: UnsafePointer<CChar>!,
  _ flags: UInt32
) -> OpaquePointer! {
  guard let interface = interface(i), let table, let name,
    UInt(bitPattern: table) % UInt(MemoryLayout<UInt>.alignment) == 0,
    flags & ~BELAY_SLOT_UNPROTECT.rawValue == 0
  else { return failed(invalid(i)) }
  return giving { () throws(Failure) in
    try TableSlot.at(interceptable(interface, name), in: table, unprotects: flags != 0)
  }
}

@_cdecl("belay_slot_create_in_object")
@implementation
public func belay_slot_create_in_object(
  _ i: OpaquePointer!, _ o: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> OpaquePointer! {
  guard let interface = interface(i), let owner = owner(o), let name else {
    return failed(invalid(i, o))
  }
  return giving { () throws(Failure) in
    try MethodSlot.of(owner, interceptable(interface, name), interface)
  }
}

@_cdecl("belay_slot_retain")
@implementation
public func belay_slot_retain(_ s: OpaquePointer!) -> OpaquePointer! { retain(s) }

@_cdecl("belay_slot_release")
@implementation
public func belay_slot_release(_ s: OpaquePointer!) { release(s) }

@_cdecl("belay_table_gone")
@implementation
public func belay_table_gone(_ table: UnsafeMutableRawPointer!) -> Int32 {
  guard let table else { return fail(.invalid) }
  return answer(TableSlot.tableIsGone(table))
}

@_cdecl("belay_slot_sent")
@implementation
public func belay_slot_sent(_ s: OpaquePointer!) -> OpaquePointer! {
  slot(s).map { give($0.sent) } ?? failed(.missing)
}

@_cdecl("belay_slot_invoked")
@implementation
public func belay_slot_invoked(_ s: OpaquePointer!) -> OpaquePointer! {
  slot(s).map { give($0.invoked) } ?? failed(.missing)
}

@_cdecl("belay_slot_context")
@implementation
public func belay_slot_context(_ call: belay_value) -> UnsafeMutableRawPointer! {
  guard let box = foreign(call).entity as? CallBox else {
    fail(.wrongKind)
    return nil
  }
  return box.object
}

/// Begins an interception by a callback of the host's; the target and the callback must be given. Gives the
/// caller the disposable that ends it.
@inline(never)
func intercept(
  _ handle: OpaquePointer?, isGiven: Bool, _ ctx: UnsafeMutableRawPointer?,
  _ ctxFree: FreeFunction?, _ disposable: UnsafeMutablePointer<OpaquePointer?>?,
  _ begin: (Context) throws(Failure) -> (code: Code, hook: Disposable)
) -> Int32 {
  let context = Context(ctx, ctxFree)
  disposable?.pointee = nil
  guard isGiven else { return fail(invalid(handle)) }
  return explained {
    do throws(Failure) {
      let (code, hook) = try begin(context)
      if !code.isFailure { disposable?.pointee = give(hook) }
      return code
    } catch {
      return LastFailure.record(error)
    }
  }
}

/// The value that a callback answers. Records its failure, and answers null, if it throws.
@discardableResult
private func answered(_ callback: () throws(Failure) -> ForeignValue) -> ForeignValue {
  do throws(Failure) {
    return try callback()
  } catch {
    fail(error)
    return .null
  }
}

func interceptor(_ around: belay_around_fn?, _ context: Context) -> (Invocation) -> Void {
  { invocation in
    answered { () throws(Failure) in
      _ = try truth { around.unsafelyUnwrapped(context.pointer, lend(invocation)) }
      return .null
    }
  }
}

private func responder(
  _ respond: belay_respond_fn?, _ context: Context
) -> (Invocation) -> ForeignValue {
  { invocation in
    answered { () throws(Failure) in
      try value { respond.unsafelyUnwrapped(context.pointer, lend(invocation)) }
    }
  }
}

@_cdecl("belay_slot_around")
@implementation
public func belay_slot_around(
  _ s: OpaquePointer!, _ around: belay_around_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!, _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  let slot = slot(s)
  return intercept(s, isGiven: slot != nil && around != nil, ctx, ctx_free, disposable) { context in
    slot.unsafelyUnwrapped.around(interceptor(around, context))
  }
}

@_cdecl("belay_slot_respond")
@implementation
public func belay_slot_respond(
  _ s: OpaquePointer!, _ respond: belay_respond_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!, _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  let slot = slot(s)
  return intercept(s, isGiven: slot != nil && respond != nil, ctx, ctx_free, disposable) {
    context in
    slot.unsafelyUnwrapped.respond(responder(respond, context))
  }
}

@_cdecl("belay_function_create")
@implementation
public func belay_function_create(
  _ letters: UnsafePointer<CChar>!, _ o: OpaquePointer!, _ call: belay_respond_fn!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> belay_function! {
  var function: belay_function?
  _ = intercept(nil, isGiven: letters != nil && call != nil, ctx, ctx_free, disposable) {
    (context) throws(Failure) in
    let made = try MethodSlot.function(
      Shape(StaticSite(at: letters)), responder(call, context))
    if let owner = owner(o), owner.add(made.hook) == 0 { return (.dead, made.hook) }
    function = made.function
    return (.ok, made.hook)
  }
  return function
}

@_cdecl("belay_slot_set_default")
@implementation
public func belay_slot_set_default(_ s: OpaquePointer!, _ value: belay_value) -> Int32 {
  giving(value, to: slot(s)) { $0.setDefault($1) }
}

@_cdecl("belay_slot_set_combiner")
@implementation
public func belay_slot_set_combiner(
  _ s: OpaquePointer!, _ combine: belay_combine_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> Int32 {
  let context = Context(ctx, ctx_free)
  guard let slot = slot(s) else { return fail(invalid(s)) }
  guard let combine else {
    slot.combiner = nil
    return 0
  }
  slot.combiner = { answers in
    answered { () throws(Failure) in
      try lending(answers) { (items, count) throws(Failure) in
        try value { combine(context.pointer, items, count) }
      }
    }
  }
  return 0
}

@_cdecl("belay_slot_connect")
@implementation
public func belay_slot_connect(
  _ s: OpaquePointer!, _ letters: UnsafePointer<CChar>!, _ function: belay_function!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  let slot = slot(s)
  let isGiven = slot != nil && letters != nil && function != nil
  return intercept(s, isGiven: isGiven, ctx, ctx_free, disposable) { (context) throws(Failure) in
    try slot.unsafelyUnwrapped.connect(
      Shape(StaticSite(at: letters)), function, context: context.pointer, holding: context)
  }
}

@_cdecl("belay_slot_status")
@implementation
public func belay_slot_status(_ s: OpaquePointer!) -> Int32 {
  slot(s)?.status.rawValue ?? fail(.missing)
}

@_cdecl("belay_slot_original")
@implementation
public func belay_slot_original(_ s: OpaquePointer!) -> belay_function! {
  slot(s)?.originalFunction
}
