extension Signal {
  /// Passes this signal's values until `replacement` sends an event, even an end. From then on it
  /// passes only the events of `replacement`, and the subscription to this signal is disposed of.
  /// An error of this signal ends the result. Its completion does not, because `replacement` may
  /// still send.
  public final func takeUntilReplacement(_ replacement: Signal<Value>) -> Signal<Value> {
    JunctionSignal("take_until_replacement", below: self, with: [replacement]) {
      ReplacementJunction($0, self, replacement, at: $1)
    }
  }
}

/// Has an input for each signal, and disposes of the original one when the replacement sends.
private final class ReplacementJunction<Value>: Junction<Value>, @unchecked Sendable {
  private var source: Signal<Value>?
  private var replacement: Signal<Value>?
  private var original: Input<Value>?
  private var isReplaced = false
  private var isSourceOver = false

  init(
    _ downstream: Sink<Value>, _ source: Signal<Value>, _ replacement: Signal<Value>,
    at home: Home
  ) {
    self.source = source
    self.replacement = replacement
    super.init(downstream, at: home)
  }

  override func start() {
    guard let source, let replacement else { return }
    self.source = nil
    self.replacement = nil
    connect(
      replacement,
      next: {
        self.replace()
        self.send($0)
      }, end: { self.replacementEnded($0) })
    if isClosed || isReplaced { return }
    let input = connect(
      source, next: { if !self.isReplaced { self.send($0) } }, end: { self.sourceEnded($0) })
    if isReplaced || isClosed { input.dispose() } else if !isSourceOver { original = input }
  }

  private func replace() {
    isReplaced = true
    let input = original
    original = nil
    input?.dispose()
  }

  private func sourceEnded(_ end: End) {
    original = nil
    isSourceOver = true
    switch end {
    case .failed: send(end: end)
    case .completed, .interrupted: if inputCount == 0 { send(end: .interrupted) }
    }
  }

  private func replacementEnded(_ end: End) {
    // It cannot replace the source any more, but the source may still send.
    if case .interrupted = end, !isReplaced, !isSourceOver { return }
    replace()
    send(end: end)
  }

  override func tearDown() { original = nil }
}
