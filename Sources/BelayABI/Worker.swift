@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay

@_cdecl("belay_worker_create")
@implementation
public func belay_worker_create(_ label: UnsafePointer<CChar>!) -> OpaquePointer! {
  var options = LoopOptions()
  options.label = StaticSite(at: label)
  do throws(Failure) { return give(try Worker(options)) } catch {
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
