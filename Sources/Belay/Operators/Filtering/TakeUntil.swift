extension Signal {
  /// Passes values until `trigger` sends one, which completes this. The completion of `trigger`
  /// alone has no effect. An error of `trigger` is passed on.
  public final func takeUntil<Other>(_ trigger: Signal<Other>) -> Signal<Value> {
    lift(bounded: "take_until", startsAnywhere: false, with: [trigger]) {
      UntilStage($0, trigger, takes: true, $1)
    }
  }

  /// Passes values until `owner` begins to die, which completes this. It keeps nothing alive.
  /// (ReactiveSwift's name.)
  public final func take(during owner: OwnerRecord) -> Signal<Value> {
    takeUntil(owner.deallocating)
  }
}

/// The stage of take_until and skip_until: has an input for the trigger, and passes the values from
/// before the trigger's first value, or those from after it.
final class UntilStage<Value, Other>: Stage<Value, Value>, @unchecked Sendable {
  private var trigger: Signal<Other>?
  private var input: Input<Other>?
  private let takes: Bool
  private var isOpen: Bool
  private let gate: Gate<Value>

  init(
    _ downstream: Sink<Value>, _ trigger: Signal<Other>, takes: Bool, _ limit: QueueLimit
  ) {
    self.trigger = trigger
    self.takes = takes
    isOpen = takes
    gate = Gate(downstream, limit)
    super.init(downstream)
  }

  override func attach(to source: Signal<Value>, at home: Home) -> Code {
    // Drop the trigger now: subscribers must not retain a subject, whose last release interrupts.
    guard let trigger = self.trigger.take() else { return .invalid }
    let input = ClosureInput<Other>(
      root, of: self, above: level - 1, next: { _ in self.triggered() },
      end: { self.triggerEnded($0) })
    self.input = input
    upstream = SilentSource(takes ? "take_until" : "skip_until", home)
    var code = trigger.connect(input, at: home)
    if code.isFailure || isDisposed {
      self.input = nil
      return code.isFailure ? code : .ok
    }
    code = source.connect(self, at: home)
    if code.isFailure { leaveTrigger() }
    return code
  }

  private func triggered() {
    if takes { return gate.send(end: .completed) }
    isOpen = true
    leaveTrigger()
  }

  private func triggerEnded(_ end: End) {
    input = nil
    switch end {
    case .completed: return
    // No value could pass any more, unless values pass already.
    case .interrupted: if takes { return }
    case .failed: break
    }
    gate.send(end: end)
  }

  private func leaveTrigger() {
    let input = input
    self.input = nil
    input?.dispose()
  }

  override func next(_ value: Value) { if isOpen { gate.send(value) } }
  override func end(_ end: End) { gate.send(end: end) }

  override func tearDown() {
    leaveTrigger()
    gate.empty()
  }
}
