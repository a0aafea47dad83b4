#if !hasFeature(Embedded)
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
    ///   - scheduler: at whose home one subscribes; nil: at that of the signal's source, else, for a
    ///     cold signal, on the thread that begins the iteration. A cold signal that sends later, or
    ///     elsewhere, wants the scheduler of a loop.
    public final func values(
      _ options: QueueOptions = QueueOptions(), on scheduler: Scheduler? = nil
    ) -> AsyncValues<Value> {
      AsyncValues(signal: self, options: options, scheduler: scheduler)
    }

    /// The same with at most 1024 values waiting, and `.again` beyond.
    public final var values: AsyncValues<Value> { values() }
  }

  /// The values of a signal as an asynchronous sequence: `Signal.values`.
  public struct AsyncValues<Element: Sendable>: AsyncSequence, Sendable {
    fileprivate let signal: Signal<Element>
    fileprivate let options: QueueOptions
    fileprivate let scheduler: Scheduler?

    /// One iteration, and its subscription, which ends with the last copy of this.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let run: AsyncRun<Element>

      public mutating func next() async throws -> Element? { try await run.queue.next() }
    }

    /// Subscribes.
    public func makeAsyncIterator() -> Iterator {
      let queue = AsyncQueue<Element>(options)
      queue.subscribe(to: signal, at: scheduler?.home ?? signal.sourceHome)
      return Iterator(run: AsyncRun(queue))
    }
  }

  /// Ends an iteration when it goes itself.
  private final class AsyncRun<Value: Sendable>: Sendable {
    let queue: AsyncQueue<Value>
    init(_ queue: AsyncQueue<Value>) { self.queue = queue }
    deinit { queue.dispose() }
  }

  /// Where a subscription's events wait for whoever iterates.
  private final class AsyncQueue<Value: Sendable>: @unchecked Sendable {
    private enum Outcome {
      case running
      /// How it ended; to be told once.
      case ended(Result<Value?, any Error>)
      case told
    }

    private let options: QueueOptions
    // Guards what follows. No continuation is resumed, and nothing is disposed of, under it.
    private let lock = Lock()
    private var waiting = Line<Value>()
    private var outcome = Outcome.running
    private var asking: CheckedContinuation<Value?, any Error>?
    private var subscription: Disposable?

    init(_ options: QueueOptions) { self.options = options }

    deinit { while let value = waiting.popFirst() { discard(value) } }

    func subscribe(to signal: Signal<Value>, at home: Home?) {
      let home = signal.subscriptionHome(home)
      // It holds this until it has ended, which it does with the iteration at the latest.
      let subscription = ClosureSubscription<Value>(
        { self.push($0) }, { self.end(.failure($0)) }, { self.end(.success(nil)) },
        { self.end(.failure(Failure(.canceled))) }, home)
      self.subscription = subscription
      let code = signal.start(subscription, at: home)
      if code.isFailure { end(.failure(Failure(code))) }
    }

    func dispose() { subscription?.dispose() }

    // MARK: In

    private func push(_ value: Value) {
      keep(value)
      lock.acquire()
      guard case .running = outcome else {
        lock.release()
        return discard(value)
      }
      if let asking {
        self.asking = nil
        lock.release()
        return asking.resume(returning: value)
      }
      var dropped = Line<Value>()
      var isRefused = false
      if options.policy == .latest {
        while let old = waiting.popFirst() { dropped.append(old) }
        waiting.append(value)
      } else if waiting.count < max(1, options.capacity) {
        waiting.append(value)
      } else {
        switch options.policy {
        case .dropOldest, .latest:
          if let old = waiting.popFirst() { dropped.append(old) }
          waiting.append(value)
        case .dropNewest: dropped.append(value)
        case .error, .block:
          dropped.append(value)
          isRefused = true
        }
      }
      options.highWaterMark?.note(waiting.count)
      lock.release()
      while let old = dropped.popFirst() { discard(old) }
      if isRefused {
        end(.failure(Failure(.again, message: "the queue of values was full")))
        dispose()
      }
    }

    /// The first end counts.
    private func end(_ result: Result<Value?, any Error>) {
      let asking = lock.withLock { () -> CheckedContinuation<Value?, any Error>? in
        guard case .running = outcome else { return nil }
        // Who asks has found nothing waiting.
        outcome = self.asking == nil ? .ended(result) : .told
        defer { self.asking = nil }
        return self.asking
      }
      asking?.resume(with: result)
    }

    // MARK: Out

    func next() async throws -> Value? {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { ask($0) }
      } onCancel: {
        cancel()
      }
    }

    private func ask(_ continuation: CheckedContinuation<Value?, any Error>) {
      let answer = lock.withLock { () -> Result<Value?, any Error>? in
        if let value = waiting.popFirst() { return .success(value) }
        switch outcome {
        case .ended(let result):
          outcome = .told
          return result
        case .told: return .success(nil)
        case .running:
          if asking != nil { return .failure(Failure(.busy, message: "two ask for a value")) }
          asking = continuation
          return nil
        }
      }
      if let answer { continuation.resume(with: answer) }
    }

    /// Also in the place of an end that nobody has been told.
    private func cancel() {
      var dropped = Line<Value>()
      let asking = lock.withLock { () -> CheckedContinuation<Value?, any Error>? in
        (dropped, waiting) = (waiting, dropped)
        if case .told = outcome { return nil }
        outcome = self.asking == nil ? .ended(.failure(CancellationError())) : .told
        defer { self.asking = nil }
        return self.asking
      }
      while let value = dropped.popFirst() { discard(value) }
      asking?.resume(throwing: CancellationError())
      dispose()
    }
  }
#endif
