@_spi(Engine) import Belay
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares.

@_cdecl("belay_signal_create")
@implementation
public func belay_signal_create(
  _ subscribe: belay_subscribe_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!,
  _ options: UnsafePointer<belay_source_options>!
) -> OpaquePointer! {
  guard let subscribe, let options = sourceOptions(options) else {
    Context.free(ctx, ctx_free)
    return subscribe == nil ? failed(.invalid) : nil
  }
  return give(ForeignCreateSignal(options, subscribe, ctx, ctx_free))
}

/// A cold signal whose producer is a C function.
private final class ForeignCreateSignal: CreateSignal<ForeignValue>, @unchecked Sendable {
  private let producer: belay_subscribe_fn
  private let ctx: UnsafeMutableRawPointer?
  private let ctxFree: FreeFunction?

  init(
    _ options: SourceOptions, _ producer: @escaping belay_subscribe_fn,
    _ ctx: UnsafeMutableRawPointer?, _ ctxFree: FreeFunction?
  ) {
    self.producer = producer
    self.ctx = ctx
    self.ctxFree = ctxFree
    super.init(options, staysForTeardown: true)
  }

  deinit { Context.free(ctx, ctxFree) }

  override func produce(_ subscriber: Subscriber<ForeignValue>) -> Disposable? {
    BelayABI.take(LastFailure.isolating { producer(ctx, lend(subscriber)) }, Disposable.self)
  }
}

@_cdecl("belay_signal_just")
@implementation
public func belay_signal_just(_ value: belay_value) -> OpaquePointer! {
  give(CSignal.just(foreign(value)))
}

@_cdecl("belay_signal_from")
@implementation
public func belay_signal_from(_ items: UnsafePointer<belay_value>!, _ count: Int) -> OpaquePointer!
{
  takeValues(items, count).flatMap { give(CSignal.from($0)) }
}

@_cdecl("belay_signal_empty")
@implementation
public func belay_signal_empty() -> OpaquePointer! { give(CSignal.empty()) }

@_cdecl("belay_signal_never")
@implementation
public func belay_signal_never() -> OpaquePointer! { give(CSignal.never()) }

@_cdecl("belay_signal_error")
@implementation
public func belay_signal_error(_ error: OpaquePointer!) -> OpaquePointer! {
  guard let failure = failure(error) else { return failed(invalid(error)) }
  return give(CSignal.error(failure))
}

@_cdecl("belay_signal_defer")
@implementation
public func belay_signal_defer(
  _ make: belay_make_signal_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let make else { return failed(.invalid) }
  return give(
    CSignal.defer { () throws(Failure) -> CSignal in
      defer { extendLifetime(context) }
      return try produced(CSignal.self) { make(ctx) }
    })
}

@_cdecl("belay_signal_range")
@implementation
public func belay_signal_range(_ start: Int64, _ count: UInt64) -> OpaquePointer! {
  if count == 0 { return give(CSignal.empty()) }
  // The distance from the start fits into 64 bits without a sign, whatever sign the start has.
  guard count - 1 <= UInt64(bitPattern: Int64.max &- start) else { return failed(.range) }
  let last = Int64(bitPattern: UInt64(bitPattern: start) &+ (count - 1))
  return give(
    CSignal.range(from: start, through: last) {
      ForeignValue(scalar: UInt64(bitPattern: $0), .int64)
    })
}

@_cdecl("belay_signal_generate")
@implementation
public func belay_signal_generate(
  _ initial: belay_value, _ condition: belay_predicate_fn!, _ next: belay_map_fn!,
  _ result: belay_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  let initial = Kept(taking: foreign(initial))
  guard let next else { return failed(.invalid) }
  return give(
    CSignal.generate(
      initial,
      while: { (state: ForeignValue) throws(Failure) -> Bool in
        defer { extendLifetime(context) }
        guard let condition else { return true }
        return try truth { condition(ctx, exported(state)) }
      },
      next: { (state: ForeignValue) throws(Failure) -> ForeignValue in
        defer { extendLifetime(context) }
        return try value { next(ctx, exported(state)) }
      },
      result: { (state: ForeignValue) throws(Failure) -> ForeignValue in
        defer { extendLifetime(context) }
        if let result { return try value { result(ctx, exported(state)) } }
        keep(state)
        return state
      }))
}

