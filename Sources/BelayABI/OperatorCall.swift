@_spi(Engine) import Belay
import CBelay
import CBelayShim

/// An operator before it becomes a signal: its kind, and the arguments of its function. It is used once. The
/// signal that it makes calls the host's callback through it, and so retains it.
final class Operator: Entity, @unchecked Sendable {
  enum Kind: UInt8 {
    case all, any, attempt, audit, autoConnect, average, breakpointOnError, buffer, bufferBy
    case bufferSkip, bufferTime, `catch`, catchTo, collect, compactMap, compose, concat, concatAll,
      concatMap
    case contains, count, debounce, debounceIf, defaultIfEmpty, delay, delaySubscription, delayWhen
    case dematerialize, distinct, distinctUntilChanged, elementAt, elementAtOr, endWith, enumerated
    case exhaustMap, expand, filter, finally, find, first, flatMap, groupBy, groupByUntil, ignore
    case ignoreElements, initially, isEmpty, last, lastFor, map, mapError, mapTo, materialize, max,
      merge, mergeAll
    case mergeDelayError, min, not, paced, pairwise, reduce, reduceEach, refCount, `repeat`
    case repeatWhen, retry, retryWhen, sample, sampleTime, scan, sequenceEqual, share
    case single, skip, skipFor, skipLast, skipUntil, skipWhile, special, startWith, subscribeOn, sum
    case switchIfEmpty, switchMap, switchToLatest, take, takeFor, takeLast, takeUntil
    case takeUntilReplacement, takeWhile, then, throttle, throttleWhile, timeInterval, timeout
    case timestamp, window, windowBy, windowTime, windowToggle, withOwner
  }

  let kind: Kind
  var number = 0
  /// In nanoseconds.
  var span: Int64 = 0
  var value: Kept<ForeignValue>?
  var values: ReferenceArray<Kept<ForeignValue>> = []
  var signal: CSignal?
  var signals: [CSignal] = []
  var fallback: CSignal?
  var pacing: Pacing?
  var scheduler: Scheduler?
  var owner: OwnerRecord?
  /// A C function pointer. The kind says which type it has.
  let callback: UnsafeRawPointer?
  /// A belay_flat_map_fn that an operator has beside its callback.
  var projection: UnsafeRawPointer?
  let ctx: UnsafeMutableRawPointer?
  private let ctxFree: FreeFunction?
  /// Makes the signal of an operator that the fields above cannot describe.
  private var special: ((CSignal) -> CSignal?)?
  private var isUsed = false

  @inline(never)
  init(
    _ kind: Kind, _ callback: UnsafeRawPointer? = nil, _ ctx: UnsafeMutableRawPointer? = nil,
    _ ctxFree: FreeFunction? = nil
  ) {
    self.kind = kind
    self.callback = callback
    self.ctx = ctx
    self.ctxFree = ctxFree
    super.init()
  }

  init(special apply: @escaping (CSignal) -> CSignal?) {
    kind = .special
    callback = nil
    ctx = nil
    ctxFree = nil
    special = apply
    super.init()
  }

  deinit { Context.free(ctx, ctxFree) }

  /// Marks the operator as used. False if it was.
  func use() -> Bool {
    defer { isUsed = true }
    return !isUsed
  }

  /// Drops the signals of the arguments when the operator has been applied. The signal that was made
  /// retains what it needs of them. It also retains the operator, and subscriptions do, which must not
  /// retain signals.
  @inline(never)
  func dropSignals() {
    signal = nil
    signals = []
    fallback = nil
  }

  /// Calls `special`, and drops it.
  func makeSpecial(of source: CSignal) -> CSignal? {
    defer { special = nil }
    return special?(source)
  }

  /// The callback with its type.
  @inline(__always)
  private func function<Function>(_ type: Function.Type) -> Function {
    unsafeBitCast(callback, to: type)
  }

  // MARK: The host's callbacks

  @inline(never)
  func isTrue(_ input: ForeignValue) throws(Failure) -> Bool {
    try truth { function(belay_predicate_fn.self)(ctx, exported(input)) }
  }

  @inline(never)
  func mapped(_ input: ForeignValue) throws(Failure) -> ForeignValue {
    try BelayABI.value { function(belay_map_fn.self)(ctx, exported(input)) }
  }

  @inline(never)
  func folded(_ before: ForeignValue, _ input: ForeignValue) throws(Failure) -> ForeignValue {
    try BelayABI.value { function(belay_scan_fn.self)(ctx, exported(before), exported(input)) }
  }

