/// One of several inputs that meet in one place.
final class Input<Value>: Sink<Value>, @unchecked Sendable {
  private let subscription: Link
  private var onNext: ((Value) -> Void)?
  private var onEnd: ((End) -> Void)?

  init(_ root: Link, next: @escaping (Value) -> Void, end: @escaping (End) -> Void) {
    subscription = root
    onNext = next
    onEnd = end
    super.init()
  }

  override var root: Link { subscription }
  override var joins: Bool { true }
  override func next(_ value: Value) { onNext?(value) }

  override func end(_ end: End) {
    guard close() else { return }
    if case .interrupted = end {
      // Like a disposal: from the source on.
      cut(afterEnd: false)
    }
    onEnd?(end)
    release(afterEnd: true)
  }

  /// Disposes of what feeds this input.
  func leaveSource() { if close() { release(afterEnd: false) } }

  private func release(afterEnd: Bool) {
    cut(afterEnd: afterEnd)
    onNext = nil
    onEnd = nil
  }
}

/// Where inputs meet, events pass one at a time: what is sent from inside a delivery follows it.
struct Gate<Value> {
  private var isBusy = false
  private var pending = PendingEvents<Value>()

  /// True when the caller may deliver now, and then calls `leave` until it gives nothing more.
  mutating func enter(_ value: Value, reentrancy: Reentrancy = .queue) -> Bool {
    if isBusy {
      // The inputs are bounded by their own queues; here nothing may be lost.
      _ = pending.append(value, reentrancy, capacity: .max)
      return false
    }
    isBusy = true
    return true
  }

  mutating func enter(_ end: End) -> Bool {
    if isBusy {
      pending.append(end)
      return false
    }
    isBusy = true
    return true
  }

  mutating func leave() -> PendingEvents<Value>.Event? {
    let next = pending.popFirst()
    if next == nil { isBusy = false }
    return next
  }

  mutating func empty() { pending.removeAll() }
}
