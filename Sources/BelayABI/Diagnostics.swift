@_spi(Engine) import Belay
import CBelay

@_cdecl("belay_live_count")
@implementation
public func belay_live_count(_ kind: belay_live_kind) -> Int {
  if kind == BELAY_LIVE_KINDS { return Live.total }
  return Live(rawValue: Int32(bitPattern: kind.rawValue))?.count ?? 0
}

@_cdecl("belay_live_kind_name")
@implementation
public func belay_live_kind_name(_ kind: belay_live_kind) -> UnsafePointer<CChar>! {
  StaticSite(Live(rawValue: Int32(bitPattern: kind.rawValue))?.name ?? "unknown").pointer
}

@_cdecl("belay_misuse_count")
@implementation
public func belay_misuse_count() -> UInt64 { UInt64(Misuse.count) }

@_cdecl("belay_lost_count")
@implementation
public func belay_lost_count() -> UInt64 { UInt64(Lost.count) }

@_cdecl("belay_delivery_stack")
@implementation
public func belay_delivery_stack(_ buffer: UnsafeMutablePointer<CChar>!, _ size: Int) -> Int {
  write(DeliveryStack.text, buffer, size)
}

@_cdecl("belay_on_slow_callback")
@implementation
public func belay_on_slow_callback(
  _ limit: Double, _ hook: belay_slow_callback_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> Int32 {
  let context = Context(ctx, ctx_free)
  guard let limit = nanoseconds(limit), limit >= 0 else { return fail(.invalid) }
  SlowCallbackHook.install(
    hook.map { hook in
      SlowCallbackHook(from: limit) { time, name, site in
        name.withCString { name in
          LastFailure.isolating {
            hook(context.pointer, seconds(time), name, site?.pointer)
          }
        }
      }
    })
  return 0
}

@_cdecl("belay_on_overlap")
@implementation
public func belay_on_overlap(
  _ hook: belay_overlap_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> Int32 {
  let context = Context(ctx, ctx_free)
  OverlapHook.install(
    hook.map { hook in
      OverlapHook { overlap, source, sender, site in
        source.withCString { source in
          LastFailure.isolating {
            let kind = belay_overlap(rawValue: UInt32(overlap.rawValue))
            guard let sender else { return hook(context.pointer, kind, source, nil, site?.pointer) }
            sender.withCString { hook(context.pointer, kind, source, $0, site?.pointer) }
          }
        }
      }
    })
  return 0
}
