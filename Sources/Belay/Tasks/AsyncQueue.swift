/// The queue in which a subscription's events wait for an asynchronous iteration.
final class AsyncQueue<Value: Sendable>: @unchecked Sendable {
  /// How far the subscription's end has come.
  private enum Outcome {
    case running
    /// It has ended, and the end has not been handed out.
    case ended(Result<Value?, any Error>)
    case told
  }

  private let options: QueueOptions
  // Protects the fields below. No continuation is resumed and nothing is disposed of under it.
  private let lock = Lock()
  private var waiting = FIFO<Queued<Value>>()
  private var outcome = Outcome.running
  private var asking: CheckedContinuation<Value?, any Error>?
  private var subscription: Disposable?

  init(_ options: QueueOptions) { self.options = options }

  deinit { waiting.discardAll() }

  func subscribe(to signal: Signal<Value>, at home: Home?, on actor: (any Actor)?) {
    // The subscription retains this until it ends, which is at the end of the iteration at the
    // latest.
    let code = signal.subscribeFromTask(
      at: home, on: actor, hold: { subscription = $0 }, next: { self.push($0) },
      error: { self.end(.failure($0.thrown)) }, completed: { self.end(.success(nil)) },
      disposed: { self.end(.failure(Failure(.canceled))) })
    if code.isFailure { end(.failure(Failure(code))) }
  }

  func dispose() { subscription?.disposeFromTask() }

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
    var dropped = FIFO<Queued<Value>>()
    var isFull = false
    if options.policy == .latest {
      while let old = waiting.popFirst() { dropped.append(old) }
      waiting.append(queued(value))
    } else if waiting.count < max(1, options.capacity) {
      waiting.append(queued(value))
    } else {
      switch options.policy {
      case .dropOldest, .latest:
        if let old = waiting.popFirst() { dropped.append(old) }
        waiting.append(queued(value))
      case .dropNewest: dropped.append(queued(value))
      case .error, .block:
        dropped.append(queued(value))
        isFull = true
      }
    }
    options.highWaterMark?.note(waiting.count)
    lock.release()
    dropped.discardAll()
    if isFull {
      end(.failure(Failure(.again, message: "the queue of values was full")))
      dispose()
    }
  }

  /// Stores the first end; later ones are dropped.
  private func end(_ result: Result<Value?, any Error>) {
    let asking = lock.withLock { () -> CheckedContinuation<Value?, any Error>? in
      guard case .running = outcome else { return nil }
      // A task that is asking has found no value waiting.
      outcome = self.asking == nil ? .ended(result) : .told
      defer { self.asking = nil }
      return self.asking
    }
    asking?.resume(with: result)
  }

  // MARK: Out

  func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { ask($0) }
    } onCancel: {
      cancel()
    }
  }

  private func ask(_ continuation: CheckedContinuation<Value?, any Error>) {
    let answer = lock.withLock { () -> Result<Value?, any Error>? in
      if let first = waiting.popFirst() { return .success(first.value) }
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

  /// Ends the iteration with a cancellation, also instead of an end that has not been handed out.
  private func cancel() {
    var dropped = FIFO<Queued<Value>>()
    let asking = lock.withLock { () -> CheckedContinuation<Value?, any Error>? in
      swap(&dropped, &waiting)
      if case .told = outcome { return nil }
      outcome = self.asking == nil ? .ended(.failure(CancellationError())) : .told
      defer { self.asking = nil }
      return self.asking
    }
    dropped.discardAll()
    asking?.resume(throwing: CancellationError())
    dispose()
  }
}
