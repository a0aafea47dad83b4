/// Makes its values one by one while a subscription is being attached, as long as the subscription
/// lasts.
final class PullSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let kind: StaticString
  private let isBatch: Bool
  private let begin: () -> () throws(ClosureError) -> Value?

  /// - Parameters:
  ///   - isBatch: whether the values form a batch, because no callback makes them.
  ///   - begin: called for each subscription. The closure that it returns is called until it
  ///     answers nil; the signal takes over the values' references.
  init(
    _ kind: StaticString, isBatch: Bool = false,
    _ begin: @escaping () -> () throws(ClosureError) -> Value?
  ) {
    self.kind = kind
    self.isBatch = isBatch
    self.begin = begin
    super.init()
  }

  override var builtName: Text { kind.string }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    sink.upstream = SilentSource(kind, home)
    let pull = begin()
    // If another thread disposes, the root is closed before the sink is.
    let root = sink.root
    let delivery = root.beginDelivery()
    defer { root.endDelivery(delivery) }
    guard delivery.isOpen else { return .ok }
    if isBatch { Batch.begin() }
    do throws(ClosureError) {
      while !sink.isClosed, !root.isClosed, let value = try pull() {
        sink.deliver(value)
        discard(value)
      }
      sink.deliverEnd(.completed)
    } catch {
      sink.deliverEnd(.failed(.carrying(error)))
    }
    if isBatch { Batch.end() }
    return .ok
  }
}

extension Sink {
  /// Ends with the failure for which a source could not be made. Called from `attach`.
  final func refuse(_ failure: Failure, _ kind: StaticString, at home: Home) -> Code {
    upstream = SilentSource(kind, home)
    deliverEnd(.failed(failure))
    return .ok
  }
}
