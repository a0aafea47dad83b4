@_spi(Engine) import Belay
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares. The functions
// `operation` (OperatorCall.swift) check the arguments for all operators.

typealias CPredicate = (ForeignValue) throws(Failure) -> Bool

/// The core's predicate that calls one of the host's.
func predicate(_ callback: @escaping belay_predicate_fn, _ context: Context) -> CPredicate {
  { (input: ForeignValue) throws(Failure) -> Bool in
    try truth { callback(context.pointer, exported(input)) }
  }
}

@_cdecl("belay_op_filter")
@implementation
public func belay_op_filter(
  _ keep: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.filter, code(keep), ctx, ctx_free)
}

@_cdecl("belay_op_take")
@implementation
public func belay_op_take(_ count: UInt64) -> OpaquePointer! {
  operation(.take, counted: count)
}

@_cdecl("belay_op_skip")
@implementation
public func belay_op_skip(_ count: UInt64) -> OpaquePointer! {
  operation(.skip, counted: count)
}

@_cdecl("belay_op_take_last")
@implementation
public func belay_op_take_last(_ count: UInt64) -> OpaquePointer! {
  operation(.takeLast, counted: count)
}

@_cdecl("belay_op_skip_last")
@implementation
public func belay_op_skip_last(_ count: UInt64) -> OpaquePointer! {
  operation(.skipLast, counted: count)
}

@_cdecl("belay_op_take_while")
@implementation
public func belay_op_take_while(
  _ keep: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!,
  _ inclusive: Int32
) -> OpaquePointer! {
  operation(.takeWhile, code(keep), ctx, ctx_free, number: Int(inclusive))
}

@_cdecl("belay_op_skip_while")
@implementation
public func belay_op_skip_while(
  _ drop: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.skipWhile, code(drop), ctx, ctx_free)
}

@_cdecl("belay_op_take_until")
@implementation
public func belay_op_take_until(_ trigger: OpaquePointer!) -> OpaquePointer! {
  operation(.takeUntil, with: trigger)
}

@_cdecl("belay_op_take_during")
@implementation
public func belay_op_take_during(_ owner: OpaquePointer!) -> OpaquePointer! {
  guard let known = object(owner, OwnerRecord.self) else { return failed(invalid(owner)) }
  let made = Operator(.takeUntil)
  made.signal = known.deallocating
  return give(made)
}

@_cdecl("belay_op_skip_until")
@implementation
public func belay_op_skip_until(_ trigger: OpaquePointer!) -> OpaquePointer! {
  operation(.skipUntil, with: trigger)
}

@_cdecl("belay_op_take_for")
@implementation
public func belay_op_take_for(_ scheduler: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  operation(.takeFor, on: scheduler, seconds, atLeast: 0)
}

@_cdecl("belay_op_skip_for")
@implementation
public func belay_op_skip_for(_ scheduler: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  operation(.skipFor, on: scheduler, seconds, atLeast: 0)
}

@_cdecl("belay_op_take_last_for")
@implementation
public func belay_op_take_last_for(_ scheduler: OpaquePointer!, _ seconds: Double)
  -> OpaquePointer!
{
  operation(.lastFor, on: scheduler, seconds, atLeast: 0, number: 1)
}

@_cdecl("belay_op_skip_last_for")
@implementation
public func belay_op_skip_last_for(_ scheduler: OpaquePointer!, _ seconds: Double)
  -> OpaquePointer!
{
  operation(.lastFor, on: scheduler, seconds, atLeast: 0)
}

@_cdecl("belay_op_element_at")
@implementation
public func belay_op_element_at(_ index: UInt64) -> OpaquePointer! {
  operation(.elementAt, counted: index)
}

@_cdecl("belay_op_element_at_or")
@implementation
public func belay_op_element_at_or(_ index: UInt64, _ fallback: belay_value) -> OpaquePointer! {
  operation(.elementAtOr, fallback, at: index)
}

@_cdecl("belay_op_first")
@implementation
public func belay_op_first(
  _ wanted: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.first, code(wanted), ctx, ctx_free, isOptional: true)
}

@_cdecl("belay_op_last")
@implementation
public func belay_op_last(
  _ wanted: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.last, code(wanted), ctx, ctx_free, isOptional: true)
}

@_cdecl("belay_op_single")
@implementation
public func belay_op_single(
  _ wanted: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.single, code(wanted), ctx, ctx_free, isOptional: true)
}

@_cdecl("belay_op_find")
@implementation
public func belay_op_find(
  _ wanted: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.find, code(wanted), ctx, ctx_free)
}

@_cdecl("belay_op_ignore_elements")
@implementation
public func belay_op_ignore_elements() -> OpaquePointer! {
  operation(.ignoreElements)
}

@_cdecl("belay_op_ignore")
@implementation
public func belay_op_ignore(_ unwanted: belay_value) -> OpaquePointer! {
  operation(.ignore, unwanted)
}

@_cdecl("belay_op_distinct")
@implementation
public func belay_op_distinct(
  _ key: belay_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.distinct, code(key), ctx, ctx_free, isOptional: true)
}

@_cdecl("belay_op_distinct_until_changed")
@implementation
public func belay_op_distinct_until_changed(
  _ equal: belay_equal_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.distinctUntilChanged, code(equal), ctx, ctx_free, isOptional: true)
}

@_cdecl("belay_op_take_until_replacement")
@implementation
public func belay_op_take_until_replacement(_ replacement: OpaquePointer!) -> OpaquePointer! {
  operation(.takeUntilReplacement, with: replacement)
}

@_cdecl("belay_signal_partition")
@implementation
public func belay_signal_partition(
  _ source: OpaquePointer!, _ is_first: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!, _ yes: UnsafeMutablePointer<OpaquePointer?>!,
  _ no: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  let context = Context(ctx, ctx_free)
  let source = take(source, CSignal.self)
  yes?.pointee = nil
  no?.pointee = nil
  guard let source, let is_first, yes != nil || no != nil else {
    return fail(source == nil ? .missing : .invalid)
  }
  let (first, second) = source.partition(predicate(is_first, context))
  yes?.pointee = give(first)
  no?.pointee = give(second)
  return 0
}
