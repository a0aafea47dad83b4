@_spi(Engine) import Belay
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares. The functions
// `operation` (OperatorCall.swift) check the arguments for all operators.

private typealias Values = UnsafeMutablePointer<ForeignValue>

/// `combine` as the core calls it. Without one, a function that gathers the values in an array.
///
/// It is generic over the value, which is always `ForeignValue`. The core's generic code expects the result
/// in memory; a function that is not generic would need another one around it, for each call. So the three
/// exported functions below call it directly: a common function of theirs would take the result as
/// a function that is not generic.
private func combiner<Value>(
  _ combine: belay_combine_fn?, _ context: Context, _ count: Int, _ type: Value.Type
) -> (UnsafeMutablePointer<Value>) throws(Failure) -> Value {
  guard let combine else {
    return { (values: UnsafeMutablePointer<Value>) throws(Failure) -> Value in
      let items = UnsafeBufferPointer(start: values, count: count).map {
        keep($0)
        return unsafeBitCast($0, to: ForeignValue.self, ofType: Value.self)
      }
      return unsafeBitCast(gathered(items), to: Value.self, ofType: ForeignValue.self)
    }
  }
  let ctx = context.pointer
  return { (values: UnsafeMutablePointer<Value>) throws(Failure) -> Value in
    defer { extendLifetime(context) }
    // Both types are the same two words.
    let lent = UnsafeRawPointer(values).assumingMemoryBound(to: belay_value.self)
    let result = try value { combine(ctx, lent, count) }
    return unsafeBitCast(result, to: Value.self, ofType: ForeignValue.self)
  }
}

@_cdecl("belay_signal_combine_latest")
@implementation
public func belay_signal_combine_latest(
  _ signals: UnsafePointer<OpaquePointer?>!, _ count: Int, _ combine: belay_combine_fn!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let signals = takeSignals(signals, count) else { return nil }
  return give(
    CSignal.combineLatest(
      "combine_latest", signals, lending: combiner(combine, context, count, ForeignValue.self)))
}

@_cdecl("belay_signal_zip")
@implementation
public func belay_signal_zip(
  _ signals: UnsafePointer<OpaquePointer?>!, _ count: Int, _ combine: belay_combine_fn!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let signals = takeSignals(signals, count) else { return nil }
  return give(CSignal.zip(signals, lending: combiner(combine, context, count, ForeignValue.self)))
}

@_cdecl("belay_op_with_latest_from")
@implementation
public func belay_op_with_latest_from(
  _ others: UnsafePointer<OpaquePointer?>!, _ count: Int, _ combine: belay_combine_fn!,
  _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  guard let others = takeSignals(others, count) else { return nil }
  let combine = combiner(combine, context, count + 1, ForeignValue.self)
  return operation { $0.withLatestFrom(others, lending: combine) }
}

@_cdecl("belay_signal_race")
@implementation
public func belay_signal_race(_ signals: UnsafePointer<OpaquePointer?>!, _ count: Int)
  -> OpaquePointer!
{
  takeSignals(signals, count).flatMap { give(CSignal.race($0)) }
}

@_cdecl("belay_op_start_with")
@implementation
public func belay_op_start_with(_ items: UnsafePointer<belay_value>!, _ count: Int)
  -> OpaquePointer!
{
  operation(.startWith, items, count)
}

@_cdecl("belay_op_end_with")
@implementation
public func belay_op_end_with(_ items: UnsafePointer<belay_value>!, _ count: Int)
  -> OpaquePointer!
{
  operation(.endWith, items, count)
}

@_cdecl("belay_op_sequence_equal")
@implementation
public func belay_op_sequence_equal(
  _ other: OpaquePointer!, _ equal: belay_equal_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let made = Operator(.sequenceEqual, code(equal), ctx, ctx_free)
  guard let taken = take(other, CSignal.self) else { return failed(invalid(other)) }
  made.signal = taken
  return give(made)
}

@_cdecl("belay_signal_if_then_else")
@implementation
public func belay_signal_if_then_else(
  _ condition: OpaquePointer!, _ yes: OpaquePointer!, _ no: OpaquePointer!
) -> OpaquePointer! {
  let condition = take(condition, CSignal.self)
  let yes = take(yes, CSignal.self)
  let no = take(no, CSignal.self)
  guard let condition, let yes, let no else { return failed(.missing) }
  return give(
    CSignal.switchOn("if_then_else", condition) {
      (key: ForeignValue) throws(Failure) -> CSignal in
      try bool(key) ? yes : no
    })
}

@_cdecl("belay_signal_switch_on")
@implementation
public func belay_signal_switch_on(
  _ keys: OpaquePointer!, _ cases: UnsafePointer<belay_value>!,
  _ signals: UnsafePointer<OpaquePointer?>!, _ count: Int, _ otherwise: OpaquePointer!
) -> OpaquePointer! {
  let keys = take(keys, CSignal.self)
  let fallback = take(otherwise, CSignal.self)
  let known = kept(isArray(cases, count) ? values(cases, count) : [])
  let taken = takeSignals(signals, count)
  guard let taken else { return nil }
  guard let keys, known.count == count else { return failed(keys == nil ? .missing : .invalid) }
  return give(
    CSignal.switchOn("switch_on", keys) { (key: ForeignValue) throws(Failure) -> CSignal in
      for place in 0..<taken.count where known[place].value.isEqual(to: key) {
        return taken[place]
      }
      guard let fallback else { throw Failure(.invalid, message: "no case for this key") }
      return fallback
    })
}

/// A signal of one boolean for the latest values of all: `deciding` if one of these is `deciding`.
@inline(never)
private func joined(
  _ name: StaticString, deciding: Bool, _ signals: UnsafePointer<OpaquePointer?>?, _ count: Int
) -> OpaquePointer? {
  guard let signals = takeSignals(signals, count) else { return nil }
  return give(
    CSignal.combineLatest(name, signals) { (values: Values) throws(Failure) -> ForeignValue in
      var result = !deciding
      for place in 0..<count { if try bool(values[place]) == deciding { result = deciding } }
      return ForeignValue(result)
    })
}

@_cdecl("belay_signal_and")
@implementation
public func belay_signal_and(_ signals: UnsafePointer<OpaquePointer?>!, _ count: Int)
  -> OpaquePointer!
{
  joined("and", deciding: false, signals, count)
}

@_cdecl("belay_signal_or")
@implementation
public func belay_signal_or(_ signals: UnsafePointer<OpaquePointer?>!, _ count: Int)
  -> OpaquePointer!
{
  joined("or", deciding: true, signals, count)
}

@_cdecl("belay_op_not")
@implementation
public func belay_op_not() -> OpaquePointer! {
  operation(.not)
}

@_cdecl("belay_op_reduce_each")
@implementation
public func belay_op_reduce_each(
  _ reduce: belay_combine_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  operation(.reduceEach, code(reduce), ctx, ctx_free)
}
