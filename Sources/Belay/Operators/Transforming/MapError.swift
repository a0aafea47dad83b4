extension Signal {
  /// Replaces an error by the result of `transform`.
  public final func mapError(
    _ transform: @escaping (Failure) -> ClosureError
  ) -> Signal<Value> {
    lift("map_error") { MapErrorStage($0, transform) }
  }
}

/// Replaces the error when it passes the end on.
private final class MapErrorStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let transform: (Failure) -> ClosureError

  init(_ downstream: Sink<Value>, _ transform: @escaping (Failure) -> ClosureError) {
    self.transform = transform
    super.init(downstream)
  }

  override func next(_ value: Value) { pass(value) }

  override func end(_ end: End) {
    guard case .failed(let failure) = end else { return pass(end: end) }
    let other = transform(failure)
    pass(end: .failed(.carrying(other)))
  }
}
