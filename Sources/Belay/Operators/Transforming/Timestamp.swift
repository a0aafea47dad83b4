extension Signal {
  /// Sends each value with the time at which it came, by the scheduler's clock.
  public final func timestamp(
    on scheduler: Scheduler
  ) -> Signal<(time: Duration, value: Value)> {
    timestamp(on: scheduler) { (time: .nanoseconds($0), value: $1) }
  }

  /// Sends each value with the time since the one before it, and the first with the time since the
  /// subscription. (measureInterval in Combine.)
  public final func timeInterval(
    on scheduler: Scheduler
  ) -> Signal<(interval: Duration, value: Value)> {
    timeInterval(on: scheduler) { (interval: .nanoseconds($0), value: $1) }
  }

  /// `gather` borrows the value.
  package final func timestamp<Output>(
    on scheduler: Scheduler, gather: @escaping (Int64, Value) -> Output
  ) -> Signal<Output> {
    lift("timestamp") {
      CompactMapStage($0) { (value: Value) throws(ClosureError) -> Output? in
        gather(scheduler.now, value)
      }
    }
  }

  package final func timeInterval<Output>(
    on scheduler: Scheduler, gather: @escaping (Int64, Value) -> Output
  ) -> Signal<Output> {
    lift("time_interval") {
      var before = scheduler.now
      return CompactMapStage($0) { (value: Value) throws(ClosureError) -> Output? in
        let now = scheduler.now
        defer { before = now }
        return gather(now - before, value)
      }
    }
  }
}
