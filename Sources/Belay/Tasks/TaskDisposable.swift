extension Task {
  /// Cancels the task when it is disposed; counts as disposed of when the task is over.
  public var disposable: Disposable {
    let canceller = AnonymousDisposable { cancel() }
    // So that it leaves the containers it is in, which may outlive many tasks.
    Task<Void, Never>.detached {
      _ = await result
      canceller.dispose()
    }
    return canceller
  }

  /// Puts the task into `bag`, with which it is cancelled.
  public func disposed(by bag: DisposeBag) { bag.add(disposable) }

  /// Binds the task to `lifetime`, with which it is cancelled. Answers as `Lifetime.add` does.
  @discardableResult
  public func disposed(by lifetime: Lifetime) -> Code { lifetime.add(disposable) }

  /// Cancelled when `object`, which it should not hold, dies.
  @discardableResult
  public func disposed(with object: AnyObject) -> Code { Lifetime.of(object).add(disposable) }
}
