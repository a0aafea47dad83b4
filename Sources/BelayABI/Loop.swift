@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay
import CLibuv

// The exported functions repeat the header's declarations, which `@implementation` compares.

/// The loop behind a handle, if it is open and this is its thread. Otherwise nil, and `code` says why.
private func here(_ handle: OpaquePointer?, _ code: inout Code) -> LoopCore? {
  guard let loop = object(handle, Loop.self) else {
    code = .missing
    return nil
  }
  do throws(Failure) { return try loop.here() } catch {
    code = error.code
    return nil
  }
}

/// The same. Records why it is nil.
func here(_ handle: OpaquePointer?) -> LoopCore? {
  var code = Code.ok
  let core = here(handle, &code)
  if core == nil { fail(code) }
  return core
}

private func loopOptions(_ options: UnsafePointer<belay_loop_options>?) -> LoopOptions? {
  var made = LoopOptions()
  guard let options else { return made }
  guard let given = known(options) else {
    fail(.invalid)
    return nil
  }
  made.label = StaticSite(at: given.label)
  made.site = StaticSite(at: given.site)
  if given.capacity != 0 { made.capacity = given.capacity < 0 ? .max : given.capacity }
  made.isPersistent = given.persistent != 0
  made.isSilent = given.quiet != 0
  made.uvVersion = given.uv_version
  return made
}

@_cdecl("belay_loop_create")
@implementation
public func belay_loop_create(_ options: UnsafePointer<belay_loop_options>!) -> OpaquePointer! {
  guard let options = loopOptions(options) else { return nil }
  return giving { () throws(Failure) in try Loop(options) }
}

@_cdecl("belay_loop_adopt")
@implementation
public func belay_loop_adopt(
  _ uv: UnsafeMutablePointer<uv_loop_s>!, _ options: UnsafePointer<belay_loop_options>!
) -> OpaquePointer! {
  guard let uv else { return failed(.invalid) }
  guard let options = loopOptions(options) else { return nil }
  return giving { () throws(Failure) in try Loop(adopting: uv, options) }
}

@_cdecl("belay_loop_retain")
@implementation
public func belay_loop_retain(_ l: OpaquePointer!) -> OpaquePointer! { retain(l) }

@_cdecl("belay_loop_release")
@implementation
public func belay_loop_release(_ l: OpaquePointer!) { release(l) }

@_cdecl("belay_loop_bind")
@implementation
public func belay_loop_bind(_ l: OpaquePointer!) -> Int32 {
  guard let loop = object(l, Loop.self) else { return fail(invalid(l)) }
  return answer(loop.bind())
}

@_cdecl("belay_loop_current")
@implementation
public func belay_loop_current() -> OpaquePointer! { lend(Loop.currentHandle) }

@_cdecl("belay_loop_run")
@implementation
public func belay_loop_run(_ l: OpaquePointer!, _ mode: belay_run_mode) -> Int32 {
  guard let loop = object(l, Loop.self),
    let mode = LoopRunMode(rawValue: Int32(bitPattern: mode.rawValue))
  else { return fail(invalid(l)) }
  if loop.isClosed { return fail(.closed) }
  let (code, isAlive) = LastFailure.isolating { loop.core.run(mode) }
  return code.isFailure ? fail(code) : isAlive ? 1 : 0
}

@_cdecl("belay_loop_stop")
@implementation
public func belay_loop_stop(_ l: OpaquePointer!) -> Int32 {
  guard let loop = object(l, Loop.self) else { return fail(invalid(l)) }
  if loop.isClosed { return fail(.closed) }
  return answer(loop.stop())
}

@_cdecl("belay_loop_alive")
@implementation
public func belay_loop_alive(_ l: OpaquePointer!) -> Int32 {
  var code = Code.ok
  if let core = here(l, &code) { return core.isAlive ? 1 : 0 }
  return code == .closed ? 0 : fail(code)
}

@_cdecl("belay_loop_now")
@implementation
public func belay_loop_now(_ l: OpaquePointer!) -> Double {
  here(l).map { seconds($0.now) } ?? 0
}

@_cdecl("belay_loop_get_scheduler")
@implementation
public func belay_loop_get_scheduler(_ l: OpaquePointer!) -> OpaquePointer! {
  guard let loop = object(l, Loop.self) else { return failed(invalid(l)) }
  return lend(loop.scheduler)
}

@_cdecl("belay_loop_uv")
@implementation
public func belay_loop_uv(_ l: OpaquePointer!) -> UnsafeMutablePointer<uv_loop_s>! { here(l)?.uv }

@_cdecl("belay_loop_turns")
@implementation
public func belay_loop_turns(_ l: OpaquePointer!) -> UInt64 { here(l)?.turns ?? 0 }

// MARK: Driven by the host

