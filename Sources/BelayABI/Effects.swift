import Belay
import BelayLoop
import CBelay

@_cdecl("belay_op_finally")
@implementation
public func belay_op_finally(
  _ action: belay_action_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let action else { return failed(.invalid) }
  return operation { $0.finally { LastFailure.isolating { action(context.pointer) } } }
}

@_cdecl("belay_op_initially")
@implementation
public func belay_op_initially(
  _ action: belay_action_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let action else { return failed(.invalid) }
  return operation { $0.initially { LastFailure.isolating { action(context.pointer) } } }
}

@_cdecl("belay_op_log")
@implementation
public func belay_op_log(
  _ label: UnsafePointer<CChar>!, _ site: UnsafePointer<CChar>!, _ sink: belay_log_fn!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  let label = label.map { String(cString: $0) }
  let site = site.map { String(cString: $0) }
  var write: ((String) -> Void)?
  if let sink {
    write = { line in
      line.withCString { text in LastFailure.isolating { sink(context.pointer, text) } }
    }
  }
  return operation { [write] in $0.log(label, at: site, describe: { $0.text }, to: write) }
}
