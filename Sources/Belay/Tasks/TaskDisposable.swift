extension Task {
  /// A disposable that cancels the task. It counts as disposed of when the task is over.
  public var disposable: Disposable {
    let canceller = AnonymousDisposable { cancel() }
    // So it leaves its containers, which may outlive many tasks.
    Task<Void, Never>.detached {
      _ = await result
      canceller.dispose()
    }
    return canceller
  }

  /// Adds the task to `bag`, whose end cancels it.
  public func disposed(by bag: DisposeBag) { bag.add(disposable) }

  /// Binds the task to `lifetime`, whose end cancels it. Answers as `Lifetime.add` does.
  @discardableResult
  public func disposed(by lifetime: Lifetime) -> Code { lifetime.add(disposable) }

  /// Cancels the task when `object` dies. The task should not retain `object`.
  @discardableResult
  public func disposed(with object: AnyObject) -> Code { Lifetime.of(object).add(disposable) }
}