@_cdecl("belay_loop_backend_fd")
@implementation
public func belay_loop_backend_fd(_ l: OpaquePointer!) -> Int32 {
  var code = Code.ok
  return here(l, &code)?.backendFD ?? fail(code)
}

@_cdecl("belay_loop_backend_timeout")
@implementation
public func belay_loop_backend_timeout(_ l: OpaquePointer!) -> Double {
  here(l)?.backendTimeout.map { seconds($0) } ?? -1
}

@_cdecl("belay_loop_fd")
@implementation
public func belay_loop_fd(_ l: OpaquePointer!) -> Int32 {
  var code = Code.ok
  guard let core = here(l, &code) else { return fail(code) }
  let fd = core.pollableFD()
  return fd < 0 ? fail(Code(rawValue: fd)) : fd
}

// MARK: From other threads

@_cdecl("belay_loop_post")
@implementation
public func belay_loop_post(
  _ l: OpaquePointer!, _ action: belay_action_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> Int32 {
  post(l, CPostedAction(ForeignAction(action, ctx, ctx_free)), isGiven: action != nil)
}

/// A function of its own, because C's inline functions are not inlined into exported ones.
private func post(_ l: OpaquePointer?, _ posted: CPostedAction, isGiven: Bool) -> Int32 {
  guard let loop = object(l, Loop.self), isGiven else { return fail(invalid(l)) }
  return answer(loop.user.post(posted))
}

/// An action of the host's on its way to a loop.
private final class CPostedAction: LoopPost, @unchecked Sendable {
  private let action: ForeignAction
  private var isOver = false

  init(_ action: ForeignAction) {
    self.action = action
    super.init()
  }

  deinit { drop() }

  override func run() {
    isOver = true
    action.run()
  }

  // The last reference may go on the thread that posts, and so does not free the context.
  override func drop() {
    if isOver { return }
    isOver = true
    action.free()
  }
}

@_cdecl("belay_loop_queue_high_water")
@implementation
public func belay_loop_queue_high_water(_ l: OpaquePointer!) -> Int {
  object(l, Loop.self)?.core.queueHighWater ?? 0
}

@_cdecl("belay_loop_on_unhandled_error")
@implementation
public func belay_loop_on_unhandled_error(
  _ l: OpaquePointer!, _ hook: belay_unhandled_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> Int32 {
  let hook = unhandledHook(hook, ctx, ctx_free)
  var code = Code.ok
  guard let core = here(l, &code) else { return fail(code) }
  core.setUnhandledErrorHook(hook, of: object(l, Loop.self)?.user)
  return 0
}

// MARK: The end

@_cdecl("belay_loop_close")
@implementation
public func belay_loop_close(
  _ l: OpaquePointer!, _ closed: belay_closed_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> Int32 {
  let context = Context(ctx, ctx_free)
  guard let loop = object(l, Loop.self) else { return fail(.missing) }
  let report = closedReport(closed, context)
  return answer(loop.close(report))
}

/// The form of the host's callback in which the core calls it.
func closedReport(_ closed: belay_closed_fn?, _ context: Context) -> (([OpenResource]) -> Void)? {
  closed.map { closed in
    { (resources: [OpenResource]) in
      var handles: [UnsafeMutableRawPointer] = []
      for resource in resources {
        handles.append(Unmanaged.passUnretained(resource).toOpaque())
      }
      handles.withUnsafeBytes { bytes in
        let first = bytes.baseAddress?.assumingMemoryBound(to: OpaquePointer?.self)
        LastFailure.isolating { closed(context.pointer, first, resources.count) }
      }
    }
  }
}

private func resource(_ handle: OpaquePointer?) -> OpenResource? {
  handle.map { Unmanaged<OpenResource>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
}

@_cdecl("belay_open_resource_kind")
@implementation
public func belay_open_resource_kind(_ r: OpaquePointer!) -> UnsafePointer<CChar>! {
  resource(r)?.kind.pointer ?? StaticSite("").pointer
}

@_cdecl("belay_open_resource_label")
@implementation
public func belay_open_resource_label(_ r: OpaquePointer!) -> UnsafePointer<CChar>! {
  resource(r)?.label?.pointer
}

@_cdecl("belay_open_resource_site")
@implementation
public func belay_open_resource_site(_ r: OpaquePointer!) -> UnsafePointer<CChar>! {
  resource(r)?.site?.pointer
}

@_cdecl("belay_open_resource_address")
@implementation
public func belay_open_resource_address(_ r: OpaquePointer!) -> UnsafeRawPointer! {
  resource(r)?.address
}

@_cdecl("belay_open_resource_is_foreign")
@implementation
public func belay_open_resource_is_foreign(_ r: OpaquePointer!) -> Int32 {
  resource(r)?.isForeign ?? false ? 1 : 0
}
