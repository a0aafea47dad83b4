/// Events that wait until a delivery is over. The capacity does not limit ends.
struct PendingEvents<Value> {
  /// A value, which is kept, or an end.
  enum Event {
    case value(Value)
    case end(End)
  }

  private var events: [Event] = []
  private var head = 0
  private var valueCount = 0

  var isEmpty: Bool { head == events.count }

  /// Adds a value by the rules of `policy`.
  mutating func append(_ value: Value, _ policy: Reentrancy, capacity: Int) -> Code {
    if policy == .reject { return .reentrant }
    if policy == .latest, valueCount > 0, case .value(let old)? = events.last {
      keep(value)
      events[events.count - 1] = .value(value)
      discard(old)
      return .queued
    }
    if valueCount >= capacity { return .again }
    keep(value)
    events.append(.value(value))
    valueCount += 1
    return .queued
  }

  mutating func append(_ end: End) { events.append(.end(end)) }

  /// Takes out the oldest event. The caller discards its value.
  mutating func popFirst() -> Event? {
    if isEmpty { return nil }
    let event = events[head]
    head += 1
    if case .value = event { valueCount -= 1 }
    if head == events.count {
      events.removeAll(keepingCapacity: head <= 64)
      head = 0
    } else if head >= 64, head * 2 >= events.count {
      events.removeFirst(head)
      head = 0
    }
    return event
  }

  /// Discards all events.
  mutating func removeAll() {
    while let event = popFirst() {
      if case .value(let value) = event { discard(value) }
    }
  }
}
