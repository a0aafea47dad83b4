/// One of a slot's two signals. While it has subscribers, the slot is wanted.
final class SlotSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let slot: MethodSlot
  // One of these is nil.
  private let emitter: Emitter<Value>?
  private let calls: Signal<Value>?
  private let isSent: Bool

  init(_ slot: MethodSlot, _ emitter: Emitter<Value>?, _ calls: Signal<Value>?, isSent: Bool) {
    self.slot = slot
    self.emitter = emitter
    self.calls = calls
    self.isSent = isSent
    super.init()
    route = Route(to: emitter?.ownHome ?? calls?.route.sourceHome, .atLoopElseAnywhere)
  }

  override var builtName: Text { slot.method.name.text + (isSent ? ".sent" : ".invoked") }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    let stage = ListeningStage(sink, slot, isSent: isSent)
    sink.upstream = stage
    let code = stage.listen(to: emitter, calls, at: home)
    if code.isFailure { sink.upstream = nil }
    return code
  }
}

/// Makes the slot wanted from the subscription's start to its end.
private final class ListeningStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let target: MethodSlot
  private let isSent: Bool
  private var isListening = false

  init(_ downstream: Sink<Value>, _ slot: MethodSlot, isSent: Bool) {
    target = slot
    self.isSent = isSent
    super.init(downstream)
  }

  func listen(to emitter: Emitter<Value>?, _ calls: Signal<Value>?, at home: Home) -> Code {
    let code = target.beginListening(isSent)
    // A slot that has gone completes new subscriptions.
    if code.isFailure && code != .dead { return code }
    isListening = !code.isFailure
    // The object's function that installs its table may have ended the subscription.
    if isClosed {
      if isListening { target.endListening(isSent) }
      return .ok
    }
    return emitter?.attach(self, at: home) ?? calls?.attach(self, at: home) ?? .invalid
  }

  override func next(_ value: Value) { pass(value) }
  override func tearDown() { if isListening { target.endListening(isSent) } }
}
