@_spi(Engine) import Belay
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares.

@_cdecl("belay_owner_event_watch")
@implementation
public func belay_owner_event_watch(
  _ w: OpaquePointer!, _ s: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ level: Int32,
  _ handler: belay_owner_event_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> Int32 {
  let context = Context(ctx, ctx_free)
  guard let watcher = owner(w), let source = owner(s), let name, let handler else {
    return fail(invalid(w, s))
  }
  let text = CText(copying: name)
  return answer(
    watcher.watch(source, text, level: level) { value in
      var event = belay_owner_event(
        size: MemoryLayout<belay_owner_event>.size, name: text.pointer, object: source.address,
        watcher: watcher.address,
        user_info: exported(value))
      LastFailure.isolating { handler(context.pointer, &event) }
    })
}

/// Ends the watches that fit the arguments. Refuses the call unless it `isComplete`. NULL for the source
/// means any source; a source that was released does not.
@inline(never)
private func unwatch(
  _ w: OpaquePointer?, _ s: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ level: Int32?,
  isComplete: Bool
) -> Int32 {
  let source = owner(s)
  guard isComplete, let watcher = owner(w), s == nil || source != nil else {
    return fail(s == nil ? invalid(w) : invalid(w, s))
  }
  return answer(watcher.unwatch(WatchFilter(source, name, level: level)))
}

@_cdecl("belay_owner_event_unwatch")
@implementation
public func belay_owner_event_unwatch(
  _ w: OpaquePointer!, _ s: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ level: Int32
) -> Int32 {
  unwatch(w, s, name, level, isComplete: s != nil && name != nil)
}

@_cdecl("belay_owner_event_unwatch_name")
@implementation
public func belay_owner_event_unwatch_name(
  _ w: OpaquePointer!, _ s: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> Int32 {
  unwatch(w, s, name, nil, isComplete: s != nil && name != nil)
}

@_cdecl("belay_owner_event_unwatch_source")
@implementation
public func belay_owner_event_unwatch_source(_ w: OpaquePointer!, _ s: OpaquePointer!) -> Int32 {
  unwatch(w, s, nil, nil, isComplete: s != nil)
}

@_cdecl("belay_owner_event_unwatch_all")
@implementation
public func belay_owner_event_unwatch_all(_ w: OpaquePointer!) -> Int32 {
  unwatch(w, nil, nil, nil, isComplete: true)
}

@_cdecl("belay_owner_event_post")
@implementation
public func belay_owner_event_post(
  _ s: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ user_info: belay_value
) -> Int32 {
  let value = foreign(user_info)
  defer { discard(value) }
  guard let source = owner(s), let name else { return fail(invalid(s)) }
  return answer(LastFailure.isolating { source.post(CText(copying: name), value) })
}
