extension Signal where Value: Sendable {
  /// The elements of an asynchronous sequence: each subscription iterates it in a task of its own,
  /// which is cancelled when the subscription ends.
  ///
  /// The sequence's end completes; what it throws is the error (`Failure.underlying`, unless it
  /// is a `Failure` already); a `CancellationError` interrupts. Events come at the subscription's
  /// home if that has a loop or is an actor's, else on the task's thread, one at a time. The
  /// sequence is not asked for more while 64 of its elements, or half of what the home's queue
  /// holds, wait there.
  ///
  /// - Parameter priority: the tasks'; nil: that of the thread or task that subscribes.
  public static func from<Elements: AsyncSequence & Sendable>(
    _ elements: Elements, priority: TaskPriority? = nil
  ) -> Signal<Value> where Elements.Element == Value {
    ofTask(priority) { subscriber, home in
      let limit = home.map { Swift.max(1, Swift.min(64, $0.mailbox.capacity / 2)) } ?? .max
      var waiting = 0
      for try await element in elements {
        let code = subscriber.next(element)
        if code.isRefusal {
          // A gap would go unseen; an end does not.
          subscriber.error(Failure(code, message: "the queue of the subscription was full"))
        }
        if code.isFailure { return }
        waiting += 1
        if waiting == limit {
          await home?.isReached()
          waiting = 0
        }
      }
      subscriber.completed()
    }
  }
}

extension QueuedHome {
  /// Returns when what has been posted so far has been opened, or never will be.
  fileprivate func isReached() async {
    await withCheckedContinuation { continuation in
      _ = post(Message(to: Arrival(continuation), .work), reserved: true)
    }
  }
}

/// Says that it has arrived, or cannot.
private final class Arrival: Entity, @unchecked Sendable {
  private let continuation: CheckedContinuation<Void, Never>
  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
  override func receive(_ message: inout Message, isCanceled: Bool) { continuation.resume() }
}
