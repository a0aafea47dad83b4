/// A signal whose events come from work of a scheduler, which each subscription submits. It refuses one whose
/// home that scheduler cannot reach.
final class ScheduledSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let kind: StaticString
  private let scheduler: Scheduler
  private let signal: Signal<Value>

  /// - Parameter submit: submits the work of a subscription, and answers what the scheduler said.
  init(
    _ kind: StaticString, on scheduler: Scheduler,
    _ submit: @escaping (Subscriber<Value>) -> (work: Work, code: Code)
  ) {
    self.kind = kind
    self.scheduler = scheduler
    signal = .create(SourceOptions(label: kind)) { subscriber in
      let (work, code) = submit(subscriber)
      if !code.isFailure { return work }
      subscriber.error(Failure(code))
      return nil
    }
    super.init()
  }

  override var builtName: Text { kind.string }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    let reach = RearmableTimer.reach(home, from: scheduler)
    return reach.isFailure ? reach : signal.attach(sink, at: home)
  }
}
