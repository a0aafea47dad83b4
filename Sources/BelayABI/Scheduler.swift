import Belay
import BelayLoop
import CBelay

@_cdecl("belay_scheduler_retain")
@implementation
public func belay_scheduler_retain(_ s: OpaquePointer!) -> OpaquePointer! { retain(s) }

@_cdecl("belay_scheduler_release")
@implementation
public func belay_scheduler_release(_ s: OpaquePointer!) { release(s) }

@_cdecl("belay_scheduler_immediate")
@implementation
public func belay_scheduler_immediate() -> OpaquePointer! { lend(ImmediateScheduler.shared) }

@_cdecl("belay_scheduler_trampoline")
@implementation
public func belay_scheduler_trampoline() -> OpaquePointer! { lend(TrampolineScheduler.shared) }

@_cdecl("belay_scheduler_create_virtual")
@implementation
public func belay_scheduler_create_virtual() -> OpaquePointer! { give(VirtualScheduler()) }

/// Does something with a virtual scheduler; else answers with what is wrong.
private func advancing(
  _ scheduler: OpaquePointer?, _ body: (VirtualScheduler) -> Code
) -> Int32 {
  guard let any = object(scheduler, Scheduler.self) else { return fail(.invalid) }
  guard let virtual = any as? VirtualScheduler else { return fail(.wrongKind) }
  return answer(LastFailure.isolating { body(virtual) })
}

@_cdecl("belay_scheduler_advance")
@implementation
public func belay_scheduler_advance(_ s: OpaquePointer!, _ seconds: Double) -> Int32 {
  guard let span = nanoseconds(seconds), span >= 0 else { return fail(.invalid) }
  return advancing(s) {
    $0.advance(to: $0.now.addingSaturated(span))
    return .ok
  }
}

@_cdecl("belay_scheduler_flush")
@implementation
public func belay_scheduler_flush(_ s: OpaquePointer!) -> Int32 {
  advancing(s) { $0.flush() ? .ok : .again }
}

@_cdecl("belay_scheduler_current")
@implementation
public func belay_scheduler_current() -> OpaquePointer! {
  lend(Scheduler.running ?? Loop.current?.scheduler)
}

@_cdecl("belay_scheduler_now")
@implementation
public func belay_scheduler_now(_ s: OpaquePointer!) -> Double {
  object(s, Scheduler.self).map { seconds($0.now) } ?? 0
}

/// Work of the host's.
private final class CWork: Work, @unchecked Sendable {
  private let action: belay_action_fn
  private let ctx: UnsafeMutableRawPointer?
  private let ctxFree: FreeFunction?

  init(_ action: @escaping belay_action_fn, _ ctx: UnsafeMutableRawPointer?, _ free: FreeFunction?)
  {
    self.action = action
    self.ctx = ctx
    ctxFree = free
    super.init()
  }

  override func perform() { LastFailure.isolating { action(ctx) } }
  override func drop() { if let ctxFree { LastFailure.isolating { ctxFree(ctx) } } }
}

/// Submits work of the host's by `submit`, and hands out its disposable.
private func schedule(
  _ scheduler: OpaquePointer?, _ action: belay_action_fn?, _ ctx: UnsafeMutableRawPointer?,
  _ free: FreeFunction?, _ disposable: UnsafeMutablePointer<OpaquePointer?>?, isValid: Bool = true,
  _ submit: (Scheduler, Work) -> Code
) -> Int32 {
  disposable?.pointee = nil
  guard let scheduler = object(scheduler, Scheduler.self), let action, isValid else {
    _ = Context(ctx, free)
    return fail(.invalid)
  }
  let work = CWork(action, ctx, free)
  // Handed out first, so that the action can use it.
  disposable?.pointee = give(work)
  let code = submit(scheduler, work)
  if code.isFailure {
    work.dispose()
    if let handle = disposable?.pointee { release(handle) }
    disposable?.pointee = nil
    return fail(code)
  }
  return 0
}

@_cdecl("belay_scheduler_schedule")
@implementation
public func belay_scheduler_schedule(
  _ s: OpaquePointer!, _ action: belay_action_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!, _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  schedule(s, action, ctx, ctx_free, disposable) { $0.submit($1) }
}

@_cdecl("belay_scheduler_after")
@implementation
public func belay_scheduler_after(
  _ s: OpaquePointer!, _ seconds: Double, _ action: belay_action_fn!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  let delay = nanoseconds(seconds)
  return schedule(s, action, ctx, ctx_free, disposable, isValid: delay != nil) {
    $0.submit($1, after: delay ?? 0)
  }
}

@_cdecl("belay_scheduler_every")
@implementation
public func belay_scheduler_every(
  _ s: OpaquePointer!, _ seconds: Double, _ interval: Double, _ leeway: Double,
  _ action: belay_action_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  let (delay, step, slack) = (nanoseconds(seconds), nanoseconds(interval), nanoseconds(leeway))
  let isValid = delay != nil && (step ?? 0) > 0 && slack != nil
  return schedule(s, action, ctx, ctx_free, disposable, isValid: isValid) {
    $0.submit($1, after: delay ?? 0, every: step ?? 0, leeway: slack ?? 0)
  }
}
