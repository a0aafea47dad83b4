extension Signal {
  /// Sends `fallback` if the source completes without a value. (replaceEmpty, ifEmpty in other
  /// libraries.)
  public final func defaultIfEmpty(_ fallback: Value) -> Signal<Value> {
    defaultIfEmpty(Kept(taking: fallback))
  }

  package final func defaultIfEmpty(_ fallback: Kept<Value>) -> Signal<Value> {
    lift("default_if_empty") { DefaultStage($0, fallback) }
  }

  /// Continues with `other` if this signal completes without a value. (ifEmpty(switchTo:) in other
  /// libraries.)
  public final func switchIfEmpty(_ other: Signal<Value>) -> Signal<Value> {
    JunctionSignal("switch_if_empty", below: self, with: [other]) {
      SwitchIfEmptyJunction($0, self, other, at: $1)
    }
  }
}

/// Sends the fallback at the completion, if no value has come.
private final class DefaultStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let fallback: Kept<Value>
  private var isEmpty = true

  init(_ downstream: Sink<Value>, _ fallback: Kept<Value>) {
    self.fallback = fallback
    super.init(downstream)
  }

  override func next(_ value: Value) {
    isEmpty = false
    pass(value)
  }

  override func end(_ end: End) {
    if case .completed = end, isEmpty { pass(last: fallback.value) } else { pass(end: end) }
  }
}

/// Connects the other signal at the completion, if no value has come.
private final class SwitchIfEmptyJunction<Value>: Junction<Value>, @unchecked Sendable {
  private var source: Signal<Value>?
  private var other: Signal<Value>?

  init(
    _ downstream: Sink<Value>, _ source: Signal<Value>, _ other: Signal<Value>, at home: Home
  ) {
    self.source = source
    self.other = other
    super.init(downstream, at: home)
  }

  override func start() {
    guard let source = self.source.take() else { return }
    connect(
      source,
      next: {
        self.other = nil
        self.send($0)
      }, end: { self.sourceEnded($0) })
  }

  private func sourceEnded(_ end: End) {
    guard case .completed = end, let other else { return send(end: end) }
    self.other = nil
    connect(other, next: { self.send($0) }, end: { self.send(end: $0) })
  }

  override func tearDown() { other = nil }
}
