// Generic, though there is one kind, because Embedded Swift 6.3 miscompiles a non-generic subclass
// that overrides methods of a specialised generic class.

/// The source of one of an owner's two signals. Sends once, and again to each later subscriber. It
/// is shared, because an owner may die on any thread. A subscription whose home has a loop gets the
/// event there.
final class PhaseEmitter<Value>: Emitter<Value>, @unchecked Sendable {
  private var sent: Value?

  static func make() -> PhaseEmitter {
    var options = SourceOptions()
    options.isShared = true
    return PhaseEmitter(options, room: 1)
  }

  func signal(_ kind: StaticString) -> Signal<Value> {
    HotSignal(self, kind, .atLoopElseAnywhere)
  }

  override func accept(_ value: Value) -> Code { sendByProcess(value) }

  override func process(_ event: PendingEvents<Value>.Event) {
    if case .value(let value) = event {
      // A thread that asks for the signal while the death begins may send it, too.
      if sent != nil { return }
      sent = value
    }
    super.process(event)
  }

  override func replay(to sink: Sink<Value>) {
    if let sent { visit { sink.deliver(sent) } }
  }
}
