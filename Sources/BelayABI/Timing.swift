import Belay
import BelayLoop
import CBelay

/// An operator on a scheduler with a window, which is above 0.
private func windowed(
  _ scheduler: OpaquePointer?, _ seconds: Double,
  _ apply: @escaping (CSignal, Scheduler, Int64) -> CSignal
) -> OpaquePointer? {
  guard let scheduler = object(scheduler, Scheduler.self), let span = nanoseconds(seconds),
    span > 0
  else { return failed(invalid(scheduler)) }
  return operation { apply($0, scheduler, span) }
}

/// The same with a time that may be 0; negative ones count as that.
private func timed(
  _ scheduler: OpaquePointer?, _ seconds: Double,
  _ apply: @escaping (CSignal, Scheduler, Int64) -> CSignal
) -> OpaquePointer? {
  guard let scheduler = object(scheduler, Scheduler.self), let span = nanoseconds(seconds)
  else { return failed(invalid(scheduler)) }
  return operation { apply($0, scheduler, max(0, span)) }
}

@_cdecl("belay_op_debounce")
@implementation
public func belay_op_debounce(_ scheduler: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  windowed(scheduler, seconds) { $0.debounce($2, on: $1) }
}

@_cdecl("belay_op_debounce_if")
@implementation
public func belay_op_debounce_if(
  _ scheduler: OpaquePointer!, _ seconds: Double, _ waits: belay_predicate_fn!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let waits else { return failed(.invalid) }
  return windowed(scheduler, seconds) {
    $0.debounce($2, on: $1) { (input: ForeignValue) throws(Failure) -> Bool in
      try truth { waits(context.pointer, exported(input)) }
    }
  }
}

@_cdecl("belay_op_throttle")
@implementation
public func belay_op_throttle(
  _ scheduler: OpaquePointer!, _ seconds: Double, _ leading: Int32, _ trailing: Int32
) -> OpaquePointer! {
  windowed(scheduler, seconds) {
    $0.throttle($2, leading: leading != 0, trailing: trailing != 0, on: $1)
  }
}

@_cdecl("belay_op_audit")
@implementation
public func belay_op_audit(_ scheduler: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  windowed(scheduler, seconds) { $0.audit($2, on: $1) }
}

@_cdecl("belay_op_sample")
@implementation
public func belay_op_sample(_ notifier: OpaquePointer!) -> OpaquePointer! {
  guard let notifier = take(notifier, CSignal.self) else { return failed(invalid(notifier)) }
  return operation { $0.sample(notifier) }
}

@_cdecl("belay_op_sample_time")
@implementation
public func belay_op_sample_time(_ scheduler: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  windowed(scheduler, seconds) { $0.sample(every: $2, on: $1) }
}

@_cdecl("belay_op_delay")
@implementation
public func belay_op_delay(_ scheduler: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  timed(scheduler, seconds) { $0.delay($2, on: $1) }
}

@_cdecl("belay_op_delay_subscription")
@implementation
public func belay_op_delay_subscription(_ scheduler: OpaquePointer!, _ seconds: Double)
  -> OpaquePointer!
{
  timed(scheduler, seconds) { $0.delaySubscription($2, on: $1) }
}

@_cdecl("belay_op_timeout")
@implementation
public func belay_op_timeout(
  _ scheduler: OpaquePointer!, _ seconds: Double, _ fallback: OpaquePointer!
) -> OpaquePointer! {
  let fallback = take(fallback, CSignal.self)
  return windowed(scheduler, seconds) { $0.timeout($2, fallback: fallback, on: $1) }
}

@_cdecl("belay_op_throttle_while")
@implementation
public func belay_op_throttle_while(_ condition: OpaquePointer!) -> OpaquePointer! {
  guard let condition = take(condition, CSignal.self) else { return failed(invalid(condition)) }
  return operation {
    $0.throttle(while: condition) { (value: ForeignValue) throws(Failure) -> Bool in
      switch value.bool() {
      case .thing(let isTrue): return isTrue
      case .refused(let code): throw Failure(code)
      }
    }
  }
}

@_cdecl("belay_op_observe_on")
@implementation
public func belay_op_observe_on(
  _ scheduler: OpaquePointer!, _ options: UnsafePointer<belay_queue_options>!
) -> OpaquePointer! {
  guard let scheduler = object(scheduler, Scheduler.self) else { return failed(invalid(scheduler)) }
  var made = QueueOptions()
  if let options {
    guard let given = known(options),
      let policy = QueuePolicy(rawValue: Int32(bitPattern: given.policy.rawValue))
    else { return failed(.invalid) }
    made.policy = policy
    if given.capacity != 0 { made.capacity = given.capacity < 0 ? .max : given.capacity }
    if let word = given.high_water { made.highWaterMark = HighWaterMark(copyingTo: word) }
  }
  return operation { [made] in $0.observe(on: scheduler, made) }
}

@_cdecl("belay_op_subscribe_on")
@implementation
public func belay_op_subscribe_on(_ scheduler: OpaquePointer!) -> OpaquePointer! {
  guard let scheduler = object(scheduler, Scheduler.self) else { return failed(invalid(scheduler)) }
  return operation { $0.subscribe(on: scheduler) }
}
