extension Signal {
  /// Subscribes closures that may be called on any thread, one at a time, for a task, which may
  /// continue on another thread. Threads of Swift's pool must not be homes.
  ///
  /// - Parameters:
  ///   - requested: the home; nil: the source's home, or else the one of `Home.whileReachable`.
  ///   - actor: the actor that the caller is on, if that is known.
  ///   - hold: called with the subscription before it starts.
  /// - Returns: a failure if it could not start; then no closure is called.
  func subscribeFromTask(
    at requested: Home?, on actor: (any Actor)?, hold: (Disposable) -> Void,
    next: @escaping (Value) -> Void, error: @escaping (Failure) -> Void,
    completed: @escaping () -> Void, disposed: @escaping () -> Void
  ) -> Code {
    var code = Code.ok
    func begin() {
      let home = subscriptionHome(requested ?? route.sourceHome)
      let subscription = ClosureSubscription<Value>(next, error, completed, disposed, home)
      hold(subscription)
      // If it has been torn down already, nothing would end a chain that began now.
      if !subscription.isClosed { code = start(subscription, at: home) }
    }
    // Its events reach the subscription without another home. But operators that are made on an actor
    // run there.
    let isReachable = route.sourceHome != nil || actor == nil && route.arrival != .atSource
    if isReachable { begin() } else { Home.whileReachable(on: actor) { begin() } }
    return code
  }
}

extension Disposable {
  /// Disposes at home if the caller can be there now, so that it is over afterwards.
  func disposeFromTask() {
    if let home = (self as? Link)?.home as? ExecutorHome, home.visit({ dispose() }) { return }
    dispose()
  }
}

extension Home {
  /// Runs `body` while messages reach the current home: at the loop that is bound to this thread,
  /// or else at the home of the actor on it, if that is known or the main one, or else at a new
  /// home that is no actor's.
  static func whileReachable(on actor: (any Actor)? = nil, _ body: () -> Void) {
    if Home.currentIfMade?.acceptsMessages ?? false { return body() }
    let known = actor ?? (ExecutorHome.isCurrent(MainActor.shared) ? MainActor.shared : nil)
    let home = known.flatMap { Scheduler.actor($0).home as? ExecutorHome }
    (home ?? ExecutorHome(of: nil)).whileBound(body)
  }
}
