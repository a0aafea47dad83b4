import CBelayShim

extension Signal {
  /// Subscribes closures, which run at the subscription's home: the calling thread's, or the
  /// source's if that is the home of the actor that the calling thread runs. The subscription lives
  /// on when the result is dropped. It ends by its own end, by disposal, or with `owner`.
  ///
  /// One that cannot start, because its source is at another thread that has no loop, calls none of
  /// them. The result is disposed of then, and the `UnhandledErrorHook` gets the error, on this thread.
  @discardableResult
  public final func subscribe(
    owner: OwnerRecord? = nil, next: ((Value) -> Void)? = nil,
    error: ((Failure) -> Void)? = nil, completed: (() -> Void)? = nil,
    disposed: (() -> Void)? = nil
  ) -> Disposable {
    #if !hasFeature(Embedded)
      if let home = route.sourceHome, !home.isCurrent,
        let made = home.onActor({
          subscribe(
            owner: owner, next: next, error: error, completed: completed, disposed: disposed)
        })
      {
        return made
      }
    #endif
    let home = subscriptionHome(nil)
    let subscription = ClosureSubscription<Value>(next, error, completed, disposed, home)
    reportFailedStart(start(subscription, owner: owner, at: home))
    return subscription
  }

  /// Reports a subscription that could not start, whose subscriber gets no code.
  package final func reportFailedStart(_ code: Code) {
    if !code.isFailure { return }
    UnhandledErrorHook.report(Failure(code), signal: name, site: nil, home: Home.current)
  }

  /// Subscribes at the loop of this thread, if it has one, also to a shared source. If the code is a failure,
  /// no closure has been called.
  package final func subscribeHere(
    next: @escaping (Value) -> Void, error: @escaping (Failure) -> Void
  ) -> (subscription: Disposable, code: Code) {
    let home = homeHere
    let subscription = ClosureSubscription<Value>(next, error, nil, nil, home)
    return (subscription, start(subscription, at: home))
  }

  /// The home of a subscription at the loop of this thread, if it has one.
  package final var homeHere: Home {
    let here = Home.current
    return subscriptionHome(here.acceptsMessages ? here : nil, isNamed: true)
  }

  /// Starts `subscription`, bound to `owner`, at `home`.
  @discardableResult
  package final func start(
    _ subscription: Subscription<Value>, owner: OwnerRecord?, at home: Home,
    from origin: Home? = nil
  ) -> Code {
    if let owner {
      owner.add(subscription)
      if owner.isDying { subscription.dispose() }
    }
    if subscription.isClosed { return .ok }
    return start(subscription, at: home, from: origin)
  }
}

/// A subscription whose callbacks are closures.
final class ClosureSubscription<Value>: Subscription<Value>, @unchecked Sendable {
  private var next: ((Value) -> Void)?
  private var error: ((Failure) -> Void)?
  private var completed: (() -> Void)?
  private var disposed: (() -> Void)?
  private let ownHome: Home

  @inline(never)
  init(
    _ next: ((Value) -> Void)?, _ error: ((Failure) -> Void)?, _ completed: (() -> Void)?,
    _ disposed: (() -> Void)?, _ home: Home
  ) {
    ownHome = home
    self.next = next
    self.error = error
    self.completed = completed
    self.disposed = disposed
    super.init()
  }

  override var fixedHome: Unmanaged<Home>? { .passUnretained(ownHome) }
  override func next(_ value: Value) {
    if isClosed { return }
    if belay_shim_watches_next() { Probe.next(self, value) }
    next?(value)
  }

  override func onError(_ failure: Failure) -> Bool {
    error?(failure)
    return error != nil
  }

  override func onCompleted() { completed?() }
  override func onDisposed() { disposed?() }

  override func freeContext() {
    next = nil
    error = nil
    completed = nil
    disposed = nil
  }
}
