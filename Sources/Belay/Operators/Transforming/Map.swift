extension Signal {
  /// Sends the result of `transform` for each value. An error that it throws ends the signal.
  public final func map<Output>(
    _ transform: @escaping (Value) throws(ClosureError) -> Output
  ) -> Signal<Output> {
    map(as: "map", transform)
  }

  /// For operators that are a map under another name.
  package final func map<Output>(
    as name: StaticString, _ transform: @escaping (Value) throws(ClosureError) -> Output
  ) -> Signal<Output> {
    lift(name) { MapStage($0, transform) }
  }
}

/// Passes the result of its closure for each value.
private final class MapStage<Input, Output>: Stage<Input, Output>, @unchecked Sendable {
  private let transform: (Input) throws(ClosureError) -> Output

  init(_ downstream: Sink<Output>, _ transform: @escaping (Input) throws(ClosureError) -> Output) {
    self.transform = transform
    super.init(downstream)
  }

  override func next(_ value: Input) {
    do throws(ClosureError) {
      let output = try transform(value)
      pass(output)
      discard(output)
    } catch {
      pass(end: .failed(.carrying(error)))
    }
  }
}
