/// Makes its values while a subscription is attached, one by one, for as long as somebody listens.
final class PullSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let kind: StaticString
  private let isBatch: Bool
  private let begin: () -> () throws(Failure) -> Value?

  /// - Parameters:
  ///   - isBatch: whether its values are there at once, for no callback makes them.
  ///   - begin: called for each subscription; what it returns is called until it answers nil, and
  ///     gives its values away.
  init(
    _ kind: StaticString, isBatch: Bool = false,
    _ begin: @escaping () -> () throws(Failure) -> Value?
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
    // The root is closed before the sink is when the disposal comes from another thread.
    let root = sink.root
    let delivery = root.beginDelivery()
    defer { root.endDelivery(delivery) }
    guard delivery.isOpen else { return .ok }
    if isBatch { Batch.begin() }
    do throws(Failure) {
      while !sink.isClosed, !root.isClosed, let value = try pull() {
        sink.deliver(value)
        discard(value)
      }
      sink.deliverEnd(.completed)
    } catch {
      sink.deliverEnd(.failed(error))
    }
    if isBatch { Batch.end() }
    return .ok
  }
}

extension Sink {
  /// Ends with what kept its source from being made; from `attach`.
  final func refuse(_ failure: Failure, _ kind: StaticString, at home: Home) -> Code {
    upstream = SilentSource(kind, home)
    deliverEnd(.failed(failure))
    return .ok
  }
}
