@_spi(Engine) import Belay
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares. The functions
// `operation` (OperatorCall.swift) check the arguments for all operators.

@_cdecl("belay_op_default_if_empty")
@implementation
public func belay_op_default_if_empty(_ fallback: belay_value) -> OpaquePointer! {
  operation(.defaultIfEmpty, fallback)
}

@_cdecl("belay_op_switch_if_empty")
@implementation
public func belay_op_switch_if_empty(_ other: OpaquePointer!) -> OpaquePointer! {
  operation(.switchIfEmpty, with: other)
}

@_cdecl("belay_op_contains")
@implementation
public func belay_op_contains(_ wanted: belay_value) -> OpaquePointer! {
  operation(.contains, wanted)
}

@_cdecl("belay_op_all")
@implementation
public func belay_op_all(
  _ right: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.all, code(right), ctx, ctx_free)
}

@_cdecl("belay_op_any")
@implementation
public func belay_op_any(
  _ wanted: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.any, code(wanted), ctx, ctx_free)
}

@_cdecl("belay_op_is_empty")
@implementation
public func belay_op_is_empty() -> OpaquePointer! {
  operation(.isEmpty)
}

@_cdecl("belay_op_count")
@implementation
public func belay_op_count() -> OpaquePointer! {
  operation(.count)
}

@_cdecl("belay_op_min")
@implementation
public func belay_op_min(
  _ less: belay_less_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.min, code(less), ctx, ctx_free, isOptional: true)
}

@_cdecl("belay_op_max")
@implementation
public func belay_op_max(
  _ less: belay_less_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.max, code(less), ctx, ctx_free, isOptional: true)
}

@_cdecl("belay_op_sum")
@implementation
public func belay_op_sum() -> OpaquePointer! {
  operation(.sum)
}

@_cdecl("belay_op_average")
@implementation
public func belay_op_average() -> OpaquePointer! {
  operation(.average)
}

@_cdecl("belay_op_reduce")
@implementation
public func belay_op_reduce(
  _ seed: belay_value, _ step: belay_scan_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let made = Operator(.reduce, code(step), ctx, ctx_free)
  made.value = Kept(taking: foreign(seed))
  return step == nil ? failed(.invalid) : give(made)
}

@_cdecl("belay_op_collect")
@implementation
public func belay_op_collect() -> OpaquePointer! {
  operation(.collect)
}
