import Belay
import BelayLoop
import CBelay
import CBelayShim

/// An operator on its way to a signal: used once. Steps that follow each other become one program.
final class Operator: Entity, @unchecked Sendable {
  enum Kind {
    case step(ForeignStep)
    case signal((CSignal) -> CSignal?)
  }

  private var kind: Kind?

  init(_ kind: Kind) { self.kind = kind }

  func take() -> Kind? {
    let kind = kind
    self.kind = nil
    return kind
  }
}

@inline(never)
func operation(_ apply: consuming @escaping (CSignal) -> CSignal?) -> OpaquePointer? {
  give(Operator(.signal(apply)))
}

private func step(
  _ call: ForeignStep.Call, _ context: Context, _ name: StaticString
) -> OpaquePointer? {
  give(Operator(.step(ForeignStep(call, context.pointer, keeping: context, name: name))))
}

/// What a callback of the host's that answers with an int said: true, false, or how it failed.
func truth(_ callback: () -> Int32) throws(Failure) -> Bool {
  let (result, failure) = LastFailure.collecting(callback)
  if result < 0 { throw failure ?? Failure(Code(rawValue: result)) }
  return result != 0
}

/// What a callback of the host's that answers with a value said.
func value(_ callback: () -> belay_value) throws(Failure) -> ForeignValue {
  let result = foreign(LastFailure.isolating(callback))
  if let box = result.entity as? FailureBox {
    let failure = box.failure
    discard(result)
    throw failure
  }
  return result
}

@_cdecl("belay_signal_chain_n")
@implementation
public func belay_signal_chain_n(
  _ source: OpaquePointer!, _ ops: UnsafePointer<OpaquePointer?>!, _ count: Int
) -> OpaquePointer! {
  var current = take(source, CSignal.self)
  if !isArray(ops, count) { return failed(.invalid) }
  var steps: [ForeignStep] = []
  @inline(never)
  func run(_ source: CSignal) -> CSignal {
    if steps.isEmpty { return source }
    defer { steps = [] }
    if let longer = (source as? ProgramSignal<ForeignValue>)?.extended(by: steps) { return longer }
    return ProgramSignal(source, ForeignProgram(steps))
  }
  for index in 0..<count {
    let handle = ops[index]
    let op = take(handle, Operator.self)?.take()
    guard let before = current else { continue }
    switch op {
    case .step(let step): steps.append(step)
    case .signal(let apply): current = apply(run(before))
    case nil:
      current = nil
      fail(invalid(handle))
    }
  }
  let made = current.map(run)
  if made.map({ !$0.isShortEnough }) ?? false {
    return failed(.range, "a chain of more operators than there may be")
  }
  return give(made)
}

@_cdecl("belay_op_release")
@implementation
public func belay_op_release(_ op: OpaquePointer!) { release(op) }

@_cdecl("belay_op_compose")
@implementation
public func belay_op_compose(
  _ make: belay_compose_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let make else { return failed(.invalid) }
  return operation { source in
    defer { extendLifetime(context) }
    do throws(Failure) {
      return try produced(CSignal.self) { make(ctx, give(source)) }
    } catch {
      fail(error)
      return nil
    }
  }
}

@_cdecl("belay_op_map")
@implementation
public func belay_op_map(
  _ map: belay_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let map else { return failed(.invalid) }
  return step(.map(unsafeBitCast(map, to: belay_map_step.self)), context, "map")
}

@_cdecl("belay_op_filter")
@implementation
public func belay_op_filter(
  _ keep: belay_predicate_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let keep else { return failed(.invalid) }
  return step(.filter(unsafeBitCast(keep, to: belay_filter_step.self)), context, "filter")
}

@_cdecl("belay_op_take")
@implementation
public func belay_op_take(_ count: UInt64) -> OpaquePointer! {
  operation { $0.take(Int(clamping: count)) }
}

@_cdecl("belay_op_take_until")
@implementation
public func belay_op_take_until(_ trigger: OpaquePointer!) -> OpaquePointer! {
  guard let trigger = take(trigger, CSignal.self) else { return failed(invalid(trigger)) }
  return operation { $0.takeUntil(trigger) }
}

@_cdecl("belay_op_take_during")
@implementation
public func belay_op_take_during(_ owner: OpaquePointer!) -> OpaquePointer! {
  guard let owner = object(owner, OwnerRecord.self) else { return failed(invalid(owner)) }
  let deallocating = owner.deallocating
  return operation { $0.takeUntil(deallocating) }
}

