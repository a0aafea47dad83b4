@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay
import Synchronization

// The exported functions repeat the header's declarations, which `@implementation` compares.

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

@_cdecl("belay_scheduler_create_pool")
@implementation
public func belay_scheduler_create_pool(_ l: OpaquePointer!) -> OpaquePointer! {
  guard let loop = object(l, Loop.self) else { return failed(invalid(l)) }
  return give(PoolScheduler(on: loop))
}

@_cdecl("belay_scheduler_create_subscription")
@implementation
public func belay_scheduler_create_subscription(_ background: OpaquePointer!) -> OpaquePointer! {
  guard let background = object(background, Scheduler.self) else {
    return failed(invalid(background))
  }
  return give(SubscriptionScheduler(background: background))
}

/// A loop that the host has described by a table of functions.
private final class CLoop: HostLoop, @unchecked Sendable {
  private let table: belay_scheduler_table
  private let context: Context
  private var timer: UnsafeMutableRawPointer?

  init(_ table: belay_scheduler_table, _ context: Context) {
    self.table = table
    self.context = context
    super.init()
    label = StaticSite(at: table.label)
    site = StaticSite(at: table.site)
    if table.capacity != 0 { capacity = table.capacity < 0 ? .max : table.capacity }
    isSilent = table.quiet != 0
  }

  private static var run: belay_action_fn {
    { work in
      guard let work else { return }
      Unmanaged<HostWork>.fromOpaque(work)._withUnsafeGuaranteedRef { $0.run() }
    }
  }

  private static var free: FreeFunction {
    { work in if let work { Unmanaged<HostWork>.fromOpaque(work).release() } }
  }

  private func lend(_ work: HostWork) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(work).toOpaque()
  }

  override func schedule(_ work: HostWork) {
    table.schedule(context.pointer, Self.run, lend(work), Self.free)
  }

  override func start(_ work: HostWork, after span: Int64) {
    timer = table.after(context.pointer, seconds(span), Self.run, lend(work), Self.free)
  }

  override func cancel() { table.cancel?(context.pointer, timer) }

  override var now: Instant {
    guard let now = table.now else { return super.now }
    return nanoseconds(now(context.pointer)) ?? 0
  }
}

@_cdecl("belay_scheduler_create_host")
@implementation
public func belay_scheduler_create_host(
  _ table: UnsafePointer<belay_scheduler_table>!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let given = known(table), given.schedule != nil, given.after != nil else {
    return failed(.invalid)
  }
  let loop = CLoop(given, context)
  return giving { () throws(Failure) in try HostScheduler.bind(loop) }
}

