/// Carries the home at which the subscriber subscribed up the chain, for `observe(on:)`. The
/// subscription has another home.
final class OriginTag<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let subscribedAt: Home

  init(_ downstream: Sink<Value>, _ home: Home) {
    subscribedAt = home
    super.init(downstream)
  }

  override var origin: Origin { Origin(home: .passUnretained(subscribedAt)) }
  override func next(_ value: Value) { pass(value) }
}

/// Carries the name that was given to a signal into its subscriptions.
final class NameTag<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let name: Text

  init(_ downstream: Sink<Value>, _ name: Text) {
    self.name = name
    super.init(downstream)
  }

  override var chainName: Text { name }
  override func next(_ value: Value) { pass(value) }
}
