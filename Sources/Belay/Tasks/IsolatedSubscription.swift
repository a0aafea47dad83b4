extension Signal where Value: Sendable {
  /// Subscribes closures that are called on `actor`, in the order of the events, and never inside
  /// of this call. The subscription ends with the actor, and does not keep the actor alive.
  ///
  /// A caller that is not on the actor must await this. The chain is connected during the call, so
  /// events that a subject sends afterwards are received. A signal without a source of its own runs
  /// on the actor, with the closures of its operators. When `dispose` is called on the actor, no
  /// callback runs after it has returned.
  ///
  /// - Parameters:
  ///   - actor: on which the closures are called. It is not retained.
  ///   - options: how events wait for the actor. By default 1024 may wait, and the next one is the
  ///     error `.again`. `.block` means `.error` for threads that run tasks, which must not sleep.
  ///   - next: called with each value.
  ///   - error: called with the failure, if the signal fails.
  ///   - completed: called when the signal completes.
  ///   - disposed: called on the actor, or, if that is dying, on the thread on which it dies.
  @discardableResult
  public final func subscribe<Isolation: Actor>(
    isolatedTo actor: isolated Isolation, _ options: QueueOptions = QueueOptions(),
    next: (@Sendable (isolated Isolation, Value) -> Void)? = nil,
    error: (@Sendable (isolated Isolation, Failure) -> Void)? = nil,
    completed: (@Sendable (isolated Isolation) -> Void)? = nil,
    disposed: (@Sendable () -> Void)? = nil
  ) -> Disposable {
    let scheduler = Scheduler.actor(actor)
    // With the owner, no closure is called for an actor that is dying.
    let life: Lifetime? = actor === MainActor.shared ? nil : .of(actor)
    let visitor = Visitor(actor)
    var subscription: Disposable?
    scheduler.atHome {
      subscription = observe(on: scheduler, options).subscribe(
        owner: life?.record,
        next: next.map { next in { value in visitor.enter { next($0, value) } } },
        error: error.map { error in { failure in visitor.enter { error($0, failure) } } },
        completed: completed.map { completed in { visitor.enter { completed($0) } } },
        disposed: disposed)
    }
    return subscription.unsafelyUnwrapped
  }

  /// Subscribes closures that are called on the main actor, in the order of the events, and never
  /// inside of this call. Any thread may call this. Otherwise like `subscribe(isolatedTo:)`.
  @discardableResult
  public final func subscribeOnMain(
    _ options: QueueOptions = QueueOptions(),
    next: (@MainActor (Value) -> Void)? = nil,
    error: (@MainActor (Failure) -> Void)? = nil,
    completed: (@MainActor () -> Void)? = nil,
    disposed: (@Sendable () -> Void)? = nil
  ) -> Disposable {
    var subscription: Disposable?
    Home.whileReachable {
      subscription = observe(on: .main, options).subscribe(
        next: next.map { next in { value in MainActor.assumeIsolated { next(value) } } },
        error: error.map { error in { failure in MainActor.assumeIsolated { error(failure) } } },
        completed: completed.map { completed in { MainActor.assumeIsolated { completed() } } },
        disposed: disposed)
    }
    return subscription.unsafelyUnwrapped
  }
}

extension Scheduler {
  /// Runs `body` at the scheduler's home. The caller is on the scheduler's actor.
  fileprivate final func atHome(_ body: () -> Void) {
    if let home = home as? ExecutorHome { home.whileBound(body) } else { body() }
  }
}

/// Calls closures that are isolated to an actor on a thread that is on the actor, as only the
/// runtime knows.
private final class Visitor<Isolation: Actor>: Sendable {
  private weak let actor: Isolation?
  init(_ actor: Isolation) { self.actor = actor }

  func enter(_ body: @Sendable (isolated Isolation) -> Void) {
    actor?.assumeIsolated { body($0) }
  }
}
