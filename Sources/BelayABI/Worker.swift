@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay

private func worker(_ given: belay_worker_options) -> OpaquePointer? {
  var options = LoopOptions()
  options.label = StaticSite(at: given.label)
  options.site = StaticSite(at: given.site)
  if given.capacity != 0 { options.capacity = given.capacity < 0 ? .max : given.capacity }
  do throws(Failure) { return give(try Worker(options, priority: given.priority)) } catch {
    fail(error)
    return nil
  }
}

@_cdecl("belay_worker_create")
@implementation
public func belay_worker_create(_ label: UnsafePointer<CChar>!) -> OpaquePointer! {
  var options = belay_worker_options()
  options.label = label
  return worker(options)
}

@_cdecl("belay_worker_create_with")
@implementation
public func belay_worker_create_with(
  _ options: UnsafePointer<belay_worker_options>!
) -> OpaquePointer! {
  guard let given = known(options), -20...19 ~= given.priority else { return failed(.invalid) }
  return worker(given)
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
