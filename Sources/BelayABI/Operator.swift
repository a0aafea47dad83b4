import Belay
import BelayLoop
import CBelay
import CBelayShim

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
  if current == nil { fail(.missing) }
  if !isArray(ops, count) { return failed(invalid(source)) }
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
    let op = take(handle, Operator.self)
    let isRight = op?.use() ?? false
    guard let before = current else { continue }
    guard let op, isRight else {
      current = nil
      fail(invalid(handle))
      continue
    }
    if let step = op.step { steps.append(step) } else { current = op.apply(to: run(before)) }
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
  operation(.compose, code(make), ctx, ctx_free)
}

@_cdecl("belay_op_map")
@implementation
public func belay_op_map(
  _ map: belay_map_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.map, code(map), ctx, ctx_free)
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
  operation(.merge, others, count)
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
  let made = Operator(.scan, code(step), ctx, ctx_free)
  made.value = Kept(taking: foreign(seed))
  return step == nil ? failed(.invalid) : give(made)
}

func gathered(_ values: [ForeignValue]) -> ForeignValue {
  ForeignValue(taking: ArrayBox(taking: values))
}

@_cdecl("belay_op_buffer")
@implementation
public func belay_op_buffer(_ count: Int) -> OpaquePointer! {
  operation(.buffer, limit: count)
}

@_cdecl("belay_op_buffer_time")
@implementation
public func belay_op_buffer_time(_ scheduler: OpaquePointer!, _ seconds: Double, _ count: Int)
  -> OpaquePointer!
{
  operation(.bufferTime, on: scheduler, seconds, atLeast: 1, limit: count)
}

@_cdecl("belay_op_distinct_until_changed")
@implementation
public func belay_op_distinct_until_changed(
  _ equal: belay_equal_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.distinctUntilChanged, code(equal), ctx, ctx_free, isOptional: true)
}

@_cdecl("belay_op_start_with")
@implementation
public func belay_op_start_with(_ items: UnsafePointer<belay_value>!, _ count: Int)
  -> OpaquePointer!
{
  operation(.startWith, items, count)
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
      next: { (input: ForeignValue) throws(Failure) in
        let failure = LastFailure.isolating {
          next?(context.pointer, exported(input))
          return LastFailure.takeDeliberate()
        }
        if let failure { throw failure }
      },
      error: { failure in calling { error?(context.pointer, lend(failure)) } },
      completed: { calling { completed?(context.pointer) } },
      disposed: { calling { disposed?(context.pointer) } })
  }
}
