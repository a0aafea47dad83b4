/// One of several inputs that meet in one place.
public final class Input<Value>: Sink<Value>, Placed, @unchecked Sendable {
  private let subscription: Link
  private var onNext: ((Value) -> Void)?
  private var onEnd: ((End) -> Void)?
  /// Called when it is over, before its `end` is.
  var onLeaving: (() -> Void)?
  var place: UInt32 = 0

  init(_ root: Link, next: @escaping (Value) -> Void, end: @escaping (End) -> Void) {
    subscription = root
    onNext = next
    onEnd = end
    super.init()
  }

  package override var root: Link { subscription }
  package override var joins: Bool { true }
  public override func next(_ value: Value) { onNext?(value) }

  public override func end(_ end: End) {
    guard close() else { return }
    if case .interrupted = end {
      // Like a disposal: from the source on.
      cut(afterEnd: false)
    }
    onLeaving?()
    onEnd?(end)
    release(afterEnd: true)
  }

  /// Disposes of what feeds this input; nothing is called.
  package override func dispose(noting quiet: Quiet?) {
    guard close() else { return }
    onLeaving?()
    release(afterEnd: false)
  }

  private func release(afterEnd: Bool) {
    cut(afterEnd: afterEnd)
    onNext = nil
    onEnd = nil
    onLeaving = nil
  }
}
