import Belay
import CBelay

@_cdecl("belay_op_default_if_empty")
@implementation
public func belay_op_default_if_empty(_ fallback: belay_value) -> OpaquePointer! {
  let fallback = Kept(taking: foreign(fallback))
  return operation { $0.defaultIfEmpty(fallback) }
}

@_cdecl("belay_op_switch_if_empty")
@implementation
public func belay_op_switch_if_empty(_ other: OpaquePointer!) -> OpaquePointer! {
  guard let other = take(other, CSignal.self) else { return failed(invalid(other)) }
  return operation { $0.switchIfEmpty(other) }
}

@_cdecl("belay_op_contains")
@implementation
public func belay_op_contains(_ wanted: belay_value) -> OpaquePointer! {
  let wanted = Kept(taking: foreign(wanted))
  return operation {
    $0.predicate("contains", true, ForeignValue.init) { $0.isEqual(to: wanted.value) }
  }
}

@_cdecl("belay_op_all")
@implementation
public func belay_op_all(
  _ right: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let right else { return failed(.invalid) }
  let isRight = predicate(right, context)
  return operation {
    $0.predicate("all", false, ForeignValue.init) { (input: ForeignValue) throws(Failure) -> Bool in
      try !isRight(input)
    }
  }
}

@_cdecl("belay_op_any")
@implementation
public func belay_op_any(
  _ wanted: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let wanted else { return failed(.invalid) }
  return operation { $0.predicate("any", true, ForeignValue.init, predicate(wanted, context)) }
}

@_cdecl("belay_op_is_empty")
@implementation
public func belay_op_is_empty() -> OpaquePointer! {
  operation { $0.predicate("is_empty", false, ForeignValue.init) { _ in true } }
}

@_cdecl("belay_op_count")
@implementation
public func belay_op_count() -> OpaquePointer! {
  operation {
    $0.statistic(
      "count", 0 as UInt64, { (count: inout UInt64, _) in count += 1 },
      { ForeignValue(scalar: $0, .uint64) })
  }
}

/// The order that a callback of the host's says, or that of numbers and strings.
private func order(
  _ less: belay_less_fn?, _ context: Context
) -> (ForeignValue, ForeignValue) throws(Failure) -> Bool {
  { (one: ForeignValue, two: ForeignValue) throws(Failure) -> Bool in
    guard let less else { return try one.isLess(than: two) }
    return try truth { less(context.pointer, exported(one), exported(two)) }
  }
}

@_cdecl("belay_op_min")
@implementation
public func belay_op_min(
  _ less: belay_less_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  return operation { $0.min(by: order(less, context)) }
}

@_cdecl("belay_op_max")
@implementation
public func belay_op_max(
  _ less: belay_less_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  return operation { $0.max(by: order(less, context)) }
}

@_cdecl("belay_op_sum")
@implementation
public func belay_op_sum() -> OpaquePointer! {
  operation {
    $0.statistic(
      "sum", ForeignSum(),
      { (sum: inout ForeignSum, input: ForeignValue) throws(Failure) in try sum.add(input) },
      { $0.result })
  }
}

@_cdecl("belay_op_average")
@implementation
public func belay_op_average() -> OpaquePointer! {
  operation {
    $0.statistic(
      "average", Mean<Double>(),
      { (mean: inout Mean<Double>, input: ForeignValue) throws(Failure) in
        mean.add(try input.number().double)
      },
      { mean in mean.result.map { ForeignValue(scalar: $0.bitPattern, .double) } })
  }
}
