extension Signal {
  /// Drops values until `trigger` sends one; then disposes of the subscription to it. If `trigger`
  /// completes without a value, no value passes any more, only the source's end. An error of
  /// `trigger` is passed on. (drop(untilOutputFrom:) in Combine.)
  public final func skipUntil<Other>(_ trigger: Signal<Other>) -> Signal<Value> {
    lift("skip_until", startsAnywhere: false, with: [trigger]) { SkipUntilStage($0, trigger) }
  }
}

/// Has an input for the trigger, and drops values until that has sent one.
private final class SkipUntilStage<Value, Other>: Stage<Value, Value>, @unchecked Sendable {
  private var trigger: Signal<Other>?
  private var input: Input<Other>?
  private var isOpen = false
  private let gate: Gate<Value>

  init(_ downstream: Sink<Value>, _ trigger: Signal<Other>) {
    self.trigger = trigger
    gate = Gate(downstream)
    super.init(downstream)
  }

  override func attach(to source: Signal<Value>, at home: Home) -> Code {
    guard let trigger else { return .invalid }
    // Drop the trigger now: subscribers must not retain a subject, whose last release interrupts.
    self.trigger = nil
    let input = ClosureInput<Other>(
      root, of: self, above: level - 1, next: { _ in self.open() }, end: { self.triggerEnded($0) })
    self.input = input
    upstream = SilentSource("skip_until", home)
    var code = trigger.connect(input, at: home)
    if code.isFailure || isDisposed {
      self.input = nil
      return code.isFailure ? code : .ok
    }
    code = source.connect(self, at: home)
    if code.isFailure { leaveTrigger() }
    return code
  }

  private func open() {
    isOpen = true
    leaveTrigger()
  }

  private func triggerEnded(_ end: End) {
    input = nil
    if case .completed = end { return }
    // An interrupted trigger cannot open this any more, so nothing could be sent.
    gate.finish(end)
  }

  private func leaveTrigger() {
    let input = input
    self.input = nil
    input?.dispose()
  }

  override func next(_ value: Value) { if isOpen { gate.send(value) } }
  override func end(_ end: End) { gate.finish(end) }

  override func tearDown() {
    leaveTrigger()
    gate.empty()
  }
}
