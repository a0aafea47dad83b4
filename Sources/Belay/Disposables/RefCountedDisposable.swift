/// Disposes the underlying one when it itself and all its dependents are disposed.
public final class RefCountedDisposable: ContainerDisposable, @unchecked Sendable {
  private var underlying: Disposable?
  private var dependents = 0

  public init(_ underlying: Disposable) {
    self.underlying = underlying
    super.init()
  }

  /// A new dependent; one that does nothing once the underlying one is disposed.
  public func dependent() -> Disposable {
    let isOver = lock.withLock {
      if underlying == nil { return true }
      dependents += 1
      return false
    }
    if isOver { return NopDisposable.shared }
    return AnonymousDisposable { self.dropDependent() }
  }

  package override func giveContent(_ dispose: (Disposable) -> Void) {
    if let unused = lock.withLock({ takeIfUnused() }) { dispose(unused) }
  }

  private func dropDependent() {
    let last = lock.withLock {
      dependents -= 1
      return takeIfUnused()
    }
    last?.dispose()
  }

  private func takeIfUnused() -> Disposable? {
    guard isClosed, dependents == 0 else { return nil }
    defer { underlying = nil }
    return underlying
  }
}
