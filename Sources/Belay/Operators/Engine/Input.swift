/// One of several inputs that meet in one place.
public class Input<Value>: Sink<Value>, Listed, @unchecked Sendable {
  private final let subscription: Link
  // The stage or junction that it belongs to, which the closures keep. Once that is closed they are
  // not called: a teardown may send into an input that is still to be left.
  private final unowned(unsafe) let holder: Upstream
  private final var onNext: ((Value) -> Void)?
  private final var onEnd: ((End) -> Void)?
  /// Called when it is over, before its `end` is.
  final var onLeaving: (() -> Void)?
  final var place: UInt32 = 0

  init(
    _ root: Link, of holder: Upstream, above level: UInt16, next: @escaping (Value) -> Void,
    end: @escaping (End) -> Void
  ) {
    subscription = root
    self.holder = holder
    onNext = next
    onEnd = end
    super.init()
    self.level = level + 1
  }

  /// For a subclass that answers its events itself.
  init(_ root: Link, of holder: Upstream, above level: UInt16) {
    subscription = root
    self.holder = holder
    super.init()
    self.level = level + 1
  }

  package final override var root: Link { subscription }
  public override func next(_ value: Value) {
    if let onNext, !holder.isClosed { onNext(value) }
  }

  /// Its end, after it was left.
  func ended(_ end: End) { if let onEnd, !holder.isClosed { onEnd(end) } }

  public final override func end(_ end: End) {
    guard close() else { return }
    if case .interrupted = end {
      // Like a disposal: from the source on.
      disconnect(afterEnd: false)
    }
    onLeaving?()
    ended(end)
    release(afterEnd: true)
  }

  /// Disposes of what feeds this input; nothing is called.
  package final override func dispose(noting quiescence: Quiescence?) {
    guard close() else { return }
    onLeaving?()
    release(afterEnd: false)
  }

  private final func release(afterEnd: Bool) {
    disconnect(afterEnd: afterEnd)
    onNext = nil
    onEnd = nil
    onLeaving = nil
  }
}
