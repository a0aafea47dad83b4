extension Signal where Value: Sendable {
  /// Subscribes closures that are called on `actor`, in the order of the events, never inside this
  /// call; until the actor dies, which it is not kept from.
  ///
  /// From elsewhere than the actor it is awaited. The chain is connected in the call: what a
  /// subject sends after it is not missed. A signal without a source of its own is run on the
  /// actor too, its operators' closures with it. What is disposed of on the actor is not called
  /// any more when `dispose` has returned.
  ///
  /// - Parameters:
  ///   - options: how events wait for the actor, at most 1024 of them, and then `.again` as an
  ///     error, unless they say otherwise. `.block` lets sleep no thread that runs a task, for which
  ///     it is as `.error`.
  ///   - disposed: on the actor, or, when that is dying, where it dies.
  @discardableResult
  public final func subscribe<Isolation: Actor>(
    isolatedTo actor: isolated Isolation, _ options: QueueOptions = QueueOptions(),
    next: (@Sendable (isolated Isolation, Value) -> Void)? = nil,
    error: (@Sendable (isolated Isolation, Failure) -> Void)? = nil,
    completed: (@Sendable (isolated Isolation) -> Void)? = nil,
    disposed: (@Sendable () -> Void)? = nil
  ) -> Disposable {
    let scheduler = Scheduler.actor(actor)
    // Nobody is called for an actor that is dying.
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

  /// Subscribes closures that are called on the main actor, in the order of the events, never
  /// inside this call. Any thread; otherwise like `subscribe(isolatedTo:)`.
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
  /// Runs `body` at the scheduler's home, for a caller who is on its actor.
  fileprivate final func atHome(_ body: () -> Void) {
    if let home = home as? ExecutorHome { home.whileBound(body) } else { body() }
  }
}

/// Calls what is isolated to an actor from where only the runtime knows that one is there.
private final class Visitor<Isolation: Actor>: Sendable {
  private weak let actor: Isolation?
  init(_ actor: Isolation) { self.actor = actor }

  func enter(_ body: @Sendable (isolated Isolation) -> Void) {
    actor?.assumeIsolated { body($0) }
  }
}