@_cdecl("belay_signal_from_iterator")
@implementation
public func belay_signal_from_iterator(
  _ next: belay_iterate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let next else { return failed(.invalid) }
  return give(
    CSignal.fromIterator { () throws(Failure) -> ForeignValue? in
      defer { extendLifetime(context) }
      var out = exported(.null)
      let hasValue = try truth { next(ctx, &out) }
      return hasValue ? foreign(out) : nil
    })
}

@_cdecl("belay_signal_from_result")
@implementation
public func belay_signal_from_result(_ result: belay_value) -> OpaquePointer! {
  let result = foreign(result)
  guard let box = result.entity as? FailureBox else { return give(CSignal.just(result)) }
  let failure = box.failure
  discard(result)
  return give(CSignal.error(failure))
}

@_cdecl("belay_signal_from_optional")
@implementation
public func belay_signal_from_optional(_ value: belay_value) -> OpaquePointer! {
  let value = foreign(value)
  return give(CSignal.from(optional: value.kind == .null ? nil : value))
}

@_cdecl("belay_signal_repeat_value")
@implementation
public func belay_signal_repeat_value(_ value: belay_value, _ count: Int) -> OpaquePointer! {
  let kept = Kept(taking: foreign(value))
  return give(CSignal.repeatValue(kept, count: count < 0 ? nil : count))
}

@_cdecl("belay_signal_using")
@implementation
public func belay_signal_using(
  _ make: belay_make_resource_fn!, _ use: belay_use_resource_fn!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let make, let use else { return failed(.invalid) }
  typealias Resource = UnsafeMutableRawPointer?
  return give(
    CSignal.using(
      paired: { () throws(Failure) -> (Disposable, Resource) in
        defer { extendLifetime(context) }
        var resource: Resource = nil
        let disposable = try produced(Disposable.self) { make(ctx, &resource) }
        return (disposable, resource)
      },
      { (resource: Resource) throws(Failure) -> CSignal in
        defer { extendLifetime(context) }
        return try produced(CSignal.self) { use(ctx, resource) }
      }))
}

@_cdecl("belay_signal_start")
@implementation
public func belay_signal_start(
  _ scheduler: OpaquePointer!, _ work: belay_produce_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  start(scheduler, work, ctx, ctx_free) { .start(on: $0, $1) }
}

@_cdecl("belay_signal_start_eagerly")
@implementation
public func belay_signal_start_eagerly(
  _ scheduler: OpaquePointer!, _ work: belay_produce_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  start(scheduler, work, ctx, ctx_free) { scheduler, work in
    LastFailure.isolating { .startEagerly(on: scheduler, work) }
  }
}

private func start(
  _ scheduler: OpaquePointer?, _ work: belay_produce_fn?, _ ctx: UnsafeMutableRawPointer?,
  _ ctx_free: belay_free_fn?,
  _ make: (Scheduler, @escaping () throws(Failure) -> ForeignValue) -> CSignal
) -> OpaquePointer? {
  let context = Context(ctx, ctx_free)
  guard let work, let scheduler = object(scheduler, Scheduler.self) else {
    return failed(invalid(scheduler))
  }
  return give(
    make(scheduler) { () throws(Failure) -> ForeignValue in
      defer { extendLifetime(context) }
      return try value { work(ctx) }
    })
}

private func counted(_ number: UInt64) -> ForeignValue { ForeignValue(scalar: number, .uint64) }

@_cdecl("belay_signal_timer")
@implementation
public func belay_signal_timer(_ s: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  guard let scheduler = object(s, Scheduler.self), let delay = nanoseconds(seconds) else {
    return failed(invalid(s))
  }
  return give(CSignal.timer(after: delay, on: scheduler, convert: counted))
}

@_cdecl("belay_signal_interval")
@implementation
public func belay_signal_interval(_ s: OpaquePointer!, _ seconds: Double) -> OpaquePointer! {
  guard let scheduler = object(s, Scheduler.self), let step = nanoseconds(seconds), step > 0 else {
    return failed(invalid(s))
  }
  return give(CSignal.interval(step, on: scheduler, convert: counted))
}
