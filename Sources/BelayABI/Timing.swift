@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares. The functions
// `operation` (OperatorCall.swift) check the arguments for all operators.

@_cdecl("belay_op_debounce")
@implementation
public func belay_op_debounce(_ scheduler: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  operation(.debounce, on: scheduler, seconds, atLeast: 1)
}

@_cdecl("belay_op_debounce_if")
@implementation
public func belay_op_debounce_if(
  _ scheduler: OpaquePointer!, _ seconds: Double, _ waits: belay_predicate_fn!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let made = Operator(.debounceIf, code(waits), ctx, ctx_free)
  if waits == nil { return failed(invalid(scheduler)) }
  return timed(made, on: scheduler, seconds, atLeast: 1)
}

@_cdecl("belay_op_throttle")
@implementation
public func belay_op_throttle(
  _ scheduler: OpaquePointer!, _ seconds: Double, _ leading: Int32, _ trailing: Int32
) -> OpaquePointer! {
  operation(
    .throttle, on: scheduler, seconds, atLeast: 1,
    number: (leading != 0 ? 1 : 0) | (trailing != 0 ? 2 : 0))
}

@_cdecl("belay_op_audit")
@implementation
public func belay_op_audit(_ scheduler: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  operation(.audit, on: scheduler, seconds, atLeast: 1)
}

@_cdecl("belay_op_sample")
@implementation
public func belay_op_sample(_ notifier: OpaquePointer!) -> OpaquePointer! {
  operation(.sample, with: notifier)
}

@_cdecl("belay_op_sample_time")
@implementation
public func belay_op_sample_time(_ scheduler: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  operation(.sampleTime, on: scheduler, seconds, atLeast: 1)
}

@_cdecl("belay_op_delay")
@implementation
public func belay_op_delay(_ scheduler: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  operation(.delay, on: scheduler, seconds, atLeast: .min)
}

@_cdecl("belay_op_delay_subscription")
@implementation
public func belay_op_delay_subscription(_ scheduler: OpaquePointer!, _ seconds: Double)
  -> OpaquePointer!
{
  operation(.delaySubscription, on: scheduler, seconds, atLeast: .min)
}

@_cdecl("belay_op_timeout")
@implementation
public func belay_op_timeout(
  _ scheduler: OpaquePointer!, _ seconds: Double, _ fallback: OpaquePointer!
) -> OpaquePointer! {
  let made = Operator(.timeout)
  made.fallback = take(fallback, CSignal.self)
  return timed(made, on: scheduler, seconds, atLeast: 1)
}

@_cdecl("belay_op_throttle_while")
@implementation
public func belay_op_throttle_while(_ condition: OpaquePointer!) -> OpaquePointer! {
  operation(.throttleWhile, with: condition)
}

/// An operator whose periods the callback makes.
private func paced(
  _ pacing: Pacing, _ period: belay_flat_map_fn?, _ ctx: UnsafeMutableRawPointer?,
  _ ctxFree: belay_free_fn?, first: OpaquePointer? = nil, fallback: OpaquePointer? = nil
) -> OpaquePointer? {
  let made = Operator(.paced, code(period), ctx, ctxFree)
  made.pacing = pacing
  made.signal = take(first, CSignal.self)
  made.fallback = take(fallback, CSignal.self)
  return period == nil ? failed(.invalid) : give(made)
}

@_cdecl("belay_op_debounce_when")
@implementation
public func belay_op_debounce_when(
  _ period: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  paced(.debounce, period, ctx, ctx_free)
}

@_cdecl("belay_op_throttle_when")
@implementation
public func belay_op_throttle_when(
  _ period: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!,
  _ leading: Int32, _ trailing: Int32
) -> OpaquePointer! {
  paced(.throttle(leading: leading != 0, trailing: trailing != 0), period, ctx, ctx_free)
}

@_cdecl("belay_op_audit_when")
@implementation
public func belay_op_audit_when(
  _ period: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  paced(.audit, period, ctx, ctx_free)
}

@_cdecl("belay_op_timeout_when")
@implementation
public func belay_op_timeout_when(
  _ first: OpaquePointer!, _ fallback: OpaquePointer!, _ period: belay_flat_map_fn!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  paced(.timeout, period, ctx, ctx_free, first: first, fallback: fallback)
}

@_cdecl("belay_op_delay_when")
@implementation
public func belay_op_delay_when(
  _ period: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.delayWhen, code(period), ctx, ctx_free)
}

@_cdecl("belay_op_observe_on")
@implementation
public func belay_op_observe_on(
  _ scheduler: OpaquePointer!, _ options: UnsafePointer<belay_queue_options>!
) -> OpaquePointer! {
  guard let scheduler = object(scheduler, Scheduler.self) else { return failed(invalid(scheduler)) }
  guard let made = queueOptions(options) else { return failed(.invalid) }
  return operation { $0.observe(on: scheduler, made) }
}

@_cdecl("belay_op_subscribe_on")
@implementation
public func belay_op_subscribe_on(_ scheduler: OpaquePointer!) -> OpaquePointer! {
  operation(.subscribeOn, on: scheduler, 0, atLeast: 0)
}
