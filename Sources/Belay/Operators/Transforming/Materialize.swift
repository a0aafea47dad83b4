/// An event of a signal, as a value.
public enum Event<Value> {
  /// A value.
  case next(Value)
  /// The signal has failed; no event follows.
  case error(Failure)
  /// The signal has completed; no event follows.
  case completed
}

extension Event: Sendable where Value: Sendable {}
extension Event: Equatable where Value: Equatable {
  /// Failures are equal if they are the same object.
  public static func == (one: Event, other: Event) -> Bool {
    switch (one, other) {
    case (.next(let one), .next(let other)): one == other
    case (.error(let one), .error(let other)): one === other
    case (.completed, .completed): true
    default: false
    }
  }
}

extension Signal {
  /// Sends events as values. Completes after an error or the completion.
  public final func materialize() -> Signal<Event<Value>> { materialize { $0 } }

  /// Turns the values that `materialize` has made into events again. Values after an end are
  /// dropped.
  public final func dematerialize<Inner>() -> Signal<Inner> where Value == Event<Inner> {
    dematerialize { $0 }
  }

  /// `gather` borrows the event.
  package final func materialize<Output>(
    gather: @escaping (Event<Value>) -> Output
  ) -> Signal<Output> {
    lift("materialize") { MaterializeStage($0, gather) }
  }

  /// The event that the closure returns borrows from the closure's argument.
  package final func dematerialize<Output>(
    event: @escaping (Value) throws(ClosureError) -> Event<Output>
  ) -> Signal<Output> {
    lift("dematerialize") { DematerializeStage($0, event) }
  }
}

/// Passes each event as a value.
private final class MaterializeStage<Value, Output>: Stage<Value, Output>, @unchecked Sendable {
  private let gather: (Event<Value>) -> Output

  init(_ downstream: Sink<Output>, _ gather: @escaping (Event<Value>) -> Output) {
    self.gather = gather
    super.init(downstream)
  }

  override func next(_ value: Value) { send(.next(value)) }

  private func send(_ event: Event<Value>) {
    let output = gather(event)
    pass(output)
    discard(output)
  }

  override func end(_ end: End) {
    switch end {
    case .completed: send(.completed)
    case .failed(let failure): send(.error(failure))
    case .interrupted: return pass(end: end)
    }
    pass(end: .completed)
  }
}

/// Passes the event that each value contains.
private final class DematerializeStage<Value, Output>: Stage<Value, Output>, @unchecked Sendable {
  private let event: (Value) throws(ClosureError) -> Event<Output>

  init(_ downstream: Sink<Output>, _ event: @escaping (Value) throws(ClosureError) -> Event<Output>)
  {
    self.event = event
    super.init(downstream)
  }

  override func next(_ value: Value) {
    do throws(ClosureError) {
      switch try event(value) {
      case .next(let inner): pass(inner)
      case .error(let failure): pass(end: .failed(failure))
      case .completed: pass(end: .completed)
      }
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }
}
