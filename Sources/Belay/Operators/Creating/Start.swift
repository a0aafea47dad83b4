extension Signal {
  /// Runs `work` on the scheduler, for each subscription, and sends what it returns, then
  /// completed; what it throws is the error. A disposal before its turn keeps it from running.
  /// `.noHome` where the scheduler's home is another one than the subscription's and that has no
  /// loop. (startLazily, Future in a Deferred elsewhere.)
  public static func start(
    on scheduler: Scheduler, _ work: @escaping () throws(Failure) -> Value
  ) -> Signal<Value> {
    StartSignal(scheduler, work)
  }

  /// Runs `work` on the scheduler once, soon, whoever listens; sends what it returns, then
  /// completed, to those who listen and to who comes later. The error is what it throws, or what
  /// kept it from running, as for `start`; when the scheduler drops it the signal is interrupted.
  /// Nothing is held but by the scheduler and by the signal. (startEagerly, Rx's start elsewhere.)
  public static func startEagerly(
    on scheduler: Scheduler, _ work: @escaping () throws(Failure) -> Value
  ) -> Signal<Value> {
    let result = AsyncSubject<Value>(SourceOptions(label: "start_eagerly"))
    let code = start(on: scheduler, work).bound(to: result).code
    if code.isFailure { result.error(Failure(code)) }
    return HotSignal(result.emitter, "start_eagerly")
  }
}

private final class StartSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let scheduler: Scheduler
  private let signal: Signal<Value>

  init(_ scheduler: Scheduler, _ work: @escaping () throws(Failure) -> Value) {
    self.scheduler = scheduler
    signal = .create(SourceOptions(label: "start")) { subscriber in
      let run = ClosureWork {
        do throws(Failure) {
          let value = try work()
          subscriber.sendOrFail(value)
          discard(value)
          subscriber.completed()
        } catch {
          subscriber.error(error)
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
