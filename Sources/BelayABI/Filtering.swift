import Belay
import CBelay

typealias CPredicate = (ForeignValue) throws(Failure) -> Bool

/// A predicate of the host's.
func predicate(_ callback: @escaping belay_predicate_fn, _ context: Context) -> CPredicate {
  { (input: ForeignValue) throws(Failure) -> Bool in
    try truth { callback(context.pointer, exported(input)) }
  }
}

@_cdecl("belay_op_skip")
@implementation
public func belay_op_skip(_ count: UInt64) -> OpaquePointer! {
  operation { $0.skip(Int(clamping: count)) }
}

@_cdecl("belay_op_take_last")
@implementation
public func belay_op_take_last(_ count: UInt64) -> OpaquePointer! {
  operation { $0.takeLast(Int(clamping: count)) }
}

@_cdecl("belay_op_skip_last")
@implementation
public func belay_op_skip_last(_ count: UInt64) -> OpaquePointer! {
  operation { $0.skipLast(Int(clamping: count)) }
}

@_cdecl("belay_op_take_while")
@implementation
public func belay_op_take_while(
  _ keep: belay_predicate_fn!, _ inclusive: Int32, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let keep else { return failed(.invalid) }
  return operation { $0.takeWhile(inclusive: inclusive != 0, predicate(keep, context)) }
}

@_cdecl("belay_op_skip_while")
@implementation
public func belay_op_skip_while(
  _ drop: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let drop else { return failed(.invalid) }
  return operation { $0.skipWhile(predicate(drop, context)) }
}

@_cdecl("belay_op_skip_until")
@implementation
public func belay_op_skip_until(_ trigger: OpaquePointer!) -> OpaquePointer! {
  guard let trigger = take(trigger, CSignal.self) else { return failed(invalid(trigger)) }
  return operation { $0.skipUntil(trigger) }
}

/// The scheduler and the nanoseconds of an operator; nil when they are none.
private func time(_ scheduler: OpaquePointer?, _ seconds: Double) -> (Scheduler, Int64)? {
  guard let scheduler = object(scheduler, Scheduler.self), let span = nanoseconds(seconds),
    span >= 0
  else { return nil }
  return (scheduler, span)
}

@_cdecl("belay_op_take_for")
@implementation
public func belay_op_take_for(_ scheduler: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  guard let (scheduler, span) = time(scheduler, seconds) else { return failed(invalid(scheduler)) }
  return operation { $0.takeFor(span, on: scheduler) }
}

@_cdecl("belay_op_skip_for")
@implementation
public func belay_op_skip_for(_ scheduler: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  guard let (scheduler, span) = time(scheduler, seconds) else { return failed(invalid(scheduler)) }
  return operation { $0.skipFor(span, on: scheduler) }
}

@_cdecl("belay_op_element_at")
@implementation
public func belay_op_element_at(_ index: UInt64) -> OpaquePointer! {
  operation { $0.elementAt(Int(clamping: index)) }
}

@_cdecl("belay_op_element_at_or")
@implementation
public func belay_op_element_at_or(_ index: UInt64, _ fallback: belay_value) -> OpaquePointer! {
  let fallback = Kept(taking: foreign(fallback))
  return operation { $0.elementAt(Int(clamping: index), default: fallback) }
}

@_cdecl("belay_op_first")
@implementation
public func belay_op_first(
  _ wanted: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  return operation { $0.first(where: wanted.map { predicate($0, context) }) }
}

@_cdecl("belay_op_last")
@implementation
public func belay_op_last(
  _ wanted: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  return operation { $0.last(where: wanted.map { predicate($0, context) }) }
}

@_cdecl("belay_op_single")
@implementation
public func belay_op_single(
  _ wanted: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  return operation { $0.single(where: wanted.map { predicate($0, context) }) }
}

@_cdecl("belay_op_find")
@implementation
public func belay_op_find(
  _ wanted: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let wanted else { return failed(.invalid) }
  return operation { $0.find(predicate(wanted, context)) }
}

@_cdecl("belay_op_ignore_elements")
@implementation
public func belay_op_ignore_elements() -> OpaquePointer! { operation { $0.ignoreElements() } }

@_cdecl("belay_op_ignore")
@implementation
public func belay_op_ignore(_ unwanted: belay_value) -> OpaquePointer! {
  let unwanted = Kept(taking: foreign(unwanted))
  return operation { $0.ignore(unwanted) { $0.isEqual(to: $1) } }
}

@_cdecl("belay_op_distinct")
@implementation
public func belay_op_distinct(
  _ key: belay_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  return operation {
    $0.distinct(
      { (input: ForeignValue) throws(Failure) -> ForeignValue in
        if let key { return try value { key(context.pointer, exported(input)) } }
        Belay.keep(input)
        return input
      }, hash: { $0.hash }, areEqual: { $0.isEqual(to: $1) })
  }
}

@_cdecl("belay_op_take_until_replacement")
@implementation
public func belay_op_take_until_replacement(_ replacement: OpaquePointer!) -> OpaquePointer! {
  guard let replacement = take(replacement, CSignal.self) else {
    return failed(invalid(replacement))
  }
  return operation { $0.takeUntilReplacement(replacement) }
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
  guard let source, let is_first else { return fail(source == nil ? .missing : .invalid) }
  let (first, second) = source.partition(predicate(is_first, context))
  yes?.pointee = give(first)
  no?.pointee = give(second)
  return 0
}
