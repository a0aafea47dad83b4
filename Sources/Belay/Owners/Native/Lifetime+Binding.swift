extension Signal {
  /// Passes values on until `lifetime` ends, which completes the signal. Keeps nothing alive. If
  /// the lifetime has a `failure`, the signal fails with it. (ReactiveSwift's `take(during:)`.)
  public final func take(during lifetime: Lifetime) -> Signal<Value> {
    takeUntil(lifetime.deallocating)
  }

  /// Passes values on until `object` dies, which completes the signal.
  public final func take(during object: AnyObject) -> Signal<Value> {
    take(during: .of(object))
  }

  /// Subscribes closures, as `subscribe` does. The subscription is disposed of when `lifetime`
  /// ends. If the lifetime has a `failure`, the observer gets that, and the signal is not
  /// subscribed to.
  @discardableResult
  public final func subscribe(
    during lifetime: Lifetime, next: ((Value) -> Void)? = nil,
    error: ((Failure) -> Void)? = nil, completed: (() -> Void)? = nil,
    disposed: (() -> Void)? = nil
  ) -> Disposable {
    let source = lifetime.failure.map { Signal.error($0) } ?? self
    return source.subscribe(
      owner: lifetime.record, next: next, error: error, completed: completed, disposed: disposed)
  }

  /// The same, until `object` dies.
  @discardableResult
  public final func subscribe(
    during object: AnyObject, next: ((Value) -> Void)? = nil,
    error: ((Failure) -> Void)? = nil, completed: (() -> Void)? = nil,
    disposed: (() -> Void)? = nil
  ) -> Disposable {
    subscribe(
      during: .of(object), next: next, error: error, completed: completed, disposed: disposed)
  }

  /// Subscribes closures. The subscription is disposed of when `object` dies. `next` gets the
  /// object, so the closure need not capture it. (RxSwift's `subscribe(with:)`, which continues
  /// without the object.)
  @discardableResult
  public final func subscribe<Object: AnyObject>(
    with object: Object, next: @escaping (Object, Value) -> Void,
    error: ((Failure) -> Void)? = nil, completed: (() -> Void)? = nil,
    disposed: (() -> Void)? = nil
  ) -> Disposable {
    subscribe(
      during: .of(object),
      next: { [weak object] value in if let object { next(object, value) } },
      error: error, completed: completed, disposed: disposed)
  }
}

extension Disposable {
  /// Binds this to `lifetime`, whose end disposes of it. Answers as `Lifetime.add` does.
  @discardableResult
  public final func disposed(by lifetime: Lifetime) -> Code { lifetime.add(self) }

  /// Binds this to `object`, whose death disposes of it.
  @discardableResult
  public final func disposed(with object: AnyObject) -> Code { Lifetime.of(object).add(self) }
}
