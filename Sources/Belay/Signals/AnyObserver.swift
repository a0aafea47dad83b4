/// The closures of a subscription, made once and given to any number of signals. (RxSwift's
/// AnyObserver.)
///
/// Each subscription has its own grammar, home and end, so `completed` or `error`, and `disposed`,
/// are called once for each. To have one grammar for all of them, which the first end ends,
/// subscribe to a subject, bind the signals to it, and end the bindings when it ends.
public struct AnyObserver<Value> {
  let next: ((Value) -> Void)?
  let error: ((Failure) -> Void)?
  let completed: (() -> Void)?
  let disposed: (() -> Void)?

  /// Makes an observer of closures, each of which may be left out.
  public init(
    next: ((Value) -> Void)? = nil, error: ((Failure) -> Void)? = nil,
    completed: (() -> Void)? = nil, disposed: (() -> Void)? = nil
  ) {
    self.next = next
    self.error = error
    self.completed = completed
    self.disposed = disposed
  }
}

extension Signal {
  /// Subscribes an observer; otherwise like `subscribe(owner:next:error:completed:disposed:)`.
  @discardableResult
  public final func subscribe(
    _ observer: AnyObserver<Value>, owner: OwnerRecord? = nil
  ) -> Disposable {
    subscribe(
      owner: owner, next: observer.next, error: observer.error, completed: observer.completed,
      disposed: observer.disposed)
  }
}
