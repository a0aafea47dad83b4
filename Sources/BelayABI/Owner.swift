@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares.

func owner(_ handle: OpaquePointer?) -> OwnerRecord? { object(handle, OwnerRecord.self) }

/// The owner of an object of the host's.
private final class CreatedOwner: OwnerRecord, @unchecked Sendable {
  private let object: UnsafeMutableRawPointer?
  private let onDeinit: belay_object_fn?
  private let onDealloc: belay_object_fn?

  @inline(__always)
  init(
    _ object: UnsafeMutableRawPointer?, _ onDeinit: belay_object_fn?,
    _ onDealloc: belay_object_fn?, _ options: OwnerOptions
  ) {
    self.object = object
    self.onDeinit = onDeinit
    self.onDealloc = onDealloc
    super.init(label: options.label, site: options.site, home: options.home)
  }

  @inline(__always)
  deinit {}

  override var address: UnsafeMutableRawPointer? { object }

  override func runDeinit() { if let onDeinit { run(onDeinit) } }

  override func runDealloc() { if let onDealloc { run(onDealloc) } }

  @inline(never)
  private func run(_ step: belay_object_fn) { LastFailure.isolating { step(object) } }
}

private struct OwnerOptions {
  var label: StaticSite?
  var site: StaticSite?
  var home: Home?

  init() {}

  init?(_ options: UnsafePointer<belay_owner_options>?) {
    guard let options else { return }
    guard let given = known(options) else {
      fail(.invalid)
      return nil
    }
    label = StaticSite(at: given.label)
    site = StaticSite(at: given.site)
    if let loop = BelayABI.object(given.loop, Loop.self) {
      if loop.isClosed {
        fail(.closed)
        return nil
      }
      home = loop.home
    }
    if let scheduler = BelayABI.object(given.scheduler, Scheduler.self) {
      guard home == nil, let its = scheduler.home, its.acceptsMessages else {
        fail(.invalid)
        return nil
      }
      if !scheduler.takesWork {
        fail(.closed)
        return nil
      }
      home = its
    }
  }

  var ofAdoption: AdoptionOptions { AdoptionOptions(label: label, site: site, home: home) }
}

/// An owner without options. (A function of its own, because the shim's functions are not inlined into
/// exported ones.)
@_optimize(speed)
@inline(never)
private func plainOwner(
  _ object: UnsafeMutableRawPointer?, _ onDeinit: belay_object_fn?, _ onDealloc: belay_object_fn?
) -> CreatedOwner { CreatedOwner(object, onDeinit, onDealloc, OwnerOptions()) }

@_cdecl("belay_owner_create")
@implementation
public func belay_owner_create(
  _ object: UnsafeMutableRawPointer!, _ deinit_: belay_object_fn!, _ dealloc: belay_object_fn!,
  _ options: UnsafePointer<belay_owner_options>!
) -> OpaquePointer! {
  options == nil
    ? give(plainOwner(object, deinit_, dealloc))
    : describedOwner(object, deinit_, dealloc, options)
}

/// An owner with options. A function of its own, so that the other case saves no registers for it.
@inline(never)
private func describedOwner(
  _ object: UnsafeMutableRawPointer?, _ onDeinit: belay_object_fn?, _ onDealloc: belay_object_fn?,
  _ options: UnsafePointer<belay_owner_options>?
) -> OpaquePointer? {
  OwnerOptions(options).flatMap {
    let made = CreatedOwner(object, onDeinit, onDealloc, $0)
    made.reside()
    return give(made)
  }
}

@_cdecl("belay_owner_retain")
@implementation
public func belay_owner_retain(_ o: OpaquePointer!) -> OpaquePointer! {
  guard let owner = owner(o) else { return nil }
  owner.retainHandle()
  return give(owner)
}

@_cdecl("belay_owner_release")
@implementation
public func belay_owner_release(_ o: OpaquePointer!) {
  guard isHeld(o) else { return }
  using(o, OwnerRecord.self, orElse: ()) { owner in
    LastFailure.isolating { owner.releaseHandle() }
  }
  drop(o)
}

@_cdecl("belay_owner_adopt")
@implementation
public func belay_owner_adopt(
  _ pointer: UnsafeMutableRawPointer!, _ options: UnsafePointer<belay_owner_options>!
) -> OpaquePointer! {
  guard let pointer else { return failed(.invalid) }
  guard let options = OwnerOptions(options) else { return nil }
  let record = AdoptedOwners.adopt(pointer, options.ofAdoption)
  record.retainHandle()
  return give(record)
}

@_cdecl("belay_owner_adopt_slot")
@implementation
public func belay_owner_adopt_slot(
  _ object: UnsafeMutableRawPointer!, _ slot: UnsafeMutablePointer<belay_destroy_fn?>!,
  _ options: UnsafePointer<belay_owner_options>!,
  _ owner: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  owner?.pointee = nil
  guard let object, let slot, let options = OwnerOptions(options), options.home == nil else {
    return fail(.invalid)
  }
  let (record, code) = LastFailure.isolating {
    AdoptedOwners.adopt(object, options.ofAdoption, endingIn: slot)
  }
  if let owner {
    record.retainHandle()
    owner.pointee = give(record)
  }
  return answer(code)
}

