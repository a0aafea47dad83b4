/// A slot's signal that sends Swift values instead of arrays.
final class TypedSlotSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let source: Signal<ForeignValue>
  private let read: (CallBox) -> Value

  init(_ source: Signal<ForeignValue>, _ read: @escaping (CallBox) -> Value) {
    self.source = source
    self.read = read
    super.init()
    route = source.route.listening
  }

  override var stem: NameStem? { NameStem(source, "") }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    let stage = ReadingStage(sink, read)
    sink.upstream = stage
    let code = source.connect(stage, at: home)
    if code.isFailure {
      // In Swift `subscribe` returns no code, so a failure must be an event.
      sink.upstream = SilentSource("slot", home)
      sink.deliverEnd(.failed(Failure(code)))
    }
    return .ok
  }
}

/// Turns the calls of a slot's signal into Swift values.
private final class ReadingStage<Value>: Stage<ForeignValue, Value>, @unchecked Sendable {
  private let read: (CallBox) -> Value

  init(_ downstream: Sink<Value>, _ read: @escaping (CallBox) -> Value) {
    self.read = read
    super.init(downstream)
  }

  override func next(_ value: ForeignValue) {
    if let call = value.entity as? CallBox { pass(read(call)) }
  }
}
