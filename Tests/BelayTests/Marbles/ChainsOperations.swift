@testable import Belay

private typealias Made = Signal<MarbleValue>

/// The first input's values as the inputs that they number, from the word `index` on.
private func signals(_ run: MarbleRun, _ index: Int) -> Signal<Made> {
  let inner = inners(run, index)
  return run.source.map { (value: MarbleValue) throws(Failure) -> Made in try inner(value) }
}

private func milliseconds(_ count: Int) -> Duration { .milliseconds(count) }

/// Continues after an error with the next signal, or with `last`.
private func continuing(_ signals: [Made], _ last: @escaping (Failure) -> Made) -> Made {
  guard let first = signals.first else { return .empty() }
  let rest = Array(signals.dropFirst())
  return first.catch { rest.isEmpty ? last($0) : continuing(rest, last) }
}

/// Repeats `source` while `condition` holds after a completion.
private func doWhile(_ source: Made, _ condition: @escaping () -> Bool) -> Made {
  source.repeatWhen { (ends: Signal<Void>) in ends.takeWhile { condition() } }
}

/// A condition that holds `count` times.
private func holding(_ count: Int) -> () -> Bool {
  var calls = 0
  return {
    calls += 1
    return calls <= count
  }
}

/// The signal that lets the attempt after the event number `index` begin: it sends true at the first
/// value of `delay`, and false when that completes without one.
private func delayed(_ delay: Made) -> Signal<Bool> {
  delay.take(1).mapTo(true).defaultIfEmpty(false)
}

/// Flattens what is made of a value and of the last value sent.
private func scanned(
  _ run: MarbleRun, _ flatten: @escaping (Made, @escaping (MarbleValue) -> Made) -> Made
) -> Made {
  let (source, inner) = (run.source, run.input(1))
  return .defer {
    var state = 0
    return flatten(source) { value in
      let sum = state + value.number
      return inner.mapTo(.int(sum))
    }.do(next: { state = $0.number })
  }
}

/// Doubles a value, for the first `limit` calls.
private func doubling(_ limit: Int) -> (MarbleValue) -> Made {
  let holds = holding(limit)
  return { holds() ? .just(.int(2 * $0.number)) : .empty() }
}

private func arrays(_ windows: Signal<Made>) -> Made {
  windows.flatMap { $0.collect() }.map { .list($0) }
}

/// Windows of a length, one begun at each of another length.
private func windowsByTime(_ run: MarbleRun) -> Signal<Made> {
  let (scheduler, span) = (run.scheduler, run.span)
  let openings = Signal<UInt64>.interval(milliseconds(run.number(2)), on: scheduler)
  return run.source.windowToggle(openings.startWith(0)) { _ in
    Signal<UInt64>.timer(after: span, on: scheduler)
  }
}

/// The first value of the second input, which is then subscribed to anew.
private func closings(_ run: MarbleRun) -> Made {
  let closing = run.input(1)
  return Made.defer { closing }.take(1).switchIfEmpty(.never()).repeat()
}

private func listed(_ signal: Signal<[MarbleValue]>) -> Made { signal.map { .list($0) } }

extension MarbleValue {
  fileprivate var items: [MarbleValue] {
    if case .list(let items) = self { return items }
    return []
  }
}

/// Connects `shared` once `signal` is subscribed to.
private func connecting(_ shared: [ConnectableSignal<MarbleValue>], _ signal: Made) -> Made {
  var connections: [Disposable] = []
  return .merge([
    signal,
    .defer {
      connections = shared.map { $0.connect() }
      return .empty()
    },
  ]).finally { for connection in connections { connection.dispose() } }
}

/// Sends when `time`, of a value, is over.
private func over(_ time: Made) -> Made { time.take(1).defaultIfEmpty(.int(0)) }

/// Pairs of values whose times overlap: those that begin with a value of the left side, those that
/// begin with one of the right side. Each ends with the time of the last value of its side.
private func overlaps(_ left: Made, _ right: Made, _ leftTime: Made, _ rightTime: Made) -> [Made] {
  [
    left.flatMap { value in right.takeUntil(over(leftTime)).map { .list([value, $0]) } },
    right.flatMap { value in left.takeUntil(over(rightTime)).map { .list([$0, value]) } },
  ]
}

/// All values of which the rest of a division by 3 is what `choose` takes.
private func extremes(_ run: MarbleRun, _ choose: @escaping ([Int]) -> Int?) -> Made {
  listed(
    run.source.collect().map { all in
      let best = choose(all.map { $0.number % 3 })
      return all.filter { $0.number % 3 == best }
    })
}

