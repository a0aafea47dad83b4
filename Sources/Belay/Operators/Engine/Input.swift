/// One of several inputs that meet in one place. A subclass knows where its events go.
public class Input<Value>: Sink<Value>, Listed, @unchecked Sendable {
  private final let subscription: Link
  /// Where it is listed, until it is over. That holds the input, and outlives it.
  private final let joint: Unmanaged<Joint>?
  final var place: UInt32 = 0

  /// `joint` lists it, if there is one.
  init(_ root: Link, above level: UInt16, in joint: Joint? = nil) {
    subscription = root
    self.joint = joint.map { .passUnretained($0) }
    super.init()
    self.level = level + 1
    if let joint { place = joint.list(self) }
  }

  package final override var root: Link { subscription }

  /// Its end, after it was left. What is above it is torn down when this returns, or when `release` is
  /// called.
  func ended(_ end: End) {}

  /// Lets go of where its events went.
  func letGo() {}

  public final override func end(_ end: End) {
    guard close() else { return }
    // Like a disposal: from the source on.
    if case .interrupted = end { disconnect(afterEnd: false) }
    leave()
    ended(end)
    release(afterEnd: true)
  }

  /// Disposes of what feeds this input; nothing is called.
  package final override func dispose(noting quiescence: Quiescence?) {
    guard close() else { return }
    leave()
    release(afterEnd: false)
  }

  private final func leave() { joint?._withUnsafeGuaranteedRef { $0.forget(self) } }

  /// Tears down what is above.
  final func release(afterEnd: Bool) {
    disconnect(afterEnd: afterEnd)
    letGo()
  }
}

/// An input that hands its events to closures.
final class ClosureInput<Value>: Input<Value>, @unchecked Sendable {
  // The stage or junction that it belongs to, which the closures keep. Once that is closed they are
  // not called: a teardown may send into an input that is still to be left.
  private unowned(unsafe) let holder: Upstream
  private var onNext: ((Value) -> Void)?
  private var onEnd: ((End) -> Void)?

  init(
    _ root: Link, of holder: Upstream, above level: UInt16, in joint: Joint? = nil,
    next: @escaping (Value) -> Void, end: @escaping (End) -> Void
  ) {
    self.holder = holder
    onNext = next
    onEnd = end
    super.init(root, above: level, in: joint)
  }

  override func next(_ value: Value) { if let onNext, !holder.isClosed { onNext(value) } }
  override func ended(_ end: End) { if let onEnd, !holder.isClosed { onEnd(end) } }

  override func letGo() {
    onNext = nil
    onEnd = nil
  }
}

/// Lists the inputs of a junction, in the order of their coming.
open class Joint: Upstream, @unchecked Sendable {
  private final var inputs = MemberTable()

  /// How many inputs have not ended.
  package final var inputCount: Int { inputs.count }

  /// Lists an input that knows when to be forgotten; answers its place.
  final func list(_ input: Disposable) -> UInt32 {
    inputs.insert(.member(.passRetained(input))).cell
  }

  final func forget(_ input: Disposable & Listed) {
    guard inputs.holds(input, at: input.place) else { return }
    _ = inputs.remove(input.place)
    Unmanaged<Disposable>.passUnretained(input).drop()
  }

  /// Disposes of all inputs.
  final func leaveInputs() {
    while case .member(let input)? = inputs.takeFirst() {
      input._withUnsafeGuaranteedRef { $0.dispose() }
      input.drop()
    }
    inputs.deallocate()
    inputs = MemberTable()
  }
}

/// Knows its place in a junction's list.
protocol Listed: AnyObject {
  var place: UInt32 { get }
}
