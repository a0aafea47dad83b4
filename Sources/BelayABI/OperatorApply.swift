@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay

extension Operator {
  /// Applies the operator to a signal. Records the failure, and answers nil, if it cannot.
  func apply(to source: CSignal) -> CSignal? {
    defer { dropSignals() }
    switch kind {
    case .special: return makeSpecial(of: source)
    case .map, .filter: return nil  // steps of a program

    // Transforming
    case .mapTo: return value.map { source.mapTo($0) }
    case .compactMap:
      return source.compactMap { (input: ForeignValue) throws(Failure) -> ForeignValue? in
        let output = try self.mapped(input)
        return output.kind == .null ? nil : output
      }
    case .mapError: return source.mapError { self.replaced($0) }
    case .scan:
      return value.map {
        source.scan($0) {
          (before: ForeignValue, input: ForeignValue) throws(Failure) -> ForeignValue in
          try self.folded(before, input)
        }
      }
    case .enumerated:
      return source.enumerated {
        pair(ForeignValue(scalar: UInt64(bitPattern: Int64($0)), .uint64), $1)
      }
    case .pairwise: return source.pairwise(from: value, gather: pair)
    case .buffer: return source.buffer(number, gather: gathered)
    case .bufferSkip: return source.buffer(number, skip: Int(span), gather: gathered)
    case .window: return source.window(number, skip: Int(span), gather: signalValue)
    case .windowToggle:
      return signal.map {
        source.windowToggle(
          $0,
          { (input: ForeignValue) throws(Failure) -> CSignal in try self.projected(input) },
          gather: signalValue)
      }
    case .windowBy: return windows(of: source)
    case .bufferBy:
      return windows(of: source)?.flatMap {
        (window: ForeignValue) throws(Failure) -> CSignal in
        try opened(window).collect(gather: gathered)
      }
    case .groupBy:
      return source.groupBy(
        { (input: ForeignValue) throws(Failure) -> ForeignValue in try self.mapped(input) },
        hash: { $0.hash }, areEqual: { $0.isEqual(to: $1) },
        gather: { ForeignValue(taking: $0) })
    case .groupByUntil:
      return source.groupBy(
        { (input: ForeignValue) throws(Failure) -> ForeignValue in try self.mapped(input) },
        areEqual: { $0.isEqual(to: $1) },
        until: { (group: ForeignValue) throws(Failure) -> CSignal in
          try self.secondlyProjected(group)
        }, gather: { ForeignValue(taking: $0) })
    case .withOwner:
      return owner.map {
        source.withOwner($0) { owner, value in
          keep(value)
          return gathered([ForeignValue(taking: OwnerBox(owner)), value])
        }
      }
    case .materialize: return source.materialize(gather: described)
    case .dematerialize: return source.dematerialize(event: event)
    case .compose: return composed(source)

    // Filtering
    case .take: return source.take(number)
    case .takeLast: return source.takeLast(number)
    case .takeWhile:
      return source.takeWhile(inclusive: number != 0) {
        (input: ForeignValue) throws(Failure) -> Bool in try self.isTrue(input)
      }
    case .takeUntil: return signal.map { source.takeUntil($0) }
    case .takeUntilReplacement: return signal.map { source.takeUntilReplacement($0) }
    case .skip: return source.skip(number)
    case .skipLast: return source.skipLast(number)
    case .skipWhile:
      return source.skipWhile {
        (input: ForeignValue) throws(Failure) -> Bool in try self.isTrue(input)
      }
    case .skipUntil: return signal.map { source.skipUntil($0) }
    case .elementAt: return source.elementAt(number)
    case .elementAtOr: return value.map { source.elementAt(number, default: $0) }
    case .first: return source.first(where: wanted)
    case .last: return source.last(where: wanted)
    case .single: return source.single(where: wanted)
    case .find:
      return source.find {
        (input: ForeignValue) throws(Failure) -> Bool in try self.isTrue(input)
      }
    case .ignoreElements: return source.ignoreElements()
    case .ignore: return value.map { source.ignore($0) { $0.isEqual(to: $1) } }
    case .distinct:
      return source.distinct(
        { (input: ForeignValue) throws(Failure) -> ForeignValue in
          if self.callback != nil { return try self.mapped(input) }
          keep(input)
          return input
        }, hash: { $0.hash }, areEqual: { $0.isEqual(to: $1) })
    case .distinctUntilChanged:
      return source.distinctUntilChanged {
        (one: ForeignValue, two: ForeignValue) throws(Failure) -> Bool in
        try self.areEqual(one, two)
      }

    // Combining
    case .startWith: return source.startWith(values)
    case .endWith: return source.endWith(values)
    case .not:
      return source.map(as: "not") { (input: ForeignValue) throws(Failure) -> ForeignValue in
        ForeignValue(try !bool(input))
      }
    case .reduceEach:
      return source.map(as: "reduce_each") {
        (input: ForeignValue) throws(Failure) -> ForeignValue in try self.reduced(input)
      }
    case .sequenceEqual:
      return signal.map {
        source.sequenceEqual(
          $0,
          by: { (one: ForeignValue, two: ForeignValue) throws(Failure) -> Bool in
            try self.areEqual(one, two)
          }, ForeignValue.init)
      }

    // Aggregating
    case .all:
      return source.predicate("all", false, ForeignValue.init) {
        (input: ForeignValue) throws(Failure) -> Bool in try !self.isTrue(input)
      }
    case .any:
      return source.predicate("any", true, ForeignValue.init) {
        (input: ForeignValue) throws(Failure) -> Bool in try self.isTrue(input)
      }
    case .contains:
      guard let wanted = value else { return nil }
      return source.predicate("contains", true, ForeignValue.init) {
        $0.isEqual(to: wanted.value)
      }
    case .isEmpty: return source.predicate("is_empty", false, ForeignValue.init) { _ in true }
    case .count:
      return source.statistic(
        "count", 0 as UInt64, { (count: inout UInt64, _) in count += 1 },
        { ForeignValue(scalar: $0, .uint64) })
    case .sum:
      return source.statistic(
        "sum", ForeignSum(),
        { (sum: inout ForeignSum, input: ForeignValue) throws(Failure) in try sum.add(input) },
        { $0.result })
    case .average:
      return source.statistic(
        "average", Mean<Double>(),
        { (mean: inout Mean<Double>, input: ForeignValue) throws(Failure) in
          mean.add(try input.number().double)
        },
        { mean in mean.result.map { ForeignValue(scalar: $0.bitPattern, .double) } })
    case .min:
      return source.min { (one: ForeignValue, two: ForeignValue) throws(Failure) -> Bool in
        try self.isLess(one, two)
      }
    case .max:
      return source.max { (one: ForeignValue, two: ForeignValue) throws(Failure) -> Bool in
        try self.isLess(one, two)
      }
    case .reduce:
      return value.map {
        source.reduce($0) {
          (before: ForeignValue, input: ForeignValue) throws(Failure) -> ForeignValue in
          try self.folded(before, input)
        }
      }
    case .collect: return source.collect(gather: gathered)
    case .defaultIfEmpty: return value.map { source.defaultIfEmpty($0) }
    case .switchIfEmpty: return signal.map { source.switchIfEmpty($0) }

    // Flattening
    case .flatMap:
      return source.flatMap(limit: number) {
        (input: ForeignValue) throws(Failure) -> CSignal in try self.projected(input)
      }
    case .concatMap:
      return source.concatMap {
        (input: ForeignValue) throws(Failure) -> CSignal in try self.projected(input)
      }
    case .switchMap:
      return source.switchMap {
        (input: ForeignValue) throws(Failure) -> CSignal in try self.projected(input)
      }
    case .exhaustMap:
      return source.exhaustMap {
        (input: ForeignValue) throws(Failure) -> CSignal in try self.projected(input)
      }
    case .expand:
      return source.expand(limit: number) {
        (input: ForeignValue) throws(Failure) -> CSignal in try self.projected(input)
      }
    case .mergeAll: return source.mergeAll(limit: number, opened)
    case .concatAll: return source.concatAll(opened)
    case .switchToLatest: return source.switchToLatest(opened)
    case .merge: return .merge(all(source))
    case .mergeDelayError: return .mergeDelayError(all(source))
    case .concat: return .concat(all(source))
    case .then: return signal.map { source.then($0) }
    case .repeat: return source.repeat(number)
    case .repeatWhen:
      return source.repeatWhen {
        (events: CSignal) throws(Failure) -> CSignal in try self.answered(events)
      }
    case .catch:
      return source.catch {
        (failure: Failure) throws(Failure) -> CSignal in try self.recovered(failure)
      }
    case .catchTo: return value.map { source.catchTo($0) }
    case .retry: return source.retry(number)
    case .retryWhen:
      return source.retryWhen {
        (events: CSignal) throws(Failure) -> CSignal in try self.answered(events)
      }
    case .attempt:
      return source.attempt { (input: ForeignValue) throws(Failure) in try self.attempted(input) }

    // Timing
    case .delayWhen:
      return source.delayWhen {
        (input: ForeignValue) throws(Failure) -> CSignal in try self.projected(input)
      }
    case .paced:
      return pacing.map {
        source.paced($0, first: signal, fallback: fallback) {
          (input: ForeignValue) throws(Failure) -> CSignal in try self.projected(input)
        }
      }
    case .sample: return signal.map { source.sample($0) }
    case .throttleWhile:
      return signal.map {
        source.throttle(while: $0) { (input: ForeignValue) throws(Failure) -> Bool in
          try bool(input)
        }
      }

    // Sharing
    case .refCount: return connectable(source)?.refCount()
    case .autoConnect: return connectable(source)?.autoConnect(number)
    case .share: return source.share(ShareRules(rawValue: UInt32(number)))

    // Effects
    case .finally: return source.finally { self.act() }
    case .initially: return source.initially { self.act() }
    case .breakpointOnError: return source.breakpointOnError()

    default: return scheduler.flatMap { apply(to: source, on: $0) }
    }
  }

