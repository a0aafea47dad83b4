extension Signal {
  /// Passes values until `trigger` sends one, which completes this. The completion of `trigger`
  /// alone has no effect. An error of `trigger` is passed on.
  public final func takeUntil<Other>(_ trigger: Signal<Other>) -> Signal<Value> {
    lift("take_until", startsAnywhere: false, with: [trigger]) { TakeUntilStage($0, trigger) }
  }

  /// Passes values until `owner` begins to die, which completes this. It keeps nothing alive.
  /// (ReactiveSwift's name.)
  public final func take(during owner: OwnerRecord) -> Signal<Value> {
    takeUntil(owner.deallocating)
  }
}

/// Has an input for the trigger, and completes when that sends a value.
private final class TakeUntilStage<Value, Other>: Stage<Value, Value>, @unchecked Sendable {
  private var trigger: Signal<Other>?
  private var input: Input<Other>?
  private let gate: Gate<Value>

  init(_ downstream: Sink<Value>, _ trigger: Signal<Other>) {
    self.trigger = trigger
    gate = Gate(downstream)
    super.init(downstream)
  }

  override func attach(to source: Signal<Value>, at home: Home) -> Code {
    let input = ClosureInput<Other>(
      root, of: self, above: level - 1, next: { _ in self.gate.finish(.completed) },
      end: { end in
        if case .failed = end { self.gate.finish(end) }
      })
    self.input = input
    // Drop the trigger now: subscribers must not retain a subject, whose last release interrupts.
    guard let trigger else { return .ok }
    self.trigger = nil
    upstream = SilentSource("take_until", home)
    var code = trigger.connect(input, at: home)
    if code.isFailure || isDisposed {
      self.input = nil
      return code.isFailure ? code : .ok
    }
    code = source.connect(self, at: home)
    if code.isFailure {
      self.input = nil
      input.dispose()
    }
    return code
  }

  override func next(_ value: Value) { gate.send(value) }
  override func end(_ end: End) { gate.finish(end) }

  override func tearDown() {
    let input = input
    self.input = nil
    input?.dispose()
    gate.empty()
  }
}
