@_spi(Engine) import Belay
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares. The functions
// `operation` (OperatorCall.swift) check the arguments for all operators.

@_cdecl("belay_op_flat_map")
@implementation
public func belay_op_flat_map(
  _ limit: Int, _ map: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.flatMap, code(map), ctx, ctx_free, limit: limit)
}

@_cdecl("belay_op_concat_map")
@implementation
public func belay_op_concat_map(
  _ map: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.concatMap, code(map), ctx, ctx_free)
}

@_cdecl("belay_op_switch_map")
@implementation
public func belay_op_switch_map(
  _ map: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.switchMap, code(map), ctx, ctx_free)
}

@_cdecl("belay_op_exhaust_map")
@implementation
public func belay_op_exhaust_map(
  _ map: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.exhaustMap, code(map), ctx, ctx_free)
}

@_cdecl("belay_op_expand")
@implementation
public func belay_op_expand(
  _ limit: Int, _ map: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.expand, code(map), ctx, ctx_free, limit: limit)
}

// MARK: Signals of signals

@_cdecl("belay_op_merge_all")
@implementation
public func belay_op_merge_all(_ limit: Int) -> OpaquePointer! {
  operation(.mergeAll, limit: limit)
}

@_cdecl("belay_op_concat_all")
@implementation
public func belay_op_concat_all() -> OpaquePointer! {
  operation(.concatAll)
}

@_cdecl("belay_op_switch_to_latest")
@implementation
public func belay_op_switch_to_latest() -> OpaquePointer! {
  operation(.switchToLatest)
}

// MARK: Several signals at once

@_cdecl("belay_op_merge")
@implementation
public func belay_op_merge(_ others: UnsafePointer<OpaquePointer?>!, _ count: Int) -> OpaquePointer!
{
  operation(.merge, others, count)
}

@_cdecl("belay_signal_merge")
@implementation
public func belay_signal_merge(_ signals: UnsafePointer<OpaquePointer?>!, _ count: Int)
  -> OpaquePointer!
{
  takeSignals(signals, count).flatMap { give(CSignal.merge($0)) }
}

@_cdecl("belay_op_merge_delay_error")
@implementation
public func belay_op_merge_delay_error(_ others: UnsafePointer<OpaquePointer?>!, _ count: Int)
  -> OpaquePointer!
{
  operation(.mergeDelayError, others, count)
}

@_cdecl("belay_signal_merge_delay_error")
@implementation
public func belay_signal_merge_delay_error(
  _ signals: UnsafePointer<OpaquePointer?>!, _ count: Int
) -> OpaquePointer! {
  takeSignals(signals, count).flatMap { give(CSignal.mergeDelayError($0)) }
}

// MARK: One after another

@_cdecl("belay_op_concat")
@implementation
public func belay_op_concat(_ others: UnsafePointer<OpaquePointer?>!, _ count: Int)
  -> OpaquePointer!
{
  operation(.concat, others, count)
}

@_cdecl("belay_signal_concat")
@implementation
public func belay_signal_concat(_ signals: UnsafePointer<OpaquePointer?>!, _ count: Int)
  -> OpaquePointer!
{
  takeSignals(signals, count).flatMap { give(CSignal.concat($0)) }
}

@_cdecl("belay_op_then")
@implementation
public func belay_op_then(_ next: OpaquePointer!) -> OpaquePointer! {
  operation(.then, with: next)
}

@_cdecl("belay_op_repeat")
@implementation
public func belay_op_repeat(_ count: Int) -> OpaquePointer! {
  operation(.repeat, counted(count) ?? 0)
}

@_cdecl("belay_op_repeat_when")
@implementation
public func belay_op_repeat_when(
  _ answer: belay_when_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.repeatWhen, code(answer), ctx, ctx_free)
}

// MARK: Errors

@_cdecl("belay_op_catch")
@implementation
public func belay_op_catch(
  _ recover: belay_catch_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.catch, code(recover), ctx, ctx_free)
}

@_cdecl("belay_op_catch_to")
@implementation
public func belay_op_catch_to(_ value: belay_value) -> OpaquePointer! {
  operation(.catchTo, value)
}

@_cdecl("belay_op_retry")
@implementation
public func belay_op_retry(_ count: Int) -> OpaquePointer! {
  operation(.retry, limit: count)
}

@_cdecl("belay_op_retry_when")
@implementation
public func belay_op_retry_when(
  _ answer: belay_when_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.retryWhen, code(answer), ctx, ctx_free)
}

@_cdecl("belay_op_retry_backoff")
@implementation
public func belay_op_retry_backoff(
  _ scheduler: OpaquePointer!, _ seconds: Double, _ factor: Double, _ max_seconds: Double,
  _ jitter: Double, _ attempts: Int, _ reset_on_value: Int32
) -> OpaquePointer! {
  // A NaN fails each of these comparisons.
  guard let scheduler = object(scheduler, Scheduler.self), seconds >= 0, factor >= 0,
    max_seconds >= 0, jitter >= 0, jitter <= 1,
    let attempts = counted(attempts)
  else { return failed(invalid(scheduler)) }
  let backoff = Backoff(
    nanoseconds: seconds * 1e9, factor, max_seconds * 1e9, jitter, reset_on_value != 0)
  return operation {
    $0.retryBackoff(backoff, attempts: attempts, on: scheduler)
  }
}

@_cdecl("belay_op_attempt")
@implementation
public func belay_op_attempt(
  _ action: belay_attempt_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.attempt, code(action), ctx, ctx_free)
}