  @inline(never)
  func areEqual(_ one: ForeignValue, _ two: ForeignValue) throws(Failure) -> Bool {
    if callback == nil { return one.isEqual(to: two) }
    return try truth { function(belay_equal_fn.self)(ctx, exported(one), exported(two)) }
  }

  /// Compares by the host's callback, or without one in the order of numbers and strings.
  @inline(never)
  func isLess(_ one: ForeignValue, _ two: ForeignValue) throws(Failure) -> Bool {
    if callback == nil { return try one.isLess(than: two) }
    return try truth { function(belay_less_fn.self)(ctx, exported(one), exported(two)) }
  }

  @inline(never)
  func projected(_ input: ForeignValue) throws(Failure) -> CSignal {
    try produced(CSignal.self) { function(belay_flat_map_fn.self)(ctx, exported(input)) }
  }

  func secondlyProjected(_ input: ForeignValue) throws(Failure) -> CSignal {
    try produced(CSignal.self) {
      unsafeBitCast(projection, to: belay_flat_map_fn.self)(ctx, exported(input))
    }
  }

  /// The signal that the callback answers to a signal of events.
  @inline(never)
  func answered(_ events: CSignal) throws(Failure) -> CSignal {
    try produced(CSignal.self) { function(belay_when_fn.self)(ctx, lend(events)) }
  }

  func recovered(_ failure: Failure) throws(Failure) -> CSignal {
    try produced(CSignal.self) { function(belay_catch_fn.self)(ctx, lend(failure)) }
  }

  func replaced(_ failure: Failure) -> Failure {
    do throws(Failure) {
      return try produced(Failure.self) { function(belay_map_error_fn.self)(ctx, lend(failure)) }
    } catch {
      return error
    }
  }

  func composed(_ source: CSignal) -> CSignal? {
    do throws(Failure) {
      return try produced(CSignal.self) { function(belay_compose_fn.self)(ctx, give(source)) }
    } catch {
      fail(error)
      return nil
    }
  }

  func reduced(_ input: ForeignValue) throws(Failure) -> ForeignValue {
    guard let array = input.entity as? ArrayBox else { throw Failure(.wrongKind) }
    return try lending(array.items) { (items, count) throws(Failure) in
      try BelayABI.value { function(belay_combine_fn.self)(ctx, items, count) }
    }
  }

  func attempted(_ input: ForeignValue) throws(Failure) {
    _ = try truth { function(belay_attempt_fn.self)(ctx, exported(input)) }
  }

  func act() { LastFailure.isolating { function(belay_action_fn.self)(ctx) } }

  /// Its step of a `ForeignProgram`; nil if its signal has a stage of its own.
  var step: ForeignStep? {
    switch kind {
    case .map:
      ForeignStep(.map(function(belay_map_step.self)), ctx, keeping: self, name: "map")
    case .filter:
      ForeignStep(.filter(function(belay_filter_step.self)), ctx, keeping: self, name: "filter")
    default: nil
    }
  }
}

// MARK: Making them

/// A C function pointer of any type, as `Operator.callback` holds it.
@inline(__always)
func code<Function>(_ function: Function) -> UnsafeRawPointer? {
  unsafeBitCast(function, to: UnsafeRawPointer?.self)
}

/// An operator that makes its signal by `apply`.
@inline(never)
func operation(_ apply: @escaping (CSignal) -> CSignal?) -> OpaquePointer? {
  give(Operator(special: apply))
}

@inline(never)
func operation(_ kind: Operator.Kind, _ number: Int = 0) -> OpaquePointer? {
  let made = Operator(kind)
  made.number = number
  return give(made)
}

/// The core's form of a count that must not be 0; nil for 0. `BELAY_UNLIMITED`, which is negative here like
/// all that Swift cannot count, becomes the largest count.
func counted(_ count: Int) -> Int? { count == 0 ? nil : count < 0 ? .max : count }

/// An operator with a count, which must not be 0.
@inline(never)
func operation(_ kind: Operator.Kind, limit: Int) -> OpaquePointer? {
  guard let limit = counted(limit) else { return failed(.invalid) }
  return operation(kind, limit)
}

@inline(never)
func operation(_ kind: Operator.Kind, counted number: UInt64) -> OpaquePointer? {
  operation(kind, Int(clamping: number))
}

