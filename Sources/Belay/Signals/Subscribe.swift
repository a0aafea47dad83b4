import CBelayShim

extension Signal {
  /// Subscribes closures, which run at the subscription's home: the calling thread's. The
  /// subscription lives on when the result is dropped. It ends by its own end, by disposal, or with
  /// `owner`.
  @discardableResult
  public final func subscribe(
    owner: OwnerRecord? = nil, next: ((Value) -> Void)? = nil,
    error: ((Failure) -> Void)? = nil, completed: (() -> Void)? = nil,
    disposed: (() -> Void)? = nil
  ) -> Disposable {
    let home = subscriptionHome(nil)
    let subscription = ClosureSubscription<Value>(next, error, completed, disposed, home)
    start(subscription, owner: owner, at: home)
    return subscription
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