  private func apply(to source: CSignal, on scheduler: Scheduler) -> CSignal? {
    switch kind {
    case .audit: source.audit(span, on: scheduler)
    case .bufferTime: source.buffer(every: span, count: number, on: scheduler, gather: gathered)
    case .debounce: source.debounce(span, on: scheduler)
    case .debounceIf:
      source.debounce(span, on: scheduler) {
        (input: ForeignValue) throws(Failure) -> Bool in try self.isTrue(input)
      }
    case .delay: source.delay(span, on: scheduler)
    case .delaySubscription: source.delaySubscription(span, on: scheduler)
    case .lastFor: source.lastFor(span, on: scheduler, takes: number != 0)
    case .sampleTime: source.sample(every: span, on: scheduler)
    case .skipFor: source.skipFor(span, on: scheduler)
    case .subscribeOn: source.subscribe(on: scheduler)
    case .takeFor: source.takeFor(span, on: scheduler)
    case .throttle:
      source.throttle(span, leading: number & 1 != 0, trailing: number & 2 != 0, on: scheduler)
    case .timeInterval: source.timeInterval(on: scheduler, gather: timed)
    case .timeout: source.timeout(span, fallback: fallback, on: scheduler)
    case .timestamp: source.timestamp(on: scheduler, gather: timed)
    case .windowTime:
      source.window(every: span, count: number, on: scheduler, gather: signalValue)
    default: nil
    }
  }

