@testable import Belay

/// Operators that make other values, buffers and windows.
let transformingOperations: MarbleOperations = [
  "scan_sum": { run in
    run.input(0).scan(.int(0)) {
      (sum: MarbleValue, value: MarbleValue) throws(Failure) -> MarbleValue in
      try run.enter(value)
      return .int(sum.number + value.number)
    }
  },
  "buffer_time": {
    $0.input(0).buffer(every: .milliseconds($0.number(1)), on: $0.scheduler).map { .list($0) }
  },
  "with_owner": { run in
    let object = Token()
    return run.input(0).withUnretained(object).map { $0.value }.finally { extendLifetime(object) }
  },
  "compose": { run in run.input(0).take(2).skip(1) },

  "map_to_7": { $0.input(0).mapTo(.int(7)) },
  "compact_odd_tenfold": { run in
    run.input(0).compactMap { (value: MarbleValue) throws(Failure) -> MarbleValue? in
      try run.enter(value)
      return value.number % 2 == 1 ? .int(10 * value.number) : nil
    }
  },
  "map_error": { run in
    run.input(0).mapError { _ in
      do throws(Failure) { try run.enter() } catch { return error }
      return Failure(.busy)
    }
  },
  "enumerated": { $0.input(0).enumerated().map { .list([.int($0.index), $0.value]) } },
  "pairwise": { $0.input(0).pairwise().map { .list([$0.previous, $0.current]) } },
  "pairwise_from_9": {
    $0.input(0).pairwise(from: .int(9)).map { .list([$0.previous, $0.current]) }
  },
  "buffer_skip": { $0.input(0).buffer($0.number(1), skip: $0.number(2)).map { .list($0) } },
  "window": {
    let skip = $0.number(2)
    return tagged($0.input(0).window($0.number(1), skip: skip).map { (nil, $0) })
  },
  "window_time": {
    tagged(
      $0.input(0).window(
        every: .milliseconds($0.number(1)), count: $0.count(2), on: $0.scheduler
      ).map { (nil, $0) })
  },
  "window_toggle": { run in
    let closing = run.input(2)
    return tagged(
      run.input(0).windowToggle(run.input(1)) {
        (opening: MarbleValue) throws(Failure) -> Signal<MarbleValue> in
        try run.enter(opening)
        return closing
      }.map { (nil, $0) })
  },
  "window_by": { tagged($0.input(0).windowBy($0.input(1)).map { (nil, $0) }) },
  "group_by_parity": { run in
    tagged(
      run.input(0).groupBy { (value: MarbleValue) throws(Failure) -> Int in
        try run.enter(value)
        return value.number % 2
      }.map { (.int($0.key), $0) })
  },
  "group_by_parity_until": { run in
    let end = run.input(1)
    return tagged(
      run.input(0).groupBy {
        (value: MarbleValue) throws(Failure) -> Int in
        try run.enter(value)
        return value.number % 2
      } until: { (group: GroupedSignal<Int, MarbleValue>) throws(Failure) -> Signal<MarbleValue> in
        try run.enter(.int(group.key))
        return end
      }.map { (.int($0.key), $0) })
  },
  "group_by_parity_two": {
    tagged(
      $0.input(0).groupBy({ $0.number % 2 }, until: { $0.skip(1) }).map { (.int($0.key), $0) })
  },
  "materialize": {
    $0.input(0).materialize().map { event in
      switch event {
      case .next(let value): .list([.int(0), value])
      case .error: .list([.int(1)])
      case .completed: .list([.int(2)])
      }
    }
  },
  "lines": { run in framed(run) { $0.lines(limit: run.count(1)) } },
  "frames_delimited": { run in framed(run) { $0.frames(by: [0, 0, 1], limit: run.count(1)) } },
  "frames_fixed": { run in framed(run) { $0.frames(of: run.count(1)) } },
  "frames_prefixed": { run in framed(run) { prefixed($0, run, false) } },
  "frames_prefixed_little": { run in framed(run) { prefixed($0, run, true) } },
  "utf8": { run in framed(run) { $0.utf8().map { Bytes($0) } } },
  "materialize_and_back": { $0.input(0).materialize().dematerialize() },
  "timestamp": {
    $0.input(0).timestamp(on: $0.scheduler).map { .list([milliseconds($0.time), $0.value]) }
  },
  "time_interval": {
    $0.input(0).timeInterval(on: $0.scheduler).map { .list([milliseconds($0.interval), $0.value]) }
  },
]

/// [104 105] is those bytes.
private func framed(
  _ run: MarbleRun, _ framing: (Signal<Bytes>) -> Signal<Bytes>
) -> Signal<MarbleValue> {
  framing(
    run.input(0).map { (value: MarbleValue) throws(Failure) -> Bytes in
      try run.enter(value)
      return Bytes(value.list.map { UInt8($0.number) })
    }
  ).map { .list($0.map { .int(Int($0)) }) }
}

private func prefixed(
  _ bytes: Signal<Bytes>, _ run: MarbleRun, _ isLittleEndian: Bool
) -> Signal<Bytes> {
  let limit = run.count(2)
  return switch run.number(1) {
  case 1: bytes.frames(prefixedBy: UInt8.self, isLittleEndian: isLittleEndian, limit: limit)
  case 2: bytes.frames(prefixedBy: UInt16.self, isLittleEndian: isLittleEndian, limit: limit)
  case 4: bytes.frames(prefixedBy: UInt32.self, isLittleEndian: isLittleEndian, limit: limit)
  default: bytes.frames(prefixedBy: UInt64.self, isLittleEndian: isLittleEndian, limit: limit)
  }
}

private func milliseconds(_ time: Duration) -> MarbleValue { .int(Int(time / .milliseconds(1))) }

/// The events of inner signals: [number value] or [key value]; at an end [number end] or [number
/// error].
func tagged(
  _ outer: Signal<(key: MarbleValue?, signal: Signal<MarbleValue>)>
) -> Signal<MarbleValue> {
  .create { subscriber in
    var count = 0
    return outer.subscribe(
      next: { inner in
        count += 1
        let name = inner.key ?? .int(count)
        inner.signal.subscribe(
          next: { subscriber.send(.list([name, $0])) },
          error: { _ in subscriber.send(.list([name, .text("error")])) },
          completed: { subscriber.send(.list([name, .text("end")])) })
      }, error: { subscriber.error($0) }, completed: { subscriber.completed() })
  }
}

/// An object that is kept for a while.
private final class Token: Sendable {}
