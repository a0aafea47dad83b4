extension Signal {
  /// Until `trigger` sends a value, which completes. Its completion alone changes nothing; its
  /// error is passed on.
  public final func takeUntil<Other>(_ trigger: Signal<Other>) -> Signal<Value> {
    lift("take_until", startsAnywhere: false) { TakeUntilStage($0, trigger) }
  }

  /// Until `owner` begins to die, which completes. Keeps nothing alive.
  public final func takeUntil(_ owner: OwnerRecord) -> Signal<Value> {
    takeUntil(owner.deallocating)
  }
}

private final class TakeUntilStage<Value, Other>: Stage<Value, Value>, @unchecked Sendable {
  private let trigger: Signal<Other>
  private var input: Input<Other>?
  private var gate = Gate<Value>()

  init(_ downstream: Sink<Value>, _ trigger: Signal<Other>) {
    self.trigger = trigger
    super.init(downstream)
  }

  override var joins: Bool { true }

  override func attach(to source: Signal<Value>, at home: Home) -> Code {
    let input = Input<Other>(
      root, next: { _ in self.pass(.completed) },
      end: { end in
        if case .failed = end { self.pass(end) }
      })
    self.input = input
    let silence = SilentSource("take_until", home)
    upstream = silence
    var code = trigger.connect(input, at: home)
    if code.isFailure || isDisposed {
      self.input = nil
      return code.isFailure ? code : .ok
    }
    code = source.connect(self, at: home)
    if code.isFailure {
      self.input = nil
      input.leaveSource()
    }
    return code
  }

  override func next(_ value: Value) {
    guard gate.enter(value) else { return }
    downstream.next(value)
    drain()
  }

  override func end(_ end: End) { pass(end) }

  private func pass(_ end: End) {
    guard gate.enter(end) else { return }
    downstream.end(end)
    drain()
  }

  private func drain() {
    while let event = gate.leave() {
      switch event {
      case .value(let value):
        if !isDisposed { downstream.next(value) }
        discard(value)
      case .end(let end): downstream.end(end)
      case .attach: break
      }
    }
  }

  override func tearDown() {
    let input = input
    self.input = nil
    input?.leaveSource()
    gate.empty()
  }
}