@_cdecl("belay_scheduler_close")
@implementation
public func belay_scheduler_close(
  _ s: OpaquePointer!, _ closed: belay_closed_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> Int32 {
  let report = closedReport(closed, Context(ctx, ctx_free))
  guard let any = object(s, Scheduler.self) else { return fail(invalid(s)) }
  guard let scheduler = any as? HostScheduler else { return fail(.wrongKind) }
  return answer(scheduler.close(report))
}

/// Calls `body` with a virtual scheduler. Answers the code for another scheduler, or none.
private func advancing(
  _ scheduler: OpaquePointer?, _ body: (VirtualScheduler) -> Code
) -> Int32 {
  guard let any = object(scheduler, Scheduler.self) else { return fail(invalid(scheduler)) }
  guard let virtual = any as? VirtualScheduler else { return fail(.wrongKind) }
  return answer(LastFailure.isolating { body(virtual) })
}

@_cdecl("belay_scheduler_advance")
@implementation
public func belay_scheduler_advance(_ s: OpaquePointer!, _ seconds: Double) -> Int32 {
  advancing(s) {
    guard let span = nanoseconds(seconds), span >= 0 else { return .invalid }
    return $0.advance(to: $0.now.addingSaturated(span))
  }
}

@_cdecl("belay_scheduler_flush")
@implementation
public func belay_scheduler_flush(_ s: OpaquePointer!) -> Int32 {
  advancing(s) { $0.flushing() }
}

@_cdecl("belay_scheduler_step")
@implementation
public func belay_scheduler_step(_ s: OpaquePointer!, _ count: Int) -> Int32 {
  // Swift has a size_t as an Int.
  let most = count < 0 ? Int(Int32.max) : min(count, Int(Int32.max))
  return advancing(s) {
    let (done, code) = $0.stepping(most)
    return code.isFailure ? code : Code(rawValue: Int32(done))
  }
}

@_cdecl("belay_scheduler_current")
@implementation
public func belay_scheduler_current() -> OpaquePointer! {
  lend(Scheduler.current)
}

@_cdecl("belay_scheduler_now")
@implementation
public func belay_scheduler_now(_ s: OpaquePointer!) -> Double {
  object(s, Scheduler.self).map { seconds($0.now) } ?? 0
}

@_cdecl("belay_scheduler_queue_high_water")
@implementation
public func belay_scheduler_queue_high_water(_ s: OpaquePointer!) -> Int {
  object(s, Scheduler.self)?.queueHighWater ?? 0
}

/// Work that runs an action of the host's.
final class CWork: Work, @unchecked Sendable {
  private let action: belay_action_fn
  // Any thread may name it.
  private let label = Atomic<Int>(0)
  private let site = Atomic<Int>(0)
  private let ctx: UnsafeMutableRawPointer?
  private let ctxFree: FreeFunction?

  init(_ action: @escaping belay_action_fn, _ ctx: UnsafeMutableRawPointer?, _ free: FreeFunction?)
  {
    self.action = action
    self.ctx = ctx
    ctxFree = free
    super.init()
  }

  override var origin: Origin {
    func text(_ word: borrowing Atomic<Int>) -> StaticSite? {
      StaticSite(at: UnsafePointer(bitPattern: word.load(ordering: .relaxed)))
    }
    return Origin(label: text(label), site: text(site))
  }

  func name(_ label: UnsafePointer<CChar>?, _ site: UnsafePointer<CChar>?) {
    self.label.store(Int(bitPattern: label), ordering: .relaxed)
    self.site.store(Int(bitPattern: site), ordering: .relaxed)
  }

  override func perform() { LastFailure.isolating { action(ctx) } }
  override func drop() { if let ctxFree { LastFailure.isolating { ctxFree(ctx) } } }
}

/// Makes work of the host's action, and submits it by `submit`. Gives the caller its disposable.
private func schedule(
  _ scheduler: OpaquePointer?, _ action: belay_action_fn?, _ ctx: UnsafeMutableRawPointer?,
  _ free: FreeFunction?, _ disposable: UnsafeMutablePointer<OpaquePointer?>?, isValid: Bool = true,
  _ submit: (Scheduler, Work) -> Code
) -> Int32 {
  disposable?.pointee = nil
  guard let scheduler = object(scheduler, Scheduler.self), let action, isValid else {
    _ = Context(ctx, free)
    return fail(invalid(scheduler))
  }
  let work = CWork(action, ctx, free)
  return handOut(work, disposable) { submit(scheduler, work) }
}

/// Gives the caller the disposable of `work`, and then submits it, so that the action can use the disposable.
private func handOut(
  _ work: Work, _ disposable: UnsafeMutablePointer<OpaquePointer?>?, _ submit: () -> Code
) -> Int32 {
  disposable?.pointee = give(work)
  let code = submit()
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
  let isValid = delay != nil && interval > 0 && leeway >= 0
  return schedule(s, action, ctx, ctx_free, disposable, isValid: isValid) {
    $0.submit($1, after: delay ?? 0, every: step ?? 0, leeway: slack ?? 0)
  }
}

@_cdecl("belay_scheduler_recursive")
@implementation
public func belay_scheduler_recursive(
  _ s: OpaquePointer!, _ action: belay_recursive_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!, _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  disposable?.pointee = nil
  let context = Context(ctx, ctx_free)
  guard let scheduler = object(s, Scheduler.self), let action else { return fail(invalid(s)) }
  let work = RecursiveWork(on: scheduler) { recursion in
    LastFailure.isolating { action(context.pointer, lend(recursion)) }
  }
  return handOut(work, disposable) { work.start() }
}

@_cdecl("belay_recursion_again")
@implementation
public func belay_recursion_again(_ r: OpaquePointer!) -> Int32 {
  guard let recursion = object(r, Recursion.self) else { return fail(invalid(r)) }
  return answer(recursion.again())
}

@_cdecl("belay_recursion_retain")
@implementation
public func belay_recursion_retain(_ r: OpaquePointer!) -> OpaquePointer! { retain(r) }

@_cdecl("belay_recursion_release")
@implementation
public func belay_recursion_release(_ r: OpaquePointer!) { release(r) }
