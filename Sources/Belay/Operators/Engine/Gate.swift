/// Where inputs meet, events pass one at a time: what is sent from inside a delivery follows it.
final class Gate<Value>: @unchecked Sendable {
  // Holds the gate, or what holds it.
  private unowned(unsafe) let downstream: Sink<Value>
  /// A delivery is inside, or none may begin any more.
  private var isBusy = false
  private var isOver = false
  private var pending = PendingEvents<Value>()

  init(_ downstream: Sink<Value>) { self.downstream = downstream }

  deinit { pending.removeAll() }

  /// Sends a value, which is borrowed.
  @inline(__always)
  func send(_ value: Value) {
    if isBusy { return wait(value) }
    isBusy = true
    downstream.next(value)
    if pending.isEmpty { isBusy = isOver } else { drain() }
  }

  /// Sends the end, after what waits.
  func finish(_ end: End) {
    if isBusy {
      if !isOver { pending.append(end) }
      return
    }
    isBusy = true
    downstream.end(end)
    drain()
  }

  /// Drops what waits; nothing passes any more.
  func empty() {
    isOver = true
    isBusy = true
    pending.removeAll()
  }

  @inline(never)
  private func wait(_ value: Value) {
    // The inputs are bounded by their own queues; here nothing may be lost.
    if !isOver { _ = pending.append(value, .queue, capacity: .max) }
  }

  @inline(never)
  private func drain() {
    while let event = pending.popFirst() {
      switch event {
      case .value(let value):
        downstream.next(value)
        discard(value)
      case .end(let end): downstream.end(end)
      }
    }
    isBusy = isOver
  }
}
