import Synchronization

/// Carries events from a source's home to a subscription's.
///
/// The source calls it at the source's home, and it calls the sink below at the subscription's.
final class Hop<Value>: Sink<Value>, @unchecked Sendable {
  private let downstream: Sink<Value>
  private let target: Home
  private var resident: HopResident<Value>?
  /// How many events the target has not opened yet.
  private let onTheirWay = Atomic<Int>(0)
  /// Whether an event is being delivered that the target has opened.
  private var isInside = false
  /// The events that the target has opened in a turn inside of that, and which follow it.
  private var early = PendingEvents<Value>()
  /// Set at the source's home when the target has refused a value.
  private var hasOverflowed = false
  private let losses = Lost.Counter()

  init(_ downstream: Sink<Value>, at target: Home) {
    self.downstream = downstream
    self.target = target
    super.init()
    level = downstream.level + 1
  }

  deinit { early.removeAll() }

  override var home: Home? { target }
  override var root: Link { downstream.root }

  override func deliver(_ value: Value, at place: CallPlace) {
    _ = place.withdraw()
    if isClosed || hasOverflowed { return }
    if isNextHere { return downstream.deliver(value, at: place) }
    onTheirWay.wrappingAdd(1, ordering: .relaxed)
    let code = target.post(Message(lentTo: self, .value, PackedValue(value)), reserved: false)
    if code != .again && code != .noHome {
      // Only the target may read the subscription's name, and this thread may be leaving the
      // target just now.
      if code.isFailure { lose(target, code) }
      return
    }
    // The subscription ends with an error, because a gap in its values would go unseen.
    hasOverflowed = true
    let isFull = code == .again
    post(
      .failed(
        Failure(
          code,
          message: isFull
            ? "the queue of the subscription's loop was full"
            : "a value from another thread came to one without a loop")))
  }

  override func deliverEnd(_ end: End) {
    if isClosed || hasOverflowed { return }
    if isNextHere { downstream.deliverEnd(end) } else { post(end) }
  }

  /// Whether this thread is at the target, and calling the sink now would neither overtake an
  /// earlier event nor nest in another callback. Events that other threads have brought go to the
  /// target all the same: a subscription that takes long must not hold up a thread that comes to
  /// the source.
  private var isNextHere: Bool {
    target.isCurrent && onTheirWay.load(ordering: .relaxed) == 0
      && !Delivery.isHere(in: downstream.root) && !(upstream?.home?.isRelaying ?? false)
  }

  private func post(_ end: End) {
    onTheirWay.wrappingAdd(1, ordering: .relaxed)
    _ = target.post(Message(to: self, .end, PackedValue(end)), reserved: true)
  }

  override func receive(_ message: inout Message, isCanceled: Bool) {
    if message.kind == .end {
      let end = message.packed.open(as: End.self)
      if isCanceled {
        onTheirWay.wrappingSubtract(1, ordering: .relaxed)
        // The subscription's home has closed. The observer cannot be called, so the subscription
        // ends like all others there.
        if isClosed { return }
        if case .interrupted = end {} else { lose(message.wasAccepted ? self : target, .canceled) }
        return downstream.root.dispose()
      }
      if isInside { return early.append(end) }
      open(.end(end))
    } else {
      let value = message.packed.open(as: Value.self)
      if isCanceled || isInside {
        if isCanceled {
          onTheirWay.wrappingSubtract(1, ordering: .relaxed)
          if message.wasAccepted { lose(self, .canceled) }
        } else {
          _ = early.append(value, .queue, capacity: .max)
        }
        return discard(value)
      }
      open(.value(value))
    }
    while let event = early.popFirst() { open(event) }
  }

  private func open(_ event: PendingEvents<Value>.Event) {
    onTheirWay.wrappingSubtract(1, ordering: .relaxed)
    isInside = true
    let begun = SlowCallbackHook.begin()
    switch event {
    case .value(let value):
      if !isClosed { downstream.deliver(value) }
      discard(value)
    case .end(let end): if !isClosed { downstream.deliverEnd(end) }
    }
    SlowCallbackHook.end(begun, downstream.root)
    isInside = false
  }

  /// Counts an event that does not arrive, unless the subscription has been disposed of.
  private func lose(_ receiver: Entity, _ code: Code) {
    if !isClosed && !downstream.root.isClosed { losses.add(receiver, code) }
  }

  /// Lists the subscription at its home, so that it ends when that closes. The source is at another
  /// home.
  func enterList() {
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

  /// Undoes `enterList` for a hop that the emitter has not admitted.
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

/// The entry of a hop in its target's list of residents.
private final class HopResident<Value>: Resident, @unchecked Sendable {
  // They retain each other until the hop leaves the list.
  private let hop: Hop<Value>

  init(_ hop: Hop<Value>) {
    self.hop = hop
    super.init()
  }

  override var isWanted: Bool { !hop.isClosed }
  override func interrupt() { hop.interrupt() }
  override func describe(in report: ClosingReport) { report.note(hop.root) }
}
