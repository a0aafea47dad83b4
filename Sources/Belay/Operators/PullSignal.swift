/// Makes its values while a subscription is attached, one by one, for as long as somebody listens.
final class PullSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let kind: StaticString
  private let begin: () -> () throws(Failure) -> Value?

  /// - Parameter begin: called for each subscription; what it returns is called until it answers
  ///   nil, and gives its values away.
  init(_ kind: StaticString, _ begin: @escaping () -> () throws(Failure) -> Value?) {
    self.kind = kind
    self.begin = begin
    super.init()
  }

  override var builtName: Text { kind.string }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    sink.upstream = SilentSource(kind, home)
    let pull = begin()
    // The root is closed before the sink is when the disposal comes from another thread.
    let root = sink.root
    let passage = root.enter()
    defer { root.leave(passage) }
    guard passage.isOpen else { return .ok }
    do throws(Failure) {
      while !sink.isClosed, !root.isClosed, let value = try pull() {
        sink.enter(value)
        discard(value)
      }
      sink.enterEnd(.completed)
    } catch {
      sink.enterEnd(.failed(error))
    }
    return .ok
  }
}

extension Sink {
  /// Ends with what kept its source from being made; from `attach`.
  final func refuse(_ failure: Failure, _ kind: StaticString, at home: Home) -> Code {
    upstream = SilentSource(kind, home)
    enterEnd(.failed(failure))
    return .ok
  }
}