/// The chains by which docs/operators.tsv replaces operators of other libraries.
let chainsOperations: MarbleOperations = [
  // Times.
  "take_until_with_time": { $0.source.takeUntil(.timer(after: $0.span, on: $0.scheduler)) },
  "skip_until_with_time": { $0.source.skipUntil(.timer(after: $0.span, on: $0.scheduler)) },
  "observe_on_delay": {
    $0.source.materialize().delay($0.span, on: $0.scheduler).dematerialize()
  },
  "scheduled": {
    .merge([Made.from([.int(7), .int(8)]).subscribe(on: $0.scheduler), .just(.int(1))])
  },
  "timer_at": { run in
    let (date, scheduler) = (milliseconds(run.number(0)), run.scheduler)
    return .defer {
      let wait = date - .nanoseconds(scheduler.now)
      return Signal<UInt64>.timer(after: wait, on: scheduler).map { .int(Int($0)) }
    }
  },
  "generate_with_relative_time": { run in
    let scheduler = run.scheduler
    return Signal<Int>.generate(1, while: { $0 <= 4 }, next: { $0 * 2 }, result: { $0 })
      .concatMap { count in
        Signal<UInt64>.timer(after: milliseconds(count), on: scheduler).mapTo(.int(count))
      }
  },
  "delay_with_mapper": { run in
    let time = run.input(2).defaultIfEmpty(.int(0))
    return run.input(1).take(1).then(run.source.delayWhen { _ in time })
  },
  "timeout_with_mapper": { run in
    let (first, each, fallback) = (run.input(1), run.input(2), run.input(3))
    return run.source.timeoutWhen(first: first.defaultIfEmpty(.int(0)), fallback: fallback) { _ in
      each.defaultIfEmpty(.int(0))
    }
  },
  // One after another.
  "for_in": { run in
    Made.from((1...run.number(0)).map { .int($0) }).concatMap(inners(run, 0))
  },
  "exhaust_all": { signals($0, 1).exhaustMap { $0 } },
  "on_error_resume_next": { run in
    .concat((0..<3).map { run.input($0).catch { _ in .empty() } })
  },
  "catch_with_iterable": { run in continuing((0..<3).map { run.input($0) }) { .error($0) } },
  "do_while": { run in
    let (source, count) = (run.source, run.number(1))
    return .defer { doWhile(source, holding(count)) }
  },
  "while_do": { run in
    let (source, count) = (run.source, run.number(1))
    return .defer {
      let condition = holding(count)
      return condition() ? doWhile(source, condition) : .empty()
    }
  },
  "retry_delay": { run in
    let (delay, limit) = (run.input(1), run.number(2))
    return run.source.retryWhen { (errors: Signal<Failure>) in
      errors.enumerated().concatMap { $0.index < limit ? delayed(delay) : .error($0.value) }
        .takeWhile { $0 }
    }
  },
  "repeat_delay": { run in
    let (delay, limit) = (run.input(1), run.number(2))
    return run.source.repeatWhen { (ends: Signal<Void>) in
      ends.enumerated().concatMap { $0.index < limit ? delayed(delay) : .just(false) }
        .takeWhile { $0 }
    }
  },
  "retry_reset_on_success": { run in
    let (source, wait, scheduler) = (run.source, run.number(1), run.scheduler)
    return .defer {
      var failures = 0
      return source.do(next: { _ in failures = 0 }).retryWhen { (errors: Signal<Failure>) in
        errors.concatMap { _ -> Signal<UInt64> in
          defer { failures += 1 }
          return .timer(after: milliseconds(wait << failures), on: scheduler)
        }
      }
    }
  },
  // Signals made of values.
  "merge_scan": { scanned($0) { source, add in source.flatMap { add($0) } } },
  "switch_scan": { scanned($0) { source, add in source.switchMap { add($0) } } },
  "expand_index": { run in
    let (source, limit) = (run.source, run.number(1))
    return .defer {
      let double = doubling(limit)
      return source.expand { double($0) }
    }
  },
  "expand_scheduler": { run in
    let (scheduler, double) = (run.scheduler, doubling(run.number(0)))
    return .merge([
      Made.just(.int(1)).expand { double($0).subscribe(on: scheduler) }, .just(.int(9)),
    ])
  },
  // Windows and groups.
  "buffer_toggle": { run in
    let closing = run.input(2)
    return arrays(run.source.windowToggle(run.input(1)) { _ in closing })
  },
  "window_time_creation": { tagged(windowsByTime($0).map { (nil, $0) }) },
  "buffer_time_creation": { arrays(windowsByTime($0)) },
  "window_when": { tagged($0.source.windowBy(closings($0)).map { (nil, $0) }) },
  "buffer_when": { listed($0.source.bufferBy(closings($0))) },
  "distinct_flushes": { run in
    run.source.windowBy(run.input(1)).flatMap { $0.distinct { $0.number } }
  },
  "group_by_element": { run in
    listed(
      run.source.groupBy { $0.number % 2 }.flatMap { group in
        group.map { .int($0.number * 2) }.collect()
      })
  },
  // Several signals.
  "fork_join": { run in listed(.zip([run.source.takeLast(1), run.input(1).takeLast(1)])) },
  "combine_latest_all": {
    listed(signals($0, 1).collect().flatMap { Signal<[MarbleValue]>.combineLatest($0) })
  },
  "zip_all": { listed(signals($0, 1).collect().flatMap { Signal<[MarbleValue]>.zip($0) }) },
  "zip_latest": { run in
    run.source.enumerated().combineLatest(run.input(1).enumerated())
      .distinctUntilChanged { $0.0.index == $1.0.index || $0.1.index == $1.1.index }
      .map { .list([$0.0.value, $0.1.value]) }
  },
  // Sharing.
  "connect_selector": { run in
    let source = run.source
    return .defer {
      let shared = source.publish()
      return connecting([shared], listed(.zip([shared, shared.skip(1)])))
    }
  },
  "multicast_factory": { $0.source.startWith(.int(0)).shareReplay(count: 1, []) },
  "join": { run in
    let (left, right, leftTime, rightTime) = (run.source, run.input(1), run.input(2), run.input(3))
    return .defer {
      let (left, right) = (left.publish(), right.publish())
      // When one side has ended, no pair can come.
      let both = overlaps(left, right, leftTime, rightTime).map { $0.materialize() }
      return connecting([left, right], Signal.merge(both).dematerialize())
    }
  },
  "group_join": { run in
    let (left, right, leftTime, rightTime) = (run.source, run.input(1), run.input(2), run.input(3))
    return .defer {
      let left = left.enumerated().map { MarbleValue.list([.int($0.index), $0.value]) }.publish()
      let right = right.publish()
      // The end of the pairs is not the end of a group's time.
      let pairs = Made.merge(overlaps(left, right, leftTime, rightTime) + [.never()]).publish()
      let groups = left.flatMap { (value: MarbleValue) -> Made in
        listed(
          pairs.filter { $0.items[0] == value }.map { $0.items[1] }.takeUntil(over(leftTime))
            .collect()
        ).map { MarbleValue.list([value.items[1], $0]) }
      }
      // An error of a pair counts while there is no group, too.
      return connecting([pairs, left, right], groups.takeUntil(pairs.ignoreElements()))
    }
  },
  // One value of a whole signal.
  "last_or_default_9": { $0.source.takeLast(1).defaultIfEmpty(.int(9)) },
  "take_last_buffer": { listed($0.source.takeLast($0.number(1)).collect()) },
  "to_set": { listed($0.source.distinct { $0.number }.collect()) },
  "throw_if_empty": { $0.source.switchIfEmpty(.error(Failure(.notFound))) },
  "single_or_default_9": {
    $0.source.single().catch { $0.code == .notFound ? .just(.int(9)) : .error($0) }
  },
  "find_index_odd": {
    $0.source.enumerated().find { $0.value.number % 2 == 1 }.map { .int($0.index) }
      .defaultIfEmpty(.int(-1))
  },
  "map_indexed": {
    $0.source.enumerated().map { .int(10 * $0.index + $0.value.number) }
  },
  "min_by": { extremes($0) { $0.min() } },
  "max_by": { extremes($0) { $0.max() } },
  "to_dict": { run in
    run.source.reduce([] as [(key: Int, value: MarbleValue)]) { table, value in
      let entry = (key: value.number % 2, value: value)
      guard let at = table.firstIndex(where: { $0.key == entry.key }) else {
        return table + [entry]
      }
      var table = table
      table[at] = entry
      return table
    }.map { .list($0.map { .list([.int($0.key), $0.value]) }) }
  },
  // Parts.
  "slice": { $0.source.skip($0.number(1)).take($0.number(2) - $0.number(1)) },
  "slice_from_end": { $0.source.takeLast($0.number(1)).skipLast($0.number(2)) },
  "slice_by_2": { $0.source.enumerated().filter { $0.index % 2 == 0 }.map { $0.value } },
]
