@_spi(Engine) import Belay
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares.

func disposable(_ handle: OpaquePointer?) -> Disposable? { object(handle, Disposable.self) }

/// The disposable behind a handle, if it is of that kind. Otherwise nil, and `code` is what to answer.
private func of<Kind: Disposable>(
  _ handle: OpaquePointer?, _ type: Kind.Type, _ code: inout Int32
) -> Kind? {
  guard let any = disposable(handle) else {
    code = fail(.missing)
    return nil
  }
  if let right = any as? Kind { return right }
  code = fail(.wrongKind)
  return nil
}

@inline(never)
private func holdsItself() -> Int32 { fail(.invalid, "a disposable cannot hold itself") }

@_cdecl("belay_disposable_retain")
@implementation
public func belay_disposable_retain(_ d: OpaquePointer!) -> OpaquePointer! { retain(d) }

@_cdecl("belay_disposable_release")
@implementation
public func belay_disposable_release(_ d: OpaquePointer!) { release(d) }

@_cdecl("belay_disposable_dispose")
@implementation
public func belay_disposable_dispose(_ d: OpaquePointer!) {
  // With a reference, because a callback may release the caller's.
  object(d, Disposable.self)?.dispose()
}

@_cdecl("belay_disposable_dispose_sync")
@implementation
public func belay_disposable_dispose_sync(_ d: OpaquePointer!, _ timeout: Double) -> Int32 {
  guard let disposable = disposable(d) else { return fail(invalid(d)) }
  guard let limit = nanoseconds(timeout) else {
    disposable.dispose()
    return fail(.invalid)
  }
  return answer(disposable.disposeSync(nanoseconds: limit))
}

@_cdecl("belay_disposable_is_disposed")
@implementation
public func belay_disposable_is_disposed(_ d: OpaquePointer!) -> Int32 {
  disposable(d)?.isDisposed ?? true ? 1 : 0
}

@_cdecl("belay_disposable_set_label")
@implementation
public func belay_disposable_set_label(
  _ d: OpaquePointer!, _ label: UnsafePointer<CChar>!, _ site: UnsafePointer<CChar>!
) -> Int32 {
  var code: Int32 = 0
  of(d, CWork.self, &code)?.name(label, site)
  return code
}

/// A disposable that runs an action of the host's.
final class CAction: ActionDisposable, @unchecked Sendable {
  private let action: ForeignAction

  init(_ action: ForeignAction) {
    self.action = action
    super.init()
  }

  deinit { if !isDisposed { action.free() } }

  override func act() { action.run() }
}

@_cdecl("belay_disposable_create")
@implementation
public func belay_disposable_create(
  _ action: belay_action_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  give(CAction(ForeignAction(action, ctx, ctx_free)))
}

@_cdecl("belay_nop_create")
@implementation
public func belay_nop_create() -> OpaquePointer! { give(NopDisposable.shared) }

@_cdecl("belay_boolean_create")
@implementation
public func belay_boolean_create() -> OpaquePointer! { give(BooleanDisposable()) }

@_cdecl("belay_binary_create")
@implementation
public func belay_binary_create(_ first: OpaquePointer!, _ second: OpaquePointer!) -> OpaquePointer!
{
  give(BinaryDisposable(disposable(first), disposable(second)))
}

@_cdecl("belay_compound_create")
@implementation
public func belay_compound_create() -> OpaquePointer! { give(CompoundDisposable()) }

@_cdecl("belay_compound_add")
@implementation
public func belay_compound_add(
  _ compound: OpaquePointer!, _ member: OpaquePointer!, _ key: UnsafeMutablePointer<UInt64>!
) -> Int32 {
  key?.pointee = 0
  var code: Int32 = 0
  guard let compound = of(compound, CompoundDisposable.self, &code) else { return code }
  guard let member = disposable(member) else { return 0 }
  let added = compound.addUnlessHeld(by: member)
  if added.isHeld { return holdsItself() }
  key?.pointee = added.key?.rawValue ?? 0
  return 0
}

@_cdecl("belay_compound_add_action")
@implementation
public func belay_compound_add_action(
  _ compound: OpaquePointer!, _ action: belay_action_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!, _ key: UnsafeMutablePointer<UInt64>!
) -> Int32 {
  key?.pointee = 0
  let action = ForeignAction(action, ctx, ctx_free)
  var code: Int32 = 0
  guard let compound = of(compound, CompoundDisposable.self, &code) else {
    action.free()
    return code
  }
  let added = compound.add(action)
  key?.pointee = added?.rawValue ?? 0
  return 0
}

