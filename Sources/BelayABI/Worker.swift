@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay

@_cdecl("belay_worker_create")
@implementation
public func belay_worker_create(_ options: UnsafePointer<belay_worker_options>!) -> OpaquePointer! {
  var made = LoopOptions()
  var priority: Int32 = 0
  if options != nil {
    guard let given = known(options), -20...19 ~= given.priority else { return failed(.invalid) }
    made.label = StaticSite(at: given.label)
    made.site = StaticSite(at: given.site)
    if given.capacity != 0 { made.capacity = given.capacity < 0 ? .max : given.capacity }
    priority = given.priority
  }
  do throws(Failure) { return give(try Worker(made, priority: priority)) } catch {
    fail(error)
    return nil
  }
}

@_cdecl("belay_worker_retain")
@implementation
public func belay_worker_retain(_ w: OpaquePointer!) -> OpaquePointer! { retain(w) }

@_cdecl("belay_worker_release")
@implementation
public func belay_worker_release(_ w: OpaquePointer!) { release(w) }

@_cdecl("belay_worker_get_scheduler")
@implementation
public func belay_worker_get_scheduler(_ w: OpaquePointer!) -> OpaquePointer! {
  object(w, Worker.self).map { lend($0.scheduler) } ?? failed(.missing)
}
