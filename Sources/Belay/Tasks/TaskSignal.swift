extension Signal where Value: Sendable {
  /// Sends the result of `work`, then completes. Each subscription runs `work` in a task of its
  /// own, which is cancelled when the subscription ends. (RxSwift's `Single.create(_:)` of an async
  /// closure, Combine's `Future` in a `Deferred`.)
  ///
  /// An error that it throws becomes the signal's (as `Failure.underlying`, unless it is a
  /// `Failure`); a `CancellationError` interrupts the subscription. Events come where
  /// `from(_:priority:)` for sequences sends them.
  ///
  /// - Parameters:
  ///   - priority: the priority of the tasks; nil: that of the thread or task that subscribes.
  ///   - work: runs once for each subscription.
  public static func from(
    priority: TaskPriority? = nil, _ work: @escaping @Sendable () async throws -> Value
  ) -> Signal<Value> {
    ofTask(priority) { subscriber, _ in
      let value = try await work()
      subscriber.send(value)
      subscriber.completed()
    }
  }

  /// Runs `work` for each subscription in a task of its own. `work` gets the home to which its
  /// events hop, if they do. An error that it throws becomes the signal's.
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
        } catch is CancellationError {
          // The last reference to the subscriber goes without an end, which interrupts it.
        } catch {
          subscriber.error(error)
        }
      }
      return AnonymousDisposable { task.cancel() }
    }
  }
}
