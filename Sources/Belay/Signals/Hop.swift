import Synchronization

/// Carries events from the home of a source to that of a subscription.
///
/// Its upper side is called at the source's home, its lower side calls at the subscription's.
final class Hop<Value>: Sink<Value>, @unchecked Sendable {
  private let downstream: Sink<Value>
  private let target: Home
  private var resident: HopResident<Value>?
  /// Events that the target has not taken yet.
  private let onTheirWay = Atomic<Int>(0)
  /// Set at the source's home, once the target has not taken a value.
  private var hasOverflowed = false
  private let place = Lost.Place()

  init(_ downstream: Sink<Value>, at target: Home) {
    self.downstream = downstream
    self.target = target
    super.init()
    level = downstream.level + 1
  }

  override var home: Home? { target }
  override var root: Link { downstream.root }

  override func deliver(_ value: Value, at place: CallPlace) {
    _ = place.withdraw()
    if isClosed || hasOverflowed { return }
    if isNextHere { return downstream.deliver(value, at: place) }
    onTheirWay.add(1, ordering: .relaxed)
    let code = target.post(Message(lentTo: self, .value, Payload(value)), reserved: false)
    if code != .again && code != .noHome {
      // Its name is read at the target alone, which may be leaving it just now.
      if code.isFailure { lose(target, code) }
      return
    }
    // A gap in its values would go unseen; an end does not.
    hasOverflowed = true
    let isFull = code == .again
    post(
      .failed(
        Failure(
          code,
          message: isFull
            ? "the queue of the subscription's loop was full"
            : "the subscription's thread has no loop, and the value came from another one")))
  }

  override func deliverEnd(_ end: End) {
    if isClosed || hasOverflowed { return }
    if isNextHere { downstream.deliverEnd(end) } else { post(end) }
  }

  /// Whether this thread is the target's, and the event would neither overtake another one nor come
  /// inside of one.
  private var isNextHere: Bool {
    target.isCurrent && onTheirWay.load(ordering: .relaxed) == 0
      && !Delivery.isHere(in: downstream.root)
  }

  private func post(_ end: End) {
    onTheirWay.add(1, ordering: .relaxed)
    _ = target.post(Message(to: self, .end, Payload(end)), reserved: true)
  }

  override func receive(_ message: inout Message, isCanceled: Bool) {
    onTheirWay.subtract(1, ordering: .relaxed)
    if message.kind == .end {
      let end = message.payload.open(as: End.self)
      if isClosed { return }
      if !isCanceled { return downstream.deliverEnd(end) }
      // Its home is closed; it cannot be told, and ends like all that is there.
      if case .interrupted = end {} else { lose(message.wasTaken ? self : target, .canceled) }
      downstream.root.dispose()
    } else {
      let value = message.payload.open(as: Value.self)
      if !isCanceled && !isClosed { downstream.deliver(value) }
      if isCanceled && message.wasTaken { lose(self, .canceled) }
      discard(value)
    }
  }

  /// Something does not arrive, though nobody has disposed of the subscription.
  private func lose(_ receiver: Entity, _ code: Code) {
    if !isClosed && !downstream.root.isClosed { place.lose(receiver, code) }
  }

  /// Has the subscription end with its home, whose source is another one's.
  func beListed() {
    let made = HopResident(self)
    resident = made
    target.list(made)
  }

  private func leaveList() {
    guard let left = resident else { return }
    resident = nil
    target.unlist(left)
  }

  fileprivate func interrupt() { downstream.deliverEnd(.interrupted) }

  /// Was never admitted, and so is nobody's.
  func dismiss() {
    _ = close()
    leaveList()
    upstream = nil
    downstream.upstream = nil
  }

  override func detach(_ link: Link, afterEnd: Bool) {
    guard close() else { return }
    leaveList()
    disconnect(afterEnd: afterEnd)
  }
}

/// A hop, in the list of its target.
private final class HopResident<Value>: Resident, @unchecked Sendable {
  // Each holds the other, until the hop is left.
  private let hop: Hop<Value>

  init(_ hop: Hop<Value>) {
    self.hop = hop
    super.init()
  }

  override var isWanted: Bool { !hop.isClosed }
  override func interrupt() { hop.interrupt() }
  override func describeSubscriptions(_ report: (Link) -> Void) { report(hop.root) }
}
