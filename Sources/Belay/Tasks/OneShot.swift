extension Signal where Value: Sendable {
  /// Subscribes, waits for the first value, and disposes of the subscription.
  ///
  /// The home is that of `values(_:on:isolation:)`. An error is thrown: the Swift error that came
  /// into the signal, as itself, or else the `Failure`. An interruption is thrown as a `Failure` of
  /// `.canceled`, and in a task that is cancelled `CancellationError` is thrown at once.
  ///
  /// - Returns: nil if the signal completes without a value. (`AsyncSequence.first(where:)`,
  ///   RxSwift's `Maybe.value`.)
  public final func firstValue(
    on scheduler: Scheduler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Value? {
    try await OneShot(.first).answer(of: self, scheduler)
  }

  /// The same for the last value before the completion; nil if there is none.
  public final func lastValue(
    on scheduler: Scheduler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Value? {
    try await OneShot(.last).answer(of: self, scheduler)
  }

  /// The same for the only value, after the completion. (RxSwift's `Single.value`.)
  ///
  /// - Throws: also `.notFound` if there is no value, and `.range` as soon as there is a second
  ///   one, like the operator `single`.
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
  /// Subscribes, and waits for the completion. Values are dropped. Throws like `firstValue`.
  /// (RxSwift's `Completable.value`.)
  public final func completion(
    on scheduler: Scheduler? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    _ = try await OneShot(.end).answer(of: map { _ in true }, scheduler)
  }
}

/// One subscription, and the continuation of the task that waits for its result. The continuation
/// is resumed once, by the first result.
private final class OneShot<Value: Sendable>: @unchecked Sendable {
  /// Which event the task waits for.
  enum Wanted {
    case first, last, single, end
  }

  private let wanted: Wanted
  // Protects the fields below. No continuation is resumed and nothing is disposed of under it.
  private let lock = Lock()
  private var latest: Value?
  private var isResumed = false
  private var continuation: CheckedContinuation<Value?, any Error>?
  private var subscription: Disposable?
  /// Whether the subscription is being connected at a home that no message reaches. Then only the
  /// thread that connects it may tear it down.
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
      resume(.failure(CancellationError()), isElsewhere: true)
    }
  }

  private func begin(
    _ continuation: CheckedContinuation<Value?, any Error>, _ signal: Signal<Value>,
    _ home: Home?, _ actor: (any Actor)?
  ) {
    let isCancelled = lock.withLock {
      if !isResumed { self.continuation = continuation }
      return isResumed
    }
    // Nothing is begun for a task that is cancelled already.
    if isCancelled { return continuation.resume(throwing: CancellationError()) }
    let code = signal.subscribeFromTask(
      at: home, on: actor, hold: { hold($0) }, next: { self.accept($0) },
      error: { self.resume(.failure($0.thrown)) }, completed: { self.complete() },
      disposed: { self.resume(.failure(Failure(.canceled))) })
    if code.isFailure { resume(.failure(Failure(code))) }
    let late = lock.withLock {
      isConnecting = false
      return isResumed ? subscription : nil
    }
    late?.disposeFromTask()
  }

  /// Stores the subscription before it is started.
  private func hold(_ subscription: Disposable) {
    let isLate = lock.withLock {
      self.subscription = subscription
      isConnecting = !((subscription as? Link)?.home?.acceptsMessages ?? false)
      return isResumed
    }
    if isLate { subscription.dispose() }
  }

  private func accept(_ value: Value) {
    switch wanted {
    case .end: break
    case .first:
      keep(value)
      resume(.success(value))
    case .last, .single:
      keep(value)
      let before = lock.withLock {
        defer { latest = value }
        return latest
      }
      guard let before else { return }
      discard(before)
      if wanted == .single { resume(.failure(Failure(.range, message: "more than one value"))) }
    }
  }

  private func complete() {
    resume(
      .success(
        lock.withLock {
          defer { latest = nil }
          return latest
        }))
  }

  /// Resumes the continuation with the first result; later ones are dropped.
  private func resume(_ result: Result<Value?, any Error>, isElsewhere: Bool = false) {
    lock.acquire()
    let isFirst = !isResumed
    isResumed = true
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
