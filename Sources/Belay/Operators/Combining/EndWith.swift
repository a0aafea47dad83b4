extension Signal {
  /// Sends `values` after the last value, before the completion. After an error they are not sent.
  /// (append in other libraries.)
  public final func endWith(_ values: Value...) -> Signal<Value> {
    endWith(kept(values))
  }

  package final func endWith(_ values: ReferenceArray<Kept<Value>>) -> Signal<Value> {
    lift("end_with") { EndWithStage($0, values) }
  }
}

/// Sends its values before it passes the completion on.
private final class EndWithStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let values: ReferenceArray<Kept<Value>>

  init(_ downstream: Sink<Value>, _ values: ReferenceArray<Kept<Value>>) {
    self.values = values
    super.init(downstream)
  }

  override func next(_ value: Value) { pass(value) }

  override func end(_ end: End) {
    if case .completed = end {
      for kept in values where !takesNoMore { pass(kept.value) }
      if takesNoMore { return }
    }
    pass(end: end)
  }
}
