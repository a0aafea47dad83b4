extension Signal {
  /// The values of all `signals`, as they come. Completes with the last of them, ends with the
  /// first error.
  public static func merge(_ signals: [Signal<Value>]) -> Signal<Value> { MergeSignal(signals) }

  /// The values of this signal and of `others`, as they come.
  public final func merge(_ others: Signal<Value>...) -> Signal<Value> {
    MergeSignal([self] + others)
  }
}

final class MergeSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let signals: [Signal<Value>]

  init(_ signals: [Signal<Value>]) {
    self.signals = signals
    super.init()
  }

  override var builtName: String {
    signals.isEmpty ? "merge" : signals[0].name + ".merge"
  }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    let junction = MergeJunction(sink, count: signals.count, home: home)
    sink.upstream = junction
    junction.start(signals, builtName)
    return .ok
  }
}

private final class MergeJunction<Value>: Upstream, @unchecked Sendable {
  private let downstream: Sink<Value>
  private let ownHome: Home
  private var inputs: [Input<Value>] = []
  private var remaining: Int
  private var isInterrupted = false
  private var gate = Gate<Value>()
  private var name = "merge"

  init(_ downstream: Sink<Value>, count: Int, home: Home) {
    self.downstream = downstream
    remaining = count
    ownHome = home
    super.init()
  }

  override var home: Home? { ownHome }
  override var chainName: String { name }

  func start(_ signals: [Signal<Value>], _ name: String) {
    self.name = name
    if signals.isEmpty { return downstream.enterEnd(.completed) }
    for signal in signals where !isClosed {
      let input = Input<Value>(
        downstream.root, next: { self.next($0) }, end: { self.inputEnded($0) })
      inputs.append(input)
      let code = signal.connect(input, at: ownHome)
      if code.isFailure { input.enterEnd(.failed(Failure(code))) }
    }
  }

  private func next(_ value: Value) {
    guard gate.enter(value) else { return }
    downstream.next(value)
    drain()
  }

  private func inputEnded(_ end: End) {
    remaining -= 1
    switch end {
    case .failed: pass(end)
    case .interrupted, .completed:
      if case .interrupted = end { isInterrupted = true }
      if remaining == 0 { pass(isInterrupted ? .interrupted : .completed) }
    }
  }

  private func pass(_ end: End) {
    guard gate.enter(end) else { return }
    downstream.end(end)
    drain()
  }

  private func drain() {
    while let event = gate.leave() {
      switch event {
      case .value(let value):
        if !isClosed { downstream.next(value) }
        discard(value)
      case .end(let end): downstream.end(end)
      case .attach: break
      }
    }
  }

  override func detach(_ link: Link, afterEnd: Bool) {
    guard close() else { return }
    let inputs = inputs
    self.inputs = []
    for input in inputs { input.leaveSource() }
    gate.empty()
  }
}
