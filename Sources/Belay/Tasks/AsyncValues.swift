extension Signal where Value: Sendable {
  /// The signal's values for `for try await`: each iteration subscribes when it begins, and
  /// disposes of that when it ends, also by `break` or because its task was cancelled.
  ///
  /// The loop ends with the completion, throws what the signal fails with (`Failure`), and, when
  /// the signal goes without an end, a `Failure` of `.canceled`, as a wait does. In a task that
  /// is cancelled it throws `CancellationError`. What came before an end of the signal is handed
  /// out before it; a cancellation drops it.
  ///
  /// - Parameters:
  ///   - options: what happens while nobody asks. A queue that is full under `.error` is a
  ///     `Failure` of `.again` after what waits. Nothing sleeps for `.block`, which is as
  ///     `.error`: the sender's thread may be the one that the loop needs.
  ///   - scheduler: at whose home one subscribes; nil: at that of the signal's source; a signal
  ///     without one, its operators with it, runs at the loop of the thread on which the iteration
  ///     begins, else on `isolation`, else on Swift's pool, one event at a time.
  public final func values(
    _ options: QueueOptions = QueueOptions(), on scheduler: Scheduler? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) -> AsyncValues<Value> {
    AsyncValues(signal: self, options: options, scheduler: scheduler, actor: isolation)
  }

  /// The same with at most 1024 values waiting, and `.again` beyond; of the actors only the main
  /// one is known here.
  public final var values: AsyncValues<Value> { values(isolation: nil) }
}

/// The values of a signal as an asynchronous sequence: `Signal.values`.
public struct AsyncValues<Element: Sendable>: AsyncSequence, Sendable {
  fileprivate let signal: Signal<Element>
  fileprivate let options: QueueOptions
  fileprivate let scheduler: Scheduler?
  fileprivate let actor: (any Actor)?

  /// One iteration, and its subscription, which ends with the last copy of this.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let run: AsyncRun<Element>

    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    /// Does not leave the caller's actor for a value that is there.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Element? {
      try await run.queue.next(isolation: actor)
    }
  }

  /// Subscribes.
  public func makeAsyncIterator() -> Iterator {
    let queue = AsyncQueue<Element>(options)
    queue.subscribe(to: signal, at: scheduler?.home, on: actor)
    return Iterator(run: AsyncRun(queue))
  }
}

/// Ends an iteration when it goes itself.
private final class AsyncRun<Value: Sendable>: Sendable {
  let queue: AsyncQueue<Value>
  init(_ queue: AsyncQueue<Value>) { self.queue = queue }
  deinit { queue.dispose() }
}
