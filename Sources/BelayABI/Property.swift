@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares.

typealias CProperty = Property<ForeignValue>

func property(_ handle: OpaquePointer?) -> CProperty? { object(handle, CProperty.self) }

@_cdecl("belay_property_create")
@implementation
public func belay_property_create(
  _ initial: belay_value, _ options: UnsafePointer<belay_source_options>!
) -> OpaquePointer! {
  let initial = Kept(taking: foreign(initial))
  guard let options = sourceOptions(options) else { return nil }
  if options.isShared || options.reentrancy != .queue { return failed(.invalid) }
  keep(initial.value)
  return give(CProperty(initial.value, options))
}

@_cdecl("belay_property_retain")
@implementation
public func belay_property_retain(_ p: OpaquePointer!) -> OpaquePointer! { retain(p) }

@_cdecl("belay_property_release")
@implementation
public func belay_property_release(_ p: OpaquePointer!) { release(p) }

@_cdecl("belay_property_get")
@implementation
public func belay_property_get(_ p: OpaquePointer!, _ value: UnsafeMutablePointer<belay_value>!)
  -> Int32
{
  value?.pointee = exported(.null)
  guard let value, let property = property(p) else { return fail(invalid(p)) }
  value.pointee = exported(property.keptValue)
  return 0
}

@_cdecl("belay_property_set")
@implementation
public func belay_property_set(_ p: OpaquePointer!, _ value: belay_value) -> Int32 {
  let value = foreign(value)
  defer { discard(value) }
  guard let property = property(p) else { return fail(invalid(p)) }
  return answer(LastFailure.isolating { property.set(value) })
}

@_cdecl("belay_property_modify")
@implementation
public func belay_property_modify(
  _ p: OpaquePointer!, _ change: belay_map_fn!, _ ctx: UnsafeMutableRawPointer!
) -> Int32 {
  guard let property = property(p), let change else { return fail(invalid(p)) }
  do throws(Failure) {
    let code = try isolated { () throws(Failure) -> Code in
      try property.modify { (before: ForeignValue) throws(Failure) -> ForeignValue in
        try value { change(ctx, exported(before)) }
      }
    }
    return answer(code)
  } catch {
    return fail(error)
  }
}

@_cdecl("belay_property_signal")
@implementation
public func belay_property_signal(_ p: OpaquePointer!) -> OpaquePointer! {
  property(p).map { give($0.signal) } ?? failed(.missing)
}
