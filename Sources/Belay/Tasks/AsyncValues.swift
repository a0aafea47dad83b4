extension Signal where Value: Sendable {
  /// The signal's values for `for try await`. Each iteration subscribes when it begins, and
  /// disposes of its subscription when it ends, also by `break` or the cancellation of its task.
  ///
  /// The loop ends with the completion. It throws the signal's error: the Swift error that came into
  /// the signal, as itself, or else the `Failure`. If the signal is interrupted, it throws a
  /// `Failure` of `.canceled`, as a wait does. If its task is cancelled, it throws
  /// `CancellationError`. Values that came before an end are handed out first;
  /// a cancellation drops them.
  ///
  /// - Parameters:
  ///   - options: what happens to values that come while the iteration does not ask. When a queue
  ///     with the policy `.error` is full, a `Failure` of `.again` follows the values that wait.
  ///     `.block` means the same, because the loop may need the sender's thread, which must not
  ///     sleep.
  ///   - scheduler: the scheduler at whose home to subscribe; nil: that of the signal's source. If
  ///     the signal has no source of its own, the chain runs at the loop of the thread on which the
  ///     iteration begins, or else on `isolation`, or else on Swift's pool, one event at a time.
  ///   - isolation: the caller's actor, which the compiler fills in.
  public final func values(
    _ options: QueueOptions = QueueOptions(), on scheduler: Scheduler? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) -> AsyncValues<Value> {
    AsyncValues(signal: self, options: options, scheduler: scheduler, actor: isolation)
  }

  /// The same with a queue of 1024 values, after which the iteration fails with `.again`. Of the
  /// actors, only the main one is recognised.
  public final var values: AsyncValues<Value> { values(isolation: nil) }
}

/// The values of a signal as an asynchronous sequence; see `Signal.values`.
public struct AsyncValues<Element: Sendable>: AsyncSequence, Sendable {
  fileprivate let signal: Signal<Element>
  fileprivate let options: QueueOptions
  fileprivate let scheduler: Scheduler?
  fileprivate let actor: (any Actor)?

  /// One iteration with its subscription, which ends when the last copy of this goes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let run: AsyncRun<Element>

    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    /// Stays on the caller's actor if a value is waiting.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Element? {
      try await run.queue.next(isolation: actor)
    }
  }

  /// Subscribes to the signal.
  public func makeAsyncIterator() -> Iterator {
    let queue = AsyncQueue<Element>(options)
    queue.subscribe(to: signal, at: scheduler?.home, on: actor)
    return Iterator(run: AsyncRun(queue))
  }
}

/// Ends an iteration when its last reference goes.
private final class AsyncRun<Value: Sendable>: Sendable {
  let queue: AsyncQueue<Value>
  init(_ queue: AsyncQueue<Value>) { self.queue = queue }
  deinit { queue.dispose() }
}