/// Takes `count` signals over; nil when one of them is missing.
func takeSignals(_ signals: UnsafePointer<OpaquePointer?>?, _ count: Int) -> [CSignal]? {
  guard isArray(signals, count) else {
    fail(.invalid)
    return nil
  }
  var taken: [CSignal] = []
  for index in 0..<count {
    if let signal = take(signals.unsafelyUnwrapped[index], CSignal.self) { taken.append(signal) }
  }
  if taken.count == count { return taken }
  fail(.missing)
  return nil
}

@_cdecl("belay_op_merge")
@implementation
public func belay_op_merge(_ others: UnsafePointer<OpaquePointer?>!, _ count: Int) -> OpaquePointer!
{
  guard let others = takeSignals(others, count) else { return nil }
  return operation { .merge([$0] + others) }
}

@_cdecl("belay_signal_merge")
@implementation
public func belay_signal_merge(_ signals: UnsafePointer<OpaquePointer?>!, _ count: Int)
  -> OpaquePointer!
{
  guard let signals = takeSignals(signals, count) else { return nil }
  return give(CSignal.merge(signals))
}

@_cdecl("belay_op_scan")
@implementation
public func belay_op_scan(
  _ seed: belay_value, _ step: belay_scan_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  let seed = Kept(taking: foreign(seed))
  guard let step else { return failed(.invalid) }
  return operation {
    $0.scan(seed) { (before: ForeignValue, input: ForeignValue) throws(Failure) -> ForeignValue in
      defer { extendLifetime(context) }
      return try value { step(ctx, exported(before), exported(input)) }
    }
  }
}

func gathered(_ values: [ForeignValue]) -> ForeignValue {
  ForeignValue(taking: ArrayBox(taking: values))
}

/// A count that C gives: nil for none, which makes no sense here. More than there can be, and
/// `BELAY_UNLIMITED`, is as many as there are.
func counted(_ count: Int) -> Int? { count == 0 ? nil : count < 0 ? .max : count }

@_cdecl("belay_op_buffer")
@implementation
public func belay_op_buffer(_ count: Int) -> OpaquePointer! {
  guard let count = counted(count) else { return failed(.invalid) }
  return operation { $0.buffer(count, gather: gathered) }
}

@_cdecl("belay_op_buffer_time")
@implementation
public func belay_op_buffer_time(_ scheduler: OpaquePointer!, _ seconds: Double, _ count: Int)
  -> OpaquePointer!
{
  guard let scheduler = object(scheduler, Scheduler.self), let span = nanoseconds(seconds),
    span > 0, let count = counted(count)
  else { return failed(invalid(scheduler)) }
  return operation {
    $0.buffer(every: span, count: count, on: scheduler, gather: gathered)
  }
}

@_cdecl("belay_op_distinct_until_changed")
@implementation
public func belay_op_distinct_until_changed(
  _ equal: belay_equal_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  return operation {
    $0.distinctUntilChanged { (one: ForeignValue, two: ForeignValue) throws(Failure) -> Bool in
      guard let equal else { return one.isEqual(to: two) }
      defer { extendLifetime(context) }
      return try truth { equal(ctx, exported(one), exported(two)) }
    }
  }
}

@_cdecl("belay_op_start_with")
@implementation
public func belay_op_start_with(_ items: UnsafePointer<belay_value>!, _ count: Int)
  -> OpaquePointer!
{
  guard let kept = takeValues(items, count)?.map({ Kept(taking: $0) }) else { return nil }
  return operation { $0.startWith(kept) }
}

@_cdecl("belay_op_do")
@implementation
public func belay_op_do(_ observer: UnsafePointer<belay_observer>!) -> OpaquePointer! {
  guard let observer = known(observer) else { return failed(.invalid) }
  let context = Context(observer.ctx, observer.ctx_free)
  if observer.next_batch != nil || observer.owner != nil {
    return failed(.invalid, "do has neither next_batch nor owner")
  }
  let (next, error, completed) = (observer.next, observer.error, observer.completed)
  let disposed = observer.disposed
  func calling(_ body: () -> Void) { LastFailure.isolating(body) }
  return operation {
    $0.do(
      next: { input in calling { next?(context.pointer, exported(input)) } },
      error: { failure in calling { error?(context.pointer, lend(failure)) } },
      completed: { calling { completed?(context.pointer) } },
      disposed: { calling { disposed?(context.pointer) } })
  }
}
