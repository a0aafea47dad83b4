import Belay
import BelayLoop
import CBelay

/// An array of two values, which are borrowed.
private func pair(_ first: ForeignValue, _ second: ForeignValue) -> ForeignValue {
  keep(first)
  keep(second)
  return gathered([first, second])
}

private func timed(_ nanoseconds: Int64, _ value: ForeignValue) -> ForeignValue {
  pair(ForeignValue(scalar: seconds(nanoseconds).bitPattern, .double), value)
}

private func signalValue(_ signal: CSignal) -> ForeignValue { ForeignValue(taking: signal) }

@_cdecl("belay_op_map_to")
@implementation
public func belay_op_map_to(_ value: belay_value) -> OpaquePointer! {
  let kept = Kept(taking: foreign(value))
  return operation { $0.mapTo(kept) }
}

@_cdecl("belay_op_compact_map")
@implementation
public func belay_op_compact_map(
  _ map: belay_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let map else { return failed(.invalid) }
  return operation {
    $0.compactMap { (input: ForeignValue) throws(Failure) -> ForeignValue? in
      defer { extendLifetime(context) }
      let output = try value { map(ctx, exported(input)) }
      return output.kind == .null ? nil : output
    }
  }
}

@_cdecl("belay_op_map_error")
@implementation
public func belay_op_map_error(
  _ map: belay_map_error_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let map else { return failed(.invalid) }
  return operation {
    $0.mapError { failure in
      defer { extendLifetime(context) }
      do throws(Failure) {
        return try produced(Failure.self) { map(ctx, lend(failure)) }
      } catch {
        return error
      }
    }
  }
}

@_cdecl("belay_op_reduce")
@implementation
public func belay_op_reduce(
  _ seed: belay_value, _ step: belay_scan_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  let seed = Kept(taking: foreign(seed))
  guard let step else { return failed(.invalid) }
  return operation {
    $0.reduce(seed) { (before: ForeignValue, input: ForeignValue) throws(Failure) -> ForeignValue in
      defer { extendLifetime(context) }
      return try value { step(ctx, exported(before), exported(input)) }
    }
  }
}

@_cdecl("belay_op_enumerated")
@implementation
public func belay_op_enumerated() -> OpaquePointer! {
  operation {
    $0.enumerated { pair(ForeignValue(scalar: UInt64(bitPattern: Int64($0)), .uint64), $1) }
  }
}

@_cdecl("belay_op_with_owner")
@implementation
public func belay_op_with_owner(_ owner: OpaquePointer!) -> OpaquePointer! {
  guard let owner = object(owner, OwnerRecord.self) else { return failed(invalid(owner)) }
  return operation {
    $0.withOwner(owner) { owner, value in
      keep(value)
      return gathered([ForeignValue(taking: OwnerBox(owner)), value])
    }
  }
}

@_cdecl("belay_op_pairwise")
@implementation
public func belay_op_pairwise() -> OpaquePointer! { operation { $0.pairwise(gather: pair) } }

@_cdecl("belay_op_collect")
@implementation
public func belay_op_collect() -> OpaquePointer! { operation { $0.collect(gather: gathered) } }

@_cdecl("belay_op_buffer_skip")
@implementation
public func belay_op_buffer_skip(_ count: Int, _ skip: Int) -> OpaquePointer! {
  guard let count = counted(count), let skip = counted(skip) else { return failed(.invalid) }
  return operation { $0.buffer(count, skip: skip, gather: gathered) }
}

@_cdecl("belay_op_window")
@implementation
public func belay_op_window(_ count: Int, _ skip: Int) -> OpaquePointer! {
  guard let count = counted(count), let skip = counted(skip) else { return failed(.invalid) }
  return operation { $0.window(count, skip: skip, gather: signalValue) }
}

@_cdecl("belay_op_window_time")
@implementation
public func belay_op_window_time(_ scheduler: OpaquePointer!, _ seconds: Double, _ count: Int)
  -> OpaquePointer!
{
  guard let scheduler = object(scheduler, Scheduler.self), let span = nanoseconds(seconds),
    span > 0, let count = counted(count)
  else { return failed(invalid(scheduler)) }
  return operation {
    $0.window(every: span, count: count, on: scheduler, gather: signalValue)
  }
}

@_cdecl("belay_op_window_toggle")
@implementation
public func belay_op_window_toggle(
  _ openings: OpaquePointer!, _ closing: belay_flat_map_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let openings = take(openings, CSignal.self)
  return projecting(openings == nil ? nil : closing, ctx, ctx_free) {
    $0.windowToggle(openings.unsafelyUnwrapped, $1, gather: signalValue)
  }
}

@_cdecl("belay_op_group_by")
@implementation
public func belay_op_group_by(
  _ key: belay_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let key else { return failed(.invalid) }
  return operation {
    $0.groupBy(
      { (input: ForeignValue) throws(Failure) -> ForeignValue in
        defer { extendLifetime(context) }
        return try value { key(ctx, exported(input)) }
      },
      hash: { $0.keyHash }, areEqual: { $0.isEqual(to: $1) },
      gather: { ForeignValue(taking: $0) })
  }
}

@_cdecl("belay_signal_key")
@implementation
public func belay_signal_key(_ group: OpaquePointer!) -> belay_value {
  exported(signal(group)?.foreignKey ?? .null)
}

private func eventKind(_ event: belay_event) -> ForeignValue {
  ForeignValue(scalar: UInt64(event.rawValue), .int32)
}

@_cdecl("belay_op_materialize")
@implementation
public func belay_op_materialize() -> OpaquePointer! {
  operation {
    $0.materialize { event in
      switch event {
      case .next(let value): pair(eventKind(BELAY_EVENT_NEXT), value)
      case .error(let failure):
        gathered([eventKind(BELAY_EVENT_ERROR), ForeignValue(taking: failure)])
      case .completed: gathered([eventKind(BELAY_EVENT_COMPLETED)])
      }
    }
  }
}

/// The event that a value stands for, borrowed from it.
private func event(_ value: ForeignValue) throws(Failure) -> Event<ForeignValue> {
  guard let items = (value.entity as? ArrayBox)?.items, let first = items.first,
    case .thing(let kind) = first.integer(UInt32.self)
  else { throw Failure(.wrongKind) }
  if kind == BELAY_EVENT_NEXT.rawValue && items.count == 2 { return .next(items[1]) }
  if kind == BELAY_EVENT_COMPLETED.rawValue && items.count == 1 { return .completed }
  guard kind == BELAY_EVENT_ERROR.rawValue, items.count == 2,
    let failure = items[1].entity as? Failure
  else { throw Failure(.wrongKind) }
  return .error(failure)
}

@_cdecl("belay_op_dematerialize")
@implementation
public func belay_op_dematerialize() -> OpaquePointer! {
  operation { $0.dematerialize(event: event) }
}

@_cdecl("belay_op_timestamp")
@implementation
public func belay_op_timestamp(_ scheduler: OpaquePointer!) -> OpaquePointer! {
  guard let scheduler = object(scheduler, Scheduler.self) else { return failed(invalid(scheduler)) }
  return operation { $0.timestamp(on: scheduler, gather: timed) }
}

@_cdecl("belay_op_time_interval")
@implementation
public func belay_op_time_interval(_ scheduler: OpaquePointer!) -> OpaquePointer! {
  guard let scheduler = object(scheduler, Scheduler.self) else { return failed(invalid(scheduler)) }
  return operation { $0.timeInterval(on: scheduler, gather: timed) }
}
