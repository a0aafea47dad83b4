/// The sink at the lower end of a chain that leads into a stage or a junction, beside other chains.
/// A subclass knows where the events go.
package class Input<Value>: Sink<Value>, Listed, @unchecked Sendable {
  private final let subscription: Link
  /// The junction that lists the input, and retains it until it ends. Not retained, because the
  /// junction outlives the input.
  private final let joint: Unmanaged<Joint>?
  /// The input's number in the list of `joint`.
  final var number: UInt32 = 0

  init(_ root: Link, above level: UInt16, in joint: Joint? = nil) {
    subscription = root
    self.joint = joint.map { .passUnretained($0) }
    super.init()
    self.level = level + 1
    if let joint { number = joint.list(self) }
  }

  package final override var root: Link { subscription }

  /// Handles the end of the input, which has left the list. The chain above it is torn down when this
  /// returns, or when `release` is called.
  func ended(_ end: End) {}

  /// Releases the receiver of the events.
  func letGo() {}

  public final override func end(_ end: End) {
    guard close() else { return }
    // An interruption tears down like a disposal: the source first.
    if case .interrupted = end { disconnect(afterEnd: false) }
    leave()
    ended(end)
    release(afterEnd: true)
  }

  /// Disposes of the chain above this input. The receiver of its events is not called.
  package final override func dispose(noting quiescence: Quiescence?) {
    guard close() else { return }
    leave()
    release(afterEnd: false)
  }

  private final func leave() { joint?._withUnsafeGuaranteedRef { $0.forget(self) } }

  /// Tears down the chain above.
  final func release(afterEnd: Bool) {
    disconnect(afterEnd: afterEnd)
    letGo()
  }
}

/// An input that calls closures with its events.
final class ClosureInput<Value>: Input<Value>, @unchecked Sendable {
  // The stage or junction that has the input. The closures retain it. They are not called once it is
  // closed, because a teardown may send into an input that has not been disposed of yet.
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

/// Has a list of inputs, in the order in which they were made.
@_spi(Engine) open class Joint: Upstream, @unchecked Sendable {
  private final var inputs = MemberTable()

  /// How many inputs have not ended.
  package final var inputCount: Int { inputs.count }

  /// Adds an input to the list, and answers its number there. The input removes itself by `forget`.
  final func list(_ input: Disposable) -> UInt32 {
    inputs.insert(.member(.passRetained(input))).cell
  }

  final func forget(_ input: Disposable & Listed) {
    guard inputs.holds(input, at: input.number) else { return }
    _ = inputs.remove(input.number)
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

/// An input that knows its number in the list of a `Joint`.
protocol Listed: AnyObject {
  var number: UInt32 { get }
}
