extension Signal {
  /// A value begins a period of `span` (> 0, else `.invalid`). At its end, the last value that came
  /// is sent. If a value waits when the source completes, it is sent at its time, and the
  /// completion follows; an error drops it. Values during the period need no timer operation.
  /// (RxJS's auditTime; throttle latest.)
  public final func audit(_ span: Duration, on scheduler: Scheduler) -> Signal<Value> {
    .timed(by: span) { audit($0, on: scheduler) }
  }

  package final func audit(_ span: Int64, on scheduler: Scheduler) -> Signal<Value> {
    lift(bounded: "audit", startsAnywhere: false) {
      ThrottleStage($0, span, leading: false, trailing: true, renews: false, scheduler, $1)
    }
  }
}
