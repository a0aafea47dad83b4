/// Passes the events of several inputs to one sink, one at a time. An event that is sent from inside
/// a delivery waits until that delivery is over.
final class Gate<Value>: @unchecked Sendable {
  // Not retained, because the sink retains the stage or the junction that has the gate.
  private unowned(unsafe) let downstream: Sink<Value>
  /// Whether a delivery is in progress. Also true from `empty` on, so that none begins.
  private var isBusy = false
  /// Whether `empty` has been called.
  private var isOver = false
  /// Whether the error waits that ends the subscription, because the queue was full.
  private var isFull = false
  private var pending = PendingEvents<Value>()
  /// How many values may wait. A junction's is set before its first value comes.
  var limit: QueueLimit!

  init(_ downstream: Sink<Value>, _ limit: QueueLimit? = nil) {
    self.downstream = downstream
    self.limit = limit
  }

  deinit { pending.removeAll() }

  /// Sends a value, which is borrowed.
  @inline(__always)
  func send(_ value: Value) {
    if isBusy { return wait(value) }
    isBusy = true
    downstream.next(value)
    if pending.isEmpty { isBusy = isOver } else { drain() }
  }

  /// Sends the end, after the events that wait.
  func send(end: End) {
    if isBusy {
      if !isOver { pending.append(end) }
      return
    }
    isBusy = true
    downstream.end(end)
    drain()
  }

  /// Drops the events that wait. From then on, nothing passes.
  func empty() {
    isOver = true
    isBusy = true
    pending.removeAll()
  }

  @inline(never)
  private func wait(_ value: Value) {
    if isOver || isFull { return }
    if limit.refuses(after: pending.valueCount) {
      isFull = true
      return pending.append(limit.refusal)
    }
    _ = pending.append(value, .queue, capacity: .max)
  }

  @inline(never)
  private func drain() {
    while let event = pending.popFirst() {
      switch event {
      case .value(let value):
        if !downstream.takesNoMore { downstream.next(value) }
        discard(value)
      case .end(let end): if !downstream.takesNoMore { downstream.end(end) }
      }
    }
    isBusy = isOver
  }
}
