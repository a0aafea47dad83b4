extension Signal {
  /// Replaces an error by the result of `transform`.
  public final func mapError(
    _ transform: @escaping (Failure) -> Failure
  ) -> Signal<Value> {
    lift("map_error") { MapErrorStage($0, transform) }
  }
}

/// Replaces the error when it passes the end on.
private final class MapErrorStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let transform: (Failure) -> Failure

  init(_ downstream: Sink<Value>, _ transform: @escaping (Failure) -> Failure) {
    self.transform = transform
    super.init(downstream)
  }

  override func next(_ value: Value) { pass(value) }

  override func end(_ end: End) {
    guard case .failed(let failure) = end else { return pass(end: end) }
    let other = transform(failure)
    pass(end: .failed(other))
  }
}
