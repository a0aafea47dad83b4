extension Signal where Value: Sendable {
  /// Subscribes, waits for the first value, and disposes.
  ///
  /// Home and cancellation are those of `values(_:on:isolation:)`: an error is thrown, an interruption is a
  /// `Failure` of `.canceled`, in a task that is cancelled `CancellationError` is thrown at once.
  ///
  /// - Returns: nil when the signal completes without a value. (`AsyncSequence.first(where:)`,
  ///   RxSwift's `Maybe.value`.)
  public final func firstValue(
    on scheduler: Scheduler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Value? {
    try await OneShot(.first).answer(of: self, scheduler)
  }

  /// The same for the last value before the completion; nil when there is none.
  public final func lastValue(
    on scheduler: Scheduler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Value? {
    try await OneShot(.last).answer(of: self, scheduler)
  }

  /// The same for the only value, when the signal has completed. (RxSwift's `Single.value`.)
  ///
  /// - Throws: besides, `.notFound` when there is none, and `.range` as soon as there is a second,
  ///   as the operator `single` does.
  public final func singleValue(
    on scheduler: Scheduler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Value {
    guard let value = try await OneShot(.single).answer(of: self, scheduler) else {
      throw Failure(.notFound)
    }
    return value
  }
}

extension Signal {
  /// Subscribes, and waits for the completion; values are dropped. Throws as `firstValue` does.
  /// (RxSwift's `Completable.value`.)
  public final func completion(
    on scheduler: Scheduler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    _ = try await OneShot(.end).answer(of: map { _ in true }, scheduler)
  }
}

/// One subscription, and the continuation of who waits for what it comes to: resumed once,
/// whichever way that ends.
private final class OneShot<Value: Sendable>: @unchecked Sendable {
  enum Wanted {
    case first, last, single, end
  }

  private let wanted: Wanted
  // Guards what follows. No continuation is resumed, and nothing is disposed of, under it.
  private let lock = Lock()
  private var latest: Value?
  private var isSettled = false
  private var continuation: CheckedContinuation<Value?, any Error>?
  private var subscription: Disposable?
  /// It is being connected at a home that no mail reaches, where nobody else may tear it down.
  private var isConnecting = false

  init(_ wanted: Wanted) { self.wanted = wanted }

  deinit { if let latest { discard(latest) } }

  func answer(
    of signal: Signal<Value>, _ scheduler: Scheduler?,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Value? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { begin($0, signal, scheduler?.home, isolation) }
    } onCancel: {
      settle(.failure(CancellationError()), isElsewhere: true)
    }
  }

  private func begin(
    _ continuation: CheckedContinuation<Value?, any Error>, _ signal: Signal<Value>,
    _ home: Home?, _ actor: (any Actor)?
  ) {
    let isCancelled = lock.withLock {
      if !isSettled { self.continuation = continuation }
      return isSettled
    }
    // Nothing is begun for a task that is cancelled already.
    if isCancelled { return continuation.resume(throwing: CancellationError()) }
    let code = signal.subscribeFromTask(
      at: home, on: actor, hold: { hold($0) }, next: { self.take($0) },
      error: { self.settle(.failure($0)) }, completed: { self.complete() },
      disposed: { self.settle(.failure(Failure(.canceled))) })
    if code.isFailure { settle(.failure(Failure(code))) }
    let late = lock.withLock {
      isConnecting = false
      return isSettled ? subscription : nil
    }
    late?.disposeFromTask()
  }

  /// Before it is started.
  private func hold(_ subscription: Disposable) {
    let isLate = lock.withLock {
      self.subscription = subscription
      isConnecting = !((subscription as? Link)?.home?.acceptsMessages ?? false)
      return isSettled
    }
    if isLate { subscription.dispose() }
  }

  private func take(_ value: Value) {
    switch wanted {
    case .end: break
    case .first:
      keep(value)
      settle(.success(value))
    case .last, .single:
      keep(value)
      let before = lock.withLock {
        defer { latest = value }
        return latest
      }
      guard let before else { return }
      discard(before)
      if wanted == .single { settle(.failure(Failure(.range, message: "more than one value"))) }
    }
  }

  private func complete() {
    settle(
      .success(
        lock.withLock {
          defer { latest = nil }
          return latest
        }))
  }

  /// The first counts.
  private func settle(_ result: Result<Value?, any Error>, isElsewhere: Bool = false) {
    lock.acquire()
    let isFirst = !isSettled
    isSettled = true
    let continuation = continuation
    let subscription = isElsewhere && isConnecting ? nil : subscription
    self.continuation = nil
    if !isConnecting { self.subscription = nil }
    lock.release()
    subscription?.disposeFromTask()
    if isFirst {
      continuation?.resume(with: result)
    } else if case .success(let value?) = result {
      discard(value)
    }
  }
}