/// An operator with a value, which it takes over.
@inline(never)
func operation(_ kind: Operator.Kind, _ value: belay_value, at number: UInt64 = 0)
  -> OpaquePointer?
{
  let made = Operator(kind)
  made.number = Int(clamping: number)
  made.value = Kept(taking: foreign(value))
  return give(made)
}

/// An operator with values, which it takes over.
@inline(never)
func operation(_ kind: Operator.Kind, _ items: UnsafePointer<belay_value>?, _ count: Int)
  -> OpaquePointer?
{
  guard let values = takeValues(items, count) else { return nil }
  let made = Operator(kind)
  made.values = kept(values)
  return give(made)
}

/// An operator with a signal, which it takes over and must have.
@inline(never)
func operation(_ kind: Operator.Kind, with signal: OpaquePointer?) -> OpaquePointer? {
  guard let taken = take(signal, CSignal.self) else { return failed(invalid(signal)) }
  let made = Operator(kind)
  made.signal = taken
  return give(made)
}

/// An operator with signals, which it takes over.
@inline(never)
func operation(_ kind: Operator.Kind, _ signals: UnsafePointer<OpaquePointer?>?, _ count: Int)
  -> OpaquePointer?
{
  guard let signals = takeSignals(signals, count) else { return nil }
  let made = Operator(kind)
  made.signals = signals
  return give(made)
}

/// An operator with a callback, which it must have unless the callback `isOptional`.
@inline(never)
func operation(
  _ kind: Operator.Kind, _ callback: UnsafeRawPointer?, _ ctx: UnsafeMutableRawPointer?,
  _ ctxFree: FreeFunction?, number: Int = 0, isOptional: Bool = false
) -> OpaquePointer? {
  let made = Operator(kind, callback, ctx, ctxFree)
  if callback == nil && !isOptional { return failed(.invalid) }
  made.number = number
  return give(made)
}

/// An operator with a callback, which it must have, and a count, which must not be 0.
@inline(never)
func operation(
  _ kind: Operator.Kind, _ callback: UnsafeRawPointer?, _ ctx: UnsafeMutableRawPointer?,
  _ ctxFree: FreeFunction?, limit: Int
) -> OpaquePointer? {
  let made = Operator(kind, callback, ctx, ctxFree)
  guard callback != nil, let limit = counted(limit) else { return failed(.invalid) }
  made.number = limit
  return give(made)
}

/// An operator with a scheduler, a time of at least `minimum` nanoseconds and a count, which must not be 0.
@inline(never)
func operation(
  _ kind: Operator.Kind, on scheduler: OpaquePointer?, _ seconds: Double, atLeast minimum: Int64,
  limit: Int
) -> OpaquePointer? {
  guard let limit = counted(limit) else { return failed(invalid(scheduler)) }
  return operation(kind, on: scheduler, seconds, atLeast: minimum, number: limit)
}

/// An operator with a scheduler and a time of at least `minimum` nanoseconds.
@inline(never)
func operation(
  _ kind: Operator.Kind, on scheduler: OpaquePointer?, _ seconds: Double, atLeast minimum: Int64,
  number: Int = 0
) -> OpaquePointer? {
  let made = Operator(kind)
  made.number = number
  return timed(made, on: scheduler, seconds, atLeast: minimum)
}

@inline(never)
func timed(
  _ made: Operator, on scheduler: OpaquePointer?, _ seconds: Double, atLeast minimum: Int64
) -> OpaquePointer? {
  guard let known = object(scheduler, Scheduler.self), let span = nanoseconds(seconds),
    span >= minimum
  else { return failed(invalid(scheduler)) }
  made.scheduler = known
  made.span = max(0, span)
  return give(made)
}

/// Takes `count` signals over. Records the failure, and answers nil, if one of them is missing.
func takeSignals(_ signals: UnsafePointer<OpaquePointer?>?, _ count: Int) -> [CSignal]? {
  guard isArray(signals, count) else {
    fail(.invalid)
    return nil
  }
  var taken: ReferenceArray<CSignal> = []
  for index in 0..<count {
    if let signal = take(signals.unsafelyUnwrapped[index], CSignal.self) { taken.append(signal) }
  }
  if taken.count == count { return taken.array }
  fail(.missing)
  return nil
}

func gathered(_ values: [ForeignValue]) -> ForeignValue {
  ForeignValue(taking: ArrayBox(taking: values))
}
