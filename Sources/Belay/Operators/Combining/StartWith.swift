extension Signal {
  /// Sends `values` before the source's values.
  public final func startWith(_ values: Value...) -> Signal<Value> {
    startWith(kept(values))
  }

  package final func startWith(_ values: ReferenceArray<Kept<Value>>) -> Signal<Value> {
    lift("start_with", startsAnywhere: false) { StartWithStage($0, values) }
  }
}

/// Sends its values before it connects to the source.
private final class StartWithStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let values: ReferenceArray<Kept<Value>>

  init(_ downstream: Sink<Value>, _ values: ReferenceArray<Kept<Value>>) {
    self.values = values
    super.init(downstream)
  }

  override func attach(to source: Signal<Value>, at home: Home) -> Code {
    upstream = SilentSource("start_with", home)
    for kept in values where !takesNoMore { deliver(kept.value) }
    if takesNoMore { return .ok }
    let code = source.connect(self, at: home)
    if code.isFailure { deliverEnd(.failed(Failure(code))) }
    return .ok
  }

  override func next(_ value: Value) { pass(value) }
}
