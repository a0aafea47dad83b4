/// Carries the name that a signal was given into its subscriptions.
final class NameTag<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let name: String

  init(_ downstream: Sink<Value>, _ name: String) {
    self.name = name
    super.init(downstream)
  }

  override var chainName: String { name }
  override func next(_ value: Value) { downstream.next(value) }
}
