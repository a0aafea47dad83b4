@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay

@_cdecl("belay_op_do")
@implementation
public func belay_op_do(_ observer: UnsafePointer<belay_observer>!) -> OpaquePointer! {
  guard let observer = known(observer) else { return failed(.invalid) }
  let context = Context(observer.ctx, observer.ctx_free)
  if observer.next_batch != nil || observer.owner != nil {
    return failed(.invalid, "do has neither next_batch nor owner")
  }
  let (next, error, completed) = (observer.next, observer.error, observer.completed)
  let disposed = observer.disposed
  return operation {
    $0.do(
      next: { (input: ForeignValue) throws(Failure) in
        try calling { next?(context.pointer, exported(input)) }
      },
      error: { (failure: Failure) throws(Failure) in
        try calling { error?(context.pointer, lend(failure)) }
      },
      completed: { () throws(Failure) in try calling { completed?(context.pointer) } },
      disposed: { LastFailure.isolating { disposed?(context.pointer) } })
  }
}

/// Calls a callback without a result. Throws the failure that it has set on purpose.
@inline(never)
private func calling(_ callback: () -> Void) throws(Failure) {
  let failure = LastFailure.isolating {
    callback()
    return LastFailure.takeDeliberate()
  }
  if let failure { throw failure }
}

@_cdecl("belay_op_finally")
@implementation
public func belay_op_finally(
  _ action: belay_action_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.finally, code(action), ctx, ctx_free)
}

@_cdecl("belay_op_initially")
@implementation
public func belay_op_initially(
  _ action: belay_action_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.initially, code(action), ctx, ctx_free)
}

@_cdecl("belay_op_log")
@implementation
public func belay_op_log(
  _ label: UnsafePointer<CChar>!, _ site: UnsafePointer<CChar>!, _ sink: belay_log_fn!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  let label = label.map { Text(cString: $0) }
  let site = site.map { Text(cString: $0) }
  var write: ((Text) -> Void)?
  if let sink {
    write = { line in
      line.withCString { text in LastFailure.isolating { sink(context.pointer, text) } }
    }
  }
  return operation { [write] in $0.log(label, at: site, describe: { $0.text }, to: write) }
}

@_cdecl("belay_op_breakpoint")
@implementation
public func belay_op_breakpoint(
  _ next: belay_predicate_fn!, _ error: belay_stop_at_error_fn!, _ completed: belay_stop_fn!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  func asked(_ body: () -> Int32?) -> Bool {
    defer { extendLifetime(context) }
    return LastFailure.isolating(body) == 1
  }
  return operation {
    $0.breakpoint(
      next: { value in asked { next?(ctx, exported(value)) } },
      error: { failure in asked { error?(ctx, lend(failure)) } },
      completed: { asked { completed?(ctx) } })
  }
}

@_cdecl("belay_op_breakpoint_on_error")
@implementation
public func belay_op_breakpoint_on_error() -> OpaquePointer! {
  operation(.breakpointOnError)
}
