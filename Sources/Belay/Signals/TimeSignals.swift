extension Signal where Value == UInt64 {
  /// Sends 0 after `delay`, then completes.
  public static func timer(after delay: Duration, on scheduler: Scheduler) -> Signal<UInt64> {
    timer(after: delay.nanoseconds, on: scheduler) { $0 }
  }

  /// Sends 0, 1, 2, … every `interval` (> 0, else `.invalid`); the first after one interval.
  public static func interval(_ interval: Duration, on scheduler: Scheduler) -> Signal<UInt64> {
    timed(by: interval) { Signal.interval($0, on: scheduler) { $0 } }
  }
}

extension Signal {
  /// The signal that `make` makes with the nanoseconds of `span`. A span that is not positive fails
  /// with `.invalid`; one that is not negative is enough where `allowsZero`.
  static func timed(
    by span: Duration, allowsZero: Bool = false, _ make: (Int64) -> Signal<Value>
  ) -> Signal<Value> {
    if span > .zero { return make(Swift.max(1, span.nanoseconds)) }
    return allowsZero && span == .zero ? make(0) : .error(Failure(.invalid))
  }

  package static func timer(
    after delay: Int64, on scheduler: Scheduler, convert: @escaping (UInt64) -> Value
  ) -> Signal<Value> {
    ScheduledSignal("timer", on: scheduler) { subscriber in
      let work = ClosureWork(subscriber.origin) {
        subscriber.send(convert(0))
        subscriber.completed()
      }
      return (work, scheduler.submit(work, after: delay))
    }
  }

  package static func interval(
    _ interval: Int64, on scheduler: Scheduler, convert: @escaping (UInt64) -> Value
  ) -> Signal<Value> {
    ScheduledSignal("interval", on: scheduler) { subscriber in
      var count: UInt64 = 0
      let work = ClosureWork(subscriber.origin) {
        let number = count
        count += 1
        subscriber.send(convert(number))
      }
      return (work, scheduler.submit(work, after: interval, every: interval))
    }
  }
}
