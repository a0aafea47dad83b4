#if !hasFeature(Embedded)
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
    ///     error, unless they say otherwise. `.block` is as `.error`.
    ///   - disposed: on the actor, or, when that is dying, where it dies.
    @discardableResult
    public final func subscribe<Isolation: Actor>(
      isolatedTo actor: isolated Isolation, _ options: QueueOptions = QueueOptions(),
      next: ((isolated Isolation, Value) -> Void)? = nil,
      error: ((isolated Isolation, Failure) -> Void)? = nil,
      completed: ((isolated Isolation) -> Void)? = nil,
      disposed: (@Sendable () -> Void)? = nil
    ) -> Disposable {
      let scheduler = Scheduler.actor(actor)
      // Nobody is called for an actor that is dying.
      let life: Lifetime? = actor === MainActor.shared ? nil : .of(actor)
      let subscriber = IsolatedClosures(actor, next, error, completed)
      var subscription: Disposable?
      scheduler.atHome {
        subscription = observe(on: scheduler, options).subscribe(
          owner: life?.record,
          next: next.map { _ in { subscriber.next($0) } },
          error: error.map { _ in { subscriber.error($0) } },
          completed: completed.map { _ in { subscriber.completed() } },
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

  /// A subscriber's closures, which are called from where only the runtime knows that one is on
  /// their actor.
  private final class IsolatedClosures<Isolation: Actor, Value: Sendable>: @unchecked Sendable {
    private weak let actor: Isolation?
    // Given to this on the actor, and called there.
    private nonisolated(unsafe) let onNext: ((isolated Isolation, Value) -> Void)?
    private nonisolated(unsafe) let onError: ((isolated Isolation, Failure) -> Void)?
    private nonisolated(unsafe) let onCompleted: ((isolated Isolation) -> Void)?

    init(
      _ actor: Isolation, _ next: ((isolated Isolation, Value) -> Void)?,
      _ error: ((isolated Isolation, Failure) -> Void)?,
      _ completed: ((isolated Isolation) -> Void)?
    ) {
      self.actor = actor
      onNext = next
      onError = error
      onCompleted = completed
    }

    func next(_ value: Value) { actor?.assumeIsolated { self.onNext?($0, value) } }
    func error(_ failure: Failure) { actor?.assumeIsolated { self.onError?($0, failure) } }
    func completed() { actor?.assumeIsolated { self.onCompleted?($0) } }
  }
#endif