@_cdecl("belay_compound_remove")
@implementation
public func belay_compound_remove(_ compound: OpaquePointer!, _ key: UInt64) -> Int32 {
  var code: Int32 = 0
  guard let compound = of(compound, CompoundDisposable.self, &code) else { return code }
  return compound.remove(CompoundDisposable.Key(rawValue: key)) ? 0 : fail(.notFound)
}

@_cdecl("belay_compound_count")
@implementation
public func belay_compound_count(_ compound: OpaquePointer!) -> Int {
  (disposable(compound) as? CompoundDisposable)?.count ?? 0
}

@_cdecl("belay_serial_create")
@implementation
public func belay_serial_create() -> OpaquePointer! { give(SerialDisposable()) }

@_cdecl("belay_serial_set")
@implementation
public func belay_serial_set(_ serial: OpaquePointer!, _ next: OpaquePointer!) -> Int32 {
  var code: Int32 = 0
  guard let serial = of(serial, SerialDisposable.self, &code) else { return code }
  let next = disposable(next)
  if next === serial { return holdsItself() }
  serial.set(next)
  return 0
}

@_cdecl("belay_serial_swap")
@implementation
public func belay_serial_swap(
  _ serial: OpaquePointer!, _ next: OpaquePointer!,
  _ previous: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  previous?.pointee = nil
  var code: Int32 = 0
  guard let serial = of(serial, SerialDisposable.self, &code) else { return code }
  let next = disposable(next)
  if next === serial { return holdsItself() }
  let old = serial.swap(next)
  previous?.pointee = give(old)
  return 0
}

@_cdecl("belay_single_assignment_create")
@implementation
public func belay_single_assignment_create() -> OpaquePointer! {
  give(SingleAssignmentDisposable())
}

@_cdecl("belay_single_assignment_set")
@implementation
public func belay_single_assignment_set(_ single: OpaquePointer!, _ inner: OpaquePointer!) -> Int32
{
  var code: Int32 = 0
  guard let single = of(single, SingleAssignmentDisposable.self, &code) else { return code }
  guard let inner = disposable(inner) else { return fail(invalid(inner)) }
  if inner === single { return holdsItself() }
  return answer(single.set(inner))
}

@_cdecl("belay_ref_counted_create")
@implementation
public func belay_ref_counted_create(_ underlying: OpaquePointer!) -> OpaquePointer! {
  guard let underlying = disposable(underlying) else { return failed(invalid(underlying)) }
  return give(RefCountedDisposable(underlying))
}

@_cdecl("belay_ref_counted_create_dependent")
@implementation
public func belay_ref_counted_create_dependent(_ ref_counted: OpaquePointer!) -> OpaquePointer! {
  var code: Int32 = 0
  return give(of(ref_counted, RefCountedDisposable.self, &code)?.dependent())
}

@_cdecl("belay_scoped_create")
@implementation
public func belay_scoped_create(_ inner: OpaquePointer!) -> OpaquePointer! {
  guard let inner = disposable(inner) else { return failed(invalid(inner)) }
  return give(ScopedDisposable(inner))
}

@_cdecl("belay_scheduled_create")
@implementation
public func belay_scheduled_create(_ scheduler: OpaquePointer!, _ inner: OpaquePointer!)
  -> OpaquePointer!
{
  guard let scheduler = object(scheduler, Scheduler.self), let inner = disposable(inner) else {
    return failed(invalid(scheduler, inner))
  }
  return give(ScheduledDisposable(scheduler, inner))
}

@_cdecl("belay_bag_create")
@implementation
public func belay_bag_create() -> OpaquePointer! { give(DisposeBag()) }

@_cdecl("belay_bag_retain")
@implementation
public func belay_bag_retain(_ bag: OpaquePointer!) -> OpaquePointer! { retain(bag) }

@_cdecl("belay_bag_release")
@implementation
public func belay_bag_release(_ bag: OpaquePointer!) { release(bag) }

@_cdecl("belay_bag_add")
@implementation
public func belay_bag_add(_ bag: OpaquePointer!, _ member: OpaquePointer!) -> Int32 {
  guard let bag = object(bag, DisposeBag.self), let member = disposable(member) else {
    return fail(invalid(bag, member))
  }
  bag.add(member)
  return 0
}

@_cdecl("belay_bag_count")
@implementation
public func belay_bag_count(_ bag: OpaquePointer!) -> Int {
  object(bag, DisposeBag.self)?.count ?? 0
}
