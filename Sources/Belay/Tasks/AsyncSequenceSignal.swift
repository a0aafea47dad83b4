extension Signal where Value: Sendable {
  /// Sends the elements of an asynchronous sequence. Each subscription iterates the sequence in a
  /// task of its own, which is cancelled when the subscription ends.
  ///
  /// The end of the sequence completes the signal. An error that it throws becomes the signal's (as
  /// `Failure.underlying`, unless it is a `Failure`); a `CancellationError` interrupts the
  /// subscription. Events come at the subscription's home if that has a loop or is an actor's;
  /// otherwise on the task's thread, one at a time. The sequence is not asked for more while 64 of
  /// its elements, or half of the capacity of the home's queue, wait there.
  ///
  /// - Parameters:
  ///   - elements: iterated once for each subscription.
  ///   - priority: the priority of the tasks; nil: that of the thread or task that subscribes.
  public static func from<Elements: AsyncSequence & Sendable>(
    _ elements: Elements, priority: TaskPriority? = nil
  ) -> Signal<Value> where Elements.Element == Value {
    ofTask(priority) { subscriber, home in
      let limit = home.map { Swift.max(1, Swift.min(64, $0.mailbox.capacity / 2)) } ?? .max
      var waiting = 0
      for try await element in elements {
        let code = subscriber.next(element)
        if code.isRefusal {
          // The signal fails, because a gap would go unseen.
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
  /// Returns when the messages that have been posted so far have been opened or refused.
  fileprivate func isReached() async {
    await withCheckedContinuation { continuation in
      _ = post(Message(to: HomeReached(continuation), .work), reserved: true)
    }
  }
}

/// A message that resumes a task when it is opened or refused.
private final class HomeReached: Entity, @unchecked Sendable {
  private let continuation: CheckedContinuation<Void, Never>
  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
  override func receive(_ message: inout Message, isCanceled: Bool) { continuation.resume() }
}
