extension Signal {
  /// Runs `work` on the scheduler for each subscription, sends its result, then completes. An error
  /// that it throws is the signal's. A disposal before its turn prevents the run. Fails with
  /// `.noHome` if the scheduler's home is not the subscription's, and the subscription's has no
  /// loop. (startLazily, Future in a Deferred in other libraries.)
  public static func start(
    on scheduler: Scheduler, _ work: @escaping () throws(ClosureError) -> Value
  ) -> Signal<Value> {
    StartSignal(scheduler, work)
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

/// Submits its work for each subscription, if the scheduler can reach the subscription's home.
private final class StartSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let scheduler: Scheduler
  private let signal: Signal<Value>

  init(_ scheduler: Scheduler, _ work: @escaping () throws(ClosureError) -> Value) {
    self.scheduler = scheduler
    signal = .create(SourceOptions(label: "start")) { subscriber in
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
      let code = scheduler.submit(run)
      if !code.isFailure { return run }
      subscriber.error(Failure(code))
      return nil
    }
    super.init()
  }

  override var builtName: Text { "start" }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    RearmableTimer.reaches(home, from: scheduler) ? signal.attach(sink, at: home) : .noHome
  }
}
