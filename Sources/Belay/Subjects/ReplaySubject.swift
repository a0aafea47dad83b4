/// A subject that remembers values. Each new subscriber first gets the values that are kept, and
/// then the end, if there was one.
public final class ReplaySubject<Value>: Subject<Value>, @unchecked Sendable {
  /// - Parameters:
  ///   - count: how many values are kept, the latest ones; nil: all of them, without a bound.
  ///   - age: values older than this are dropped; nil: none is dropped for its age.
  ///   - scheduler: the clock for the age; nil: the monotonic clock.
  ///   - options: its home, if not the calling thread's, and its name.
  public convenience init(
    count: Int? = 1024, age: Duration? = nil, clock scheduler: Scheduler? = nil,
    _ options: SourceOptions = SourceOptions()
  ) {
    self.init(
      ReplayLimits(count: count ?? .max, age: age?.nanoseconds ?? .max, clock: scheduler), options)
  }

  package init(_ limits: ReplayLimits, _ options: SourceOptions) {
    super.init(ReplayEmitter(limits, options))
  }
}

/// The bounds of what a replay keeps.
package struct ReplayLimits {
  package var count: Int
  /// In nanoseconds.
  package var age: Int64
  package var clock: Scheduler?

  package init(count: Int = 1024, age: Int64 = .max, clock: Scheduler? = nil) {
    self.count = max(0, count)
    self.age = age
    self.clock = clock
  }
}

/// Keeps the values within its limits. With an age, it keeps their times, too.
private final class ReplayEmitter<Value>: Emitter<Value>, @unchecked Sendable {
  private let limits: ReplayLimits
  private var values = FIFO<Value>()
  // As unsigned numbers: one more type of queue would cost the library 200 bytes.
  private var times = FIFO<UInt64>()
  /// How many replays to new subscribers are in progress. Nothing is dropped meanwhile.
  private var replays = 0

  init(_ limits: ReplayLimits, _ options: SourceOptions) {
    self.limits = limits
    super.init(options)
  }

  deinit {
    values.discardAll()
    times.removeAll()
  }

  private var now: Instant { limits.clock?.now ?? MonotonicClock.now }
  private var ages: Bool { limits.age != .max }

  override func accept(_ value: Value) -> Code { sendByProcess(value) }

  override func process(_ event: PendingEvents<Value>.Event) {
    if case .value(let value) = event, !hasEnded {
      keepGathered(value)
      values.append(value)
      if ages { times.append(UInt64(bitPattern: now)) }
      trim()
    }
    super.process(event)
  }

  override func replay(to sink: Sink<Value>) {
    trim()
    if values.isEmpty { return }
    replays += 1
    let end = values.count
    visit {
      Batch.begin()
      var index = 0
      while index < end && !sink.takesNoMore {
        sink.deliver(values[index])
        index += 1
      }
      Batch.end()
    }
    replays -= 1
    trim()
  }

  private func trim() {
    if replays > 0 { return }
    while values.count > limits.count { forgetFirst() }
    if ages {
      let now = now
      while let time = times.first, now - Int64(bitPattern: time) > limits.age { forgetFirst() }
    }
  }

  private func forgetFirst() {
    let value = values.removeFirst()
    if ages { _ = times.removeFirst() }
    discard(value)
  }
}
