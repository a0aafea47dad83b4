extension Signal {
  /// Until `lifetime` ends, which completes. Keeps nothing alive. Where the lifetime has a
  /// `failure`, that is the signal's. (ReactiveSwift's `take(during:)`.)
  public final func take(during lifetime: Lifetime) -> Signal<Value> {
    takeUntil(lifetime.deallocating)
  }

  /// Until `object` dies, which completes.
  public final func take(during object: AnyObject) -> Signal<Value> {
    take(during: .of(object))
  }

  /// Subscribes closures, as `subscribe` does; the subscription is disposed when `lifetime` ends.
  /// Where the lifetime has a `failure`, that is sent, and nothing is begun that would not end.
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

  /// Subscribes closures; the subscription is disposed when `object` dies, and `next` is given
  /// the object, so that nobody need hold it, nor unregister. (RxSwift's `subscribe(with:)`,
  /// which goes on without the object.)
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
  /// Binds this to `lifetime`: disposed when that ends. Answers as `Lifetime.add` does.
  @discardableResult
  public final func disposed(by lifetime: Lifetime) -> Code { lifetime.add(self) }

  /// Disposed when `object` dies.
  @discardableResult
  public final func disposed(with object: AnyObject) -> Code { Lifetime.of(object).add(self) }
}
