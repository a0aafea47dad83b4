extension Signal {
  /// Subscribes closures that may be called on any thread, one at a time, for a caller who may go
  /// on on another one: nothing is to be at home at a thread of Swift's pool.
  ///
  /// - Parameters:
  ///   - requested: where; nil: at the source's home, else as `Home.whileReachable` says.
  ///   - actor: the one that the caller is on, if that is known.
  ///   - hold: given the subscription before it begins.
  /// - Returns: why it could not begin, in which case nothing is called.
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
      // What is torn down already would not end what begins now.
      if !subscription.isClosed { code = start(subscription, at: home) }
    }
    // Its events find their way.
    let isReachable = route.sourceHome != nil || route.arrival != .atSource
    if isReachable { begin() } else { Home.whileReachable(on: actor) { begin() } }
    return code
  }
}

extension Disposable {
  /// Disposes at home, if that can be here and now, so that it is over afterwards.
  func disposeFromTask() {
    if let home = (self as? Link)?.home as? ExecutorHome, home.visit({ dispose() }) { return }
    dispose()
  }
}

extension Home {
  /// Runs `body` where mail reaches the current home: at the loop bound to this thread, else at
  /// the home of the actor that it has, if that is known or the main one, else at one of nobody's
  /// that is made for it.
  static func whileReachable(on actor: (any Actor)? = nil, _ body: () -> Void) {
    if Home.currentIfMade?.acceptsMessages ?? false { return body() }
    let known = actor ?? (ExecutorHome.isCurrent(MainActor.shared) ? MainActor.shared : nil)
    let home = known.flatMap { Scheduler.actor($0).home as? ExecutorHome }
    (home ?? ExecutorHome(of: nil)).whileBound(body)
  }
}
