extension Signal where Value: Sendable {
  /// What `work` returns, then completed: each subscription runs it in a task of its own, which is
  /// cancelled when the subscription ends. (RxSwift's `Single.create(_:)` of an async closure,
  /// Combine's `Future` in a `Deferred`.)
  ///
  /// What it throws is the error (`Failure.underlying`, unless it is a `Failure` already); a
  /// `CancellationError` interrupts. Where events come is said at `from(_:priority:)` for
  /// sequences.
  ///
  /// - Parameter priority: the tasks'; nil: that of the thread or task that subscribes.
  public static func from(
    priority: TaskPriority? = nil, _ work: @escaping @Sendable () async throws -> Value
  ) -> Signal<Value> {
    ofTask(priority) { subscriber, _ in
      let value = try await work()
      subscriber.sendOrFail(value)
      subscriber.completed()
    }
  }

  /// Each subscription runs `work` in a task of its own, with the home that its events hop to, if
  /// they do. What it throws is the signal's error.
  static func ofTask(
    _ priority: TaskPriority?,
    _ work: @escaping @Sendable (Subscriber<Value>, QueuedHome?) async throws -> Void
  ) -> Signal<Value> {
    var options = SourceOptions(label: "from")
    options.isShared = true
    options.prefersHops = true
    return .create(options) { subscriber in
      let home = Home.currentIfMade as? QueuedHome
      let task = Task(priority: priority) {
        do {
          try await work(subscriber, home)
        } catch let failure as Belay.Failure {
          subscriber.error(failure)
        } catch is CancellationError {
          // The last reference goes without an end.
        } catch {
          subscriber.error(Failure(error))
        }
      }
      return AnonymousDisposable { task.cancel() }
    }
  }
}

extension SourceOptions {
  /// Options of a source that has no home: the way for a subject that tasks send into, whose
  /// threads change at each `await`.
  public static var shared: SourceOptions {
    var options = SourceOptions()
    options.isShared = true
    return options
  }
}