  /// The windows of `source` that `signal` begins.
  private func windows(of source: CSignal) -> CSignal? {
    signal.map { source.windowBy($0, first: Kept(taking: .null), gather: signalValue) }
  }

  /// The callback as a predicate; nil without one.
  private var wanted: ((ForeignValue) throws(Failure) -> Bool)? {
    if callback == nil { return nil }
    return { (input: ForeignValue) throws(Failure) -> Bool in try self.isTrue(input) }
  }

  /// `source` as a connectable signal. Records the failure, and answers nil, if it is none.
  private func connectable(_ source: CSignal) -> ConnectableSignal<ForeignValue>? {
    let connectable = source as? ConnectableSignal<ForeignValue>
    if connectable == nil { fail(.wrongKind) }
    return connectable
  }

  /// The source, then the operator's signals. (`+` would cost the library 160 bytes.)
  private func all(_ source: CSignal) -> [CSignal] {
    var all: ReferenceArray = [source]
    for signal in signals { all.append(signal) }
    return all.array
  }
}

func bool(_ value: ForeignValue) throws(Failure) -> Bool {
  switch value.bool() {
  case .thing(let isTrue): return isTrue
  case .refused(let code): throw Failure(code)
  }
}

/// An array of two values, with references of its own to them.
func pair(_ first: ForeignValue, _ second: ForeignValue) -> ForeignValue {
  keep(first)
  keep(second)
  return gathered([first, second])
}

private func timed(_ nanoseconds: Int64, _ value: ForeignValue) -> ForeignValue {
  pair(ForeignValue(scalar: seconds(nanoseconds).bitPattern, .double), value)
}

private func signalValue(_ signal: CSignal) -> ForeignValue { ForeignValue(taking: signal) }

private func opened(_ value: ForeignValue) throws(Failure) -> CSignal {
  guard let signal = value.handle(.signal) as? CSignal else { throw Failure(.wrongKind) }
  return signal
}

// MARK: Events as values

private func eventKind(_ event: belay_event) -> ForeignValue {
  ForeignValue(scalar: UInt64(event.rawValue), .int32)
}

private func described(_ event: Event<ForeignValue>) -> ForeignValue {
  switch event {
  case .next(let value): pair(eventKind(BELAY_EVENT_NEXT), value)
  case .error(let failure):
    gathered([eventKind(BELAY_EVENT_ERROR), ForeignValue(taking: failure)])
  case .completed: gathered([eventKind(BELAY_EVENT_COMPLETED)])
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
