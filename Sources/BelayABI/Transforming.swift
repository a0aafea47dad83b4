@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares. The functions
// `operation` (OperatorCall.swift) check the arguments for all operators.

@_cdecl("belay_op_map")
@implementation
public func belay_op_map(
  _ map: belay_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.map, code(map), ctx, ctx_free)
}

@_cdecl("belay_op_map_to")
@implementation
public func belay_op_map_to(_ value: belay_value) -> OpaquePointer! {
  operation(.mapTo, value)
}

@_cdecl("belay_op_compact_map")
@implementation
public func belay_op_compact_map(
  _ map: belay_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.compactMap, code(map), ctx, ctx_free)
}

@_cdecl("belay_op_map_error")
@implementation
public func belay_op_map_error(
  _ map: belay_map_error_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.mapError, code(map), ctx, ctx_free)
}

@_cdecl("belay_op_scan")
@implementation
public func belay_op_scan(
  _ seed: belay_value, _ step: belay_scan_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let made = Operator(.scan, code(step), ctx, ctx_free)
  made.value = Kept(taking: foreign(seed))
  return step == nil ? failed(.invalid) : give(made)
}

@_cdecl("belay_op_enumerated")
@implementation
public func belay_op_enumerated() -> OpaquePointer! {
  operation(.enumerated)
}

@_cdecl("belay_op_with_owner")
@implementation
public func belay_op_with_owner(_ owner: OpaquePointer!) -> OpaquePointer! {
  guard let known = object(owner, OwnerRecord.self) else { return failed(invalid(owner)) }
  let made = Operator(.withOwner)
  made.owner = known
  return give(made)
}

@_cdecl("belay_op_pairwise")
@implementation
public func belay_op_pairwise() -> OpaquePointer! {
  operation(.pairwise)
}

@_cdecl("belay_op_pairwise_from")
@implementation
public func belay_op_pairwise_from(_ start: belay_value) -> OpaquePointer! {
  operation(.pairwise, start)
}

@_cdecl("belay_op_buffer")
@implementation
public func belay_op_buffer(_ count: Int) -> OpaquePointer! {
  operation(.buffer, limit: count)
}

/// An operator that gathers `count` values, and begins again after `skip` values. Both must not be 0.
private func spans(_ kind: Operator.Kind, _ count: Int, _ skip: Int) -> OpaquePointer? {
  guard let count = counted(count), let skip = counted(skip) else { return failed(.invalid) }
  let made = Operator(kind)
  made.number = count
  made.span = Int64(skip)
  return give(made)
}

@_cdecl("belay_op_buffer_skip")
@implementation
public func belay_op_buffer_skip(_ count: Int, _ skip: Int) -> OpaquePointer! {
  spans(.bufferSkip, count, skip)
}

@_cdecl("belay_op_buffer_time")
@implementation
public func belay_op_buffer_time(_ scheduler: OpaquePointer!, _ seconds: Double, _ count: Int)
  -> OpaquePointer!
{
  operation(.bufferTime, on: scheduler, seconds, atLeast: 1, limit: count)
}

@_cdecl("belay_op_window")
@implementation
public func belay_op_window(_ count: Int, _ skip: Int) -> OpaquePointer! {
  spans(.window, count, skip)
}

@_cdecl("belay_op_window_time")
@implementation
public func belay_op_window_time(_ scheduler: OpaquePointer!, _ seconds: Double, _ count: Int)
  -> OpaquePointer!
{
  operation(.windowTime, on: scheduler, seconds, atLeast: 1, limit: count)
}

@_cdecl("belay_op_window_toggle")
@implementation
public func belay_op_window_toggle(
  _ openings: OpaquePointer!, _ closing: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let made = Operator(.windowToggle, code(closing), ctx, ctx_free)
  made.signal = take(openings, CSignal.self)
  if made.signal == nil { return failed(invalid(openings)) }
  return closing == nil ? failed(.invalid) : give(made)
}

@_cdecl("belay_op_window_by")
@implementation
public func belay_op_window_by(_ notifier: OpaquePointer!) -> OpaquePointer! {
  operation(.windowBy, with: notifier)
}

@_cdecl("belay_op_buffer_by")
@implementation
public func belay_op_buffer_by(_ notifier: OpaquePointer!) -> OpaquePointer! {
  operation(.bufferBy, with: notifier)
}

@_cdecl("belay_op_group_by")
@implementation
public func belay_op_group_by(
  _ key: belay_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.groupBy, code(key), ctx, ctx_free)
}

@_cdecl("belay_op_group_by_until")
@implementation
public func belay_op_group_by_until(
  _ key: belay_map_fn!, _ until: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let made = Operator(.groupByUntil, code(key), ctx, ctx_free)
  made.projection = code(until)
  return key == nil || until == nil ? failed(.invalid) : give(made)
}

@_cdecl("belay_signal_key")
@implementation
public func belay_signal_key(_ group: OpaquePointer!) -> belay_value {
  let group = signal(group) as? GroupedSignal<ForeignValue, ForeignValue>
  return exported(group?.keyIfGroup ?? .null)
}

@_cdecl("belay_op_materialize")
@implementation
public func belay_op_materialize() -> OpaquePointer! {
  operation(.materialize)
}

@_cdecl("belay_op_dematerialize")
@implementation
public func belay_op_dematerialize() -> OpaquePointer! {
  operation(.dematerialize)
}

@_cdecl("belay_op_timestamp")
@implementation
public func belay_op_timestamp(_ scheduler: OpaquePointer!) -> OpaquePointer! {
  operation(.timestamp, on: scheduler, 0, atLeast: 0)
}

@_cdecl("belay_op_time_interval")
@implementation
public func belay_op_time_interval(_ scheduler: OpaquePointer!) -> OpaquePointer! {
  operation(.timeInterval, on: scheduler, 0, atLeast: 0)
}

@_cdecl("belay_op_compose")
@implementation
public func belay_op_compose(
  _ make: belay_compose_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.compose, code(make), ctx, ctx_free)
}
