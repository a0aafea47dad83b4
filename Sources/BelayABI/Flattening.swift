import Belay
import CBelay

/// The signal that a callback of the host's returned.
private func returned(_ callback: () -> OpaquePointer?) throws(Failure) -> CSignal {
  let (handle, failure) = LastFailure.collecting(callback)
  guard let signal = take(handle, CSignal.self) else { throw failure ?? Failure(.invalid) }
  return signal
}

typealias Projection = (ForeignValue) throws(Failure) -> CSignal

/// An operator made with a callback that makes signals of values.
func projecting(
  _ map: belay_flat_map_fn?, _ ctx: UnsafeMutableRawPointer?, _ ctx_free: belay_free_fn?,
  _ apply: @escaping (CSignal, @escaping Projection) -> CSignal
) -> OpaquePointer? {
  let context = Context(ctx, ctx_free)
  guard let map else { return failed(.invalid) }
  return operation {
    apply($0) { (input: ForeignValue) throws(Failure) -> CSignal in
      defer { extendLifetime(context) }
      return try returned { map(ctx, exported(input)) }
    }
  }
}

@_cdecl("belay_op_flat_map")
@implementation
public func belay_op_flat_map(
  _ limit: Int, _ map: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  guard let limit = counted(limit) else {
    _ = Context(ctx, ctx_free)
    return failed(.invalid)
  }
  return projecting(map, ctx, ctx_free) { $0.flatMap(limit: limit, $1) }
}

@_cdecl("belay_op_concat_map")
@implementation
public func belay_op_concat_map(
  _ map: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  projecting(map, ctx, ctx_free) { $0.concatMap($1) }
}

@_cdecl("belay_op_switch_map")
@implementation
public func belay_op_switch_map(
  _ map: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  projecting(map, ctx, ctx_free) { $0.switchMap($1) }
}

@_cdecl("belay_op_exhaust_map")
@implementation
public func belay_op_exhaust_map(
  _ map: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  projecting(map, ctx, ctx_free) { $0.exhaustMap($1) }
}

@_cdecl("belay_op_expand")
@implementation
public func belay_op_expand(
  _ limit: Int, _ map: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  guard let limit = counted(limit) else {
    _ = Context(ctx, ctx_free)
    return failed(.invalid)
  }
  return projecting(map, ctx, ctx_free) { $0.expand(limit: limit, $1) }
}

// MARK: Signals of signals

private func opened(_ value: ForeignValue) throws(Failure) -> CSignal {
  guard let signal = value.handle(.signal) as? CSignal else { throw Failure(.wrongKind) }
  return signal
}

@_cdecl("belay_op_merge_all")
@implementation
public func belay_op_merge_all(_ limit: Int) -> OpaquePointer! {
  guard let limit = counted(limit) else { return failed(.invalid) }
  return operation { $0.mergeAll(limit: limit, opened) }
}

@_cdecl("belay_op_concat_all")
@implementation
public func belay_op_concat_all() -> OpaquePointer! { operation { $0.concatAll(opened) } }

@_cdecl("belay_op_switch_to_latest")
@implementation
public func belay_op_switch_to_latest() -> OpaquePointer! {
  operation { $0.switchToLatest(opened) }
}

// MARK: One after another

@_cdecl("belay_op_concat")
@implementation
public func belay_op_concat(_ others: UnsafePointer<OpaquePointer?>!, _ count: Int)
  -> OpaquePointer!
{
  guard let others = takeSignals(others, count) else { return nil }
  return operation { .concat([$0] + others) }
}

@_cdecl("belay_signal_concat")
@implementation
public func belay_signal_concat(_ signals: UnsafePointer<OpaquePointer?>!, _ count: Int)
  -> OpaquePointer!
{
  guard let signals = takeSignals(signals, count) else { return nil }
  return give(CSignal.concat(signals))
}

