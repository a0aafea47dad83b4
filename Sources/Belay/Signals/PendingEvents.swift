/// Events that wait until a delivery is over. The capacity does not limit ends.
struct PendingEvents<Value>: ~Copyable {
  /// A value, which is kept, or an end.
  enum Event {
    case value(Value)
    case end(End)
  }

  private var events = FIFO<Event>()
  private var values: UInt32 = 0

  var valueCount: Int { Int(values) }

  var isEmpty: Bool { events.isEmpty }

  /// Adds a value by the rules of `policy`.
  mutating func append(_ value: Value, _ policy: Reentrancy, capacity: Int) -> Code {
    if policy == .reject { return .reentrant }
    if policy == .latest, values > 0, let last = events.popLast() {
      guard case .value(let old) = last else {
        events.append(last)
        return append(value, capacity: capacity)
      }
      keep(value)
      events.append(.value(value))
      discard(old)
      return .queued
    }
    return append(value, capacity: capacity)
  }

  private mutating func append(_ value: Value, capacity: Int) -> Code {
    if valueCount >= capacity { return .again }
    keep(value)
    events.append(.value(value))
    values &+= 1
    return .queued
  }

  mutating func append(_ end: End) { events.append(.end(end)) }

  /// Takes out the oldest event. The caller discards its value.
  mutating func popFirst() -> Event? {
    guard let event = events.popFirst() else { return nil }
    if case .value = event { values &-= 1 }
    return event
  }

  /// Discards all events.
  mutating func removeAll() {
    while let event = popFirst() {
      if case .value(let value) = event { discard(value) }
    }
    events.removeAll()
  }
}