@_cdecl("belay_owner_end")
@implementation
public func belay_owner_end(
  _ pointer: UnsafeMutableRawPointer!, _ destroy: belay_free_fn!, _ ctx: UnsafeMutableRawPointer!
) -> Int32 {
  guard let pointer else { return fail(.invalid) }
  let code = LastFailure.isolating { AdoptedOwners.willEnd(UInt(bitPattern: pointer)) }
  if code.isFailure { return fail(code) }
  if let destroy { LastFailure.isolating { destroy(ctx) } }
  _ = LastFailure.isolating { AdoptedOwners.didEnd(UInt(bitPattern: pointer)) }
  return 0
}

@_cdecl("belay_owner_will_end")
@implementation
public func belay_owner_will_end(_ pointer: UnsafeMutableRawPointer!) -> Int32 {
  guard let pointer else { return fail(.invalid) }
  return answer(LastFailure.isolating { AdoptedOwners.willEnd(UInt(bitPattern: pointer)) })
}

@_cdecl("belay_owner_did_end")
@implementation
public func belay_owner_did_end(_ pointer: UnsafeMutableRawPointer!) -> Int32 {
  guard let pointer else { return fail(.invalid) }
  return answer(LastFailure.isolating { AdoptedOwners.didEnd(UInt(bitPattern: pointer)) })
}

@_cdecl("belay_owner_object")
@implementation
public func belay_owner_object(_ o: OpaquePointer!) -> UnsafeMutableRawPointer! {
  guard let owner = owner(o), !owner.isDying else { return nil }
  return owner.address
}

@_cdecl("belay_owner_is_dying")
@implementation
public func belay_owner_is_dying(_ o: OpaquePointer!) -> Int32 {
  owner(o)?.isDying ?? true ? 1 : 0
}

@_cdecl("belay_owner_label")
@implementation
public func belay_owner_label(_ o: OpaquePointer!) -> UnsafePointer<CChar>! {
  owner(o)?.label?.pointer ?? StaticSite("").pointer
}

/// Gives the caller one of an owner's signals. Records the failure without an owner.
private func phase(_ signal: CSignal?) -> OpaquePointer? {
  guard let signal else { return failed(.missing) }
  return give(signal)
}

@_cdecl("belay_owner_deallocating")
@implementation
public func belay_owner_deallocating(_ o: OpaquePointer!) -> OpaquePointer! {
  phase(owner(o)?.deallocating)
}

@_cdecl("belay_owner_deallocated")
@implementation
public func belay_owner_deallocated(_ o: OpaquePointer!) -> OpaquePointer! {
  phase(owner(o)?.deallocated)
}

@_cdecl("belay_owner_add")
@implementation
public func belay_owner_add(_ o: OpaquePointer!, _ d: OpaquePointer!) -> Int32 {
  guard let owner = owner(o), let disposable = disposable(d) else { return fail(invalid(o, d)) }
  owner.add(disposable)
  return 0
}

@_cdecl("belay_owner_add_action")
@implementation
public func belay_owner_add_action(
  _ o: OpaquePointer!, _ action: belay_action_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> Int32 {
  let action = ForeignAction(action, ctx, ctx_free)
  return using(o, OwnerRecord.self, orElse: nil) { owner -> Int32? in
    owner.add(action)
    return 0
  } ?? refuse(action)
}

@inline(never)
private func refuse(_ action: ForeignAction) -> Int32 {
  action.free()
  return fail(.missing)
}

@_cdecl("belay_owner_get_compound")
@implementation
public func belay_owner_get_compound(_ o: OpaquePointer!) -> OpaquePointer! {
  guard let owner = owner(o) else { return failed(invalid(o)) }
  let compound = owner.compound
  // A dead owner keeps none.
  return owner.isDying ? failed(.dead) : lend(compound)
}

// MARK: Trees

@_cdecl("belay_owner_add_child")
@implementation
public func belay_owner_add_child(_ p: OpaquePointer!, _ c: OpaquePointer!) -> Int32 {
  guard let parent = owner(p), let child = owner(c) else { return fail(invalid(p, c)) }
  return answer(LastFailure.isolating { parent.addChild(child) })
}

@_cdecl("belay_owner_remove_child")
@implementation
public func belay_owner_remove_child(_ p: OpaquePointer!, _ c: OpaquePointer!) -> Int32 {
  guard let parent = owner(p), let child = owner(c) else { return fail(invalid(p, c)) }
  return answer(parent.removeChild(child))
}

// MARK: Weak references

@_cdecl("belay_weak_create")
@implementation
public func belay_weak_create(_ o: OpaquePointer!) -> OpaquePointer! {
  guard let owner = owner(o) else { return failed(invalid(o)) }
  return give(WeakOwner(owner))
}

@_cdecl("belay_weak_retain")
@implementation
public func belay_weak_retain(_ w: OpaquePointer!) -> OpaquePointer! { retain(w) }

@_cdecl("belay_weak_release")
@implementation
public func belay_weak_release(_ w: OpaquePointer!) { release(w) }

@_cdecl("belay_weak_upgrade")
@implementation
public func belay_weak_upgrade(_ w: OpaquePointer!) -> OpaquePointer! {
  give(object(w, WeakOwner.self)?.lock())
}