@_cdecl("belay_op_then")
@implementation
public func belay_op_then(_ next: OpaquePointer!) -> OpaquePointer! {
  guard let next = take(next, CSignal.self) else { return failed(invalid(next)) }
  return operation { $0.then(next) }
}

@_cdecl("belay_op_repeat")
@implementation
public func belay_op_repeat(_ count: Int) -> OpaquePointer! {
  operation { $0.repeat(counted(count) ?? 0) }
}

/// What the callback answers to a signal of events.
private func answered(
  _ answer: belay_when_fn, _ context: Context, _ events: CSignal
) throws(Failure) -> CSignal {
  try returned { answer(context.pointer, lend(events)) }
}

@_cdecl("belay_op_repeat_when")
@implementation
public func belay_op_repeat_when(
  _ answer: belay_when_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let answer else { return failed(.invalid) }
  return operation {
    $0.repeatWhen { (events: CSignal) throws(Failure) -> CSignal in
      try answered(answer, context, events)
    }
  }
}

// MARK: Errors

@_cdecl("belay_op_catch")
@implementation
public func belay_op_catch(
  _ recover: belay_catch_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let recover else { return failed(.invalid) }
  return operation {
    $0.catch { (failure: Failure) throws(Failure) -> CSignal in
      try returned { recover(context.pointer, lend(failure)) }
    }
  }
}

@_cdecl("belay_op_catch_to")
@implementation
public func belay_op_catch_to(_ value: belay_value) -> OpaquePointer! {
  let kept = Kept(taking: foreign(value))
  return operation { $0.catchTo(kept) }
}

@_cdecl("belay_op_retry")
@implementation
public func belay_op_retry(_ count: Int) -> OpaquePointer! {
  guard let count = counted(count) else { return failed(.invalid) }
  return operation { $0.retry(count) }
}

@_cdecl("belay_op_retry_when")
@implementation
public func belay_op_retry_when(
  _ answer: belay_when_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let answer else { return failed(.invalid) }
  return operation {
    $0.retryWhen { (errors: CSignal) throws(Failure) -> CSignal in
      try answered(answer, context, errors)
    }
  }
}

@_cdecl("belay_op_retry_backoff")
@implementation
public func belay_op_retry_backoff(
  _ scheduler: OpaquePointer!, _ seconds: Double, _ factor: Double, _ max_seconds: Double,
  _ jitter: Double, _ attempts: Int
) -> OpaquePointer! {
  // Not a number compares with nothing.
  guard let scheduler = object(scheduler, Scheduler.self), seconds >= 0, factor >= 0,
    max_seconds >= 0, jitter >= 0, jitter <= 1,
    let attempts = counted(attempts)
  else { return failed(invalid(scheduler)) }
  let backoff = Backoff(nanoseconds: seconds * 1e9, factor, max_seconds * 1e9, jitter)
  return operation {
    $0.retryBackoff(backoff, attempts: attempts, on: scheduler)
  }
}

@_cdecl("belay_op_merge_delay_error")
@implementation
public func belay_op_merge_delay_error(_ others: UnsafePointer<OpaquePointer?>!, _ count: Int)
  -> OpaquePointer!
{
  guard let others = takeSignals(others, count) else { return nil }
  return operation { .mergeDelayError([$0] + others) }
}

@_cdecl("belay_signal_merge_delay_error")
@implementation
public func belay_signal_merge_delay_error(
  _ signals: UnsafePointer<OpaquePointer?>!, _ count: Int
) -> OpaquePointer! {
  guard let signals = takeSignals(signals, count) else { return nil }
  return give(CSignal.mergeDelayError(signals))
}

@_cdecl("belay_op_attempt")
@implementation
public func belay_op_attempt(
  _ action: belay_attempt_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let action else { return failed(.invalid) }
  return operation {
    $0.attempt { (input: ForeignValue) throws(Failure) in
      _ = try truth { action(context.pointer, exported(input)) }
    }
  }
}
