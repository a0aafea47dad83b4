extension Signal {
  /// Runs `work` on the scheduler for each subscription, sends its result, then completes. An error
  /// that it throws is the signal's. A disposal before its turn prevents the run. Fails with
  /// `.noHome` if the scheduler's home is not the subscription's, and the subscription's has no
  /// loop. (startLazily, Future in a Deferred in other libraries.)
  public static func start(
    on scheduler: Scheduler, _ work: @escaping () throws(ClosureError) -> Value
  ) -> Signal<Value> {
    ScheduledSignal("start", on: scheduler) { subscriber in
      let run = ClosureWork(subscriber.origin) {
        do throws(ClosureError) {
          let value = try work()
          subscriber.send(value)
          discard(value)
          subscriber.completed()
        } catch {
          subscriber.error(.carrying(error))
        }
      }
      return (run, scheduler.submit(run))
    }
  }

  /// Runs `work` on the scheduler once, as soon as possible, even without subscribers. Sends its
  /// result and the completion to the subscribers, also to later ones. The signal fails if `work`
  /// throws, or if it cannot run, as with `start`. If the scheduler drops the work, the signal is
  /// interrupted. Only the scheduler and the signal retain the work. (startEagerly, Rx's start in
  /// other libraries.)
  public static func startEagerly(
    on scheduler: Scheduler, _ work: @escaping () throws(ClosureError) -> Value
  ) -> Signal<Value> {
    let result = AsyncSubject<Value>(SourceOptions(label: "start_eagerly"))
    let code = start(on: scheduler, work).bound(to: result).code
    if code.isFailure { result.error(Failure(code)) }
    return HotSignal(result.emitter, "start_eagerly")
  }
}
