extension Signal {
  /// At the first error, calls `answer` with a signal of the errors. Subscribes again with each
  /// value of the signal that `answer` returns. The completion of that signal completes this one;
  /// its error is passed on.
  public final func retryWhen<Trigger>(
    _ answer: @escaping (Signal<FailureValue>) throws(ClosureError) -> Signal<Trigger>
  ) -> Signal<Value> {
    JunctionSignal("retry_when", below: self) {
      WhenJunction($0, self, at: $1, endsAtOnce: true, answer) {
        if case .failed(let failure) = $0 { failure.ownValue } else { nil }
      }
    }
  }

  /// At the first completion, calls `answer` with a signal of the completions. Subscribes again
  /// with each value of the signal that `answer` returns. When that signal has completed, this
  /// completes with its source. Its error is passed on.
  public final func repeatWhen<Trigger>(
    _ answer: @escaping (Signal<UnitValue>) throws(ClosureError) -> Signal<Trigger>
  ) -> Signal<Value> {
    JunctionSignal("repeat_when", below: self) {
      WhenJunction($0, self, at: $1, endsAtOnce: false, answer) {
        if case .completed = $0 { unitValue } else { nil }
      }
    }
  }
}

/// Sends the source's ends into a subject, and runs the source again with each value of the answer.
private final class WhenJunction<Value, Event, Trigger>: SequentialJunction<Value>,
  @unchecked Sendable
{
  private let source: Signal<Value>
  private let endsAtOnce: Bool
  private let answer: (Signal<Event>) throws(ClosureError) -> Signal<Trigger>
  private let event: (End) -> Event?
  private var events: PublishSubject<Event>?
  /// How the answer has ended, while the source still runs.
  private var outcome: End?

  init(
    _ downstream: Sink<Value>, _ source: Signal<Value>, at home: Home, endsAtOnce: Bool,
    _ answer: @escaping (Signal<Event>) throws(ClosureError) -> Signal<Trigger>,
    _ event: @escaping (End) -> Event?
  ) {
    self.source = source
    self.endsAtOnce = endsAtOnce
    self.answer = answer
    self.event = event
    super.init(downstream, at: home)
  }

  override func start() { follow(with: source) }

  override func innerEnded(_ inner: InnerInput<Value>, _ end: End) {
    guard let event = event(end) else { return send(end: end) }
    defer { discard(event) }
    if let outcome { return send(end: outcome) }
    inner.release()
    if isClosed { return }
    do throws(ClosureError) {
      if events == nil { try ask() }
      if !isClosed { _ = events?.next(event) }
    } catch {
      send(end: .failed(.carrying(error)))
    }
  }

  private func ask() throws(ClosureError) {
    var options = SourceOptions()
    options.home = ownHome
    let made = PublishSubject<Event>(options)
    events = made
    let signal = try answer(made)
    if !isClosed {
      connect(signal, next: { _ in self.again() }, end: { self.answerEnded($0) })
    }
  }

  /// Subscribes again. A source that still runs is disposed of.
  private func again() {
    current?.dispose()
    follow(with: source)
  }

  private func answerEnded(_ end: End) {
    if case .failed = end { return send(end: end) }
    if case .completed = end, endsAtOnce { return send(end: end) }
    if isIdle { send(end: end) } else { outcome = end }
  }

  override func tearDown() {
    events = nil
    super.tearDown()
  }
}
