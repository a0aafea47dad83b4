/// Disposes the underlying one when it itself and all its dependents are disposed.
public final class RefCountedDisposable: ContainerDisposable, @unchecked Sendable {
  private var underlying: Disposable?
  private var dependents = 0

  public init(_ underlying: Disposable) {
    self.underlying = underlying
    super.init()
  }

  #if !hasFeature(Embedded)
    deinit { NestedEnds.letGo(of: &underlying) }
  #endif

  /// A new dependent; one that does nothing once the underlying one is disposed.
  public func dependent() -> Disposable {
    let isOver = lock.withLock {
      if underlying == nil { return true }
      dependents += 1
      return false
    }
    if isOver { return NopDisposable.shared }
    return Dependent(of: self)
  }

  package override func takeContent() -> Disposable? { lock.withLock { takeIfUnused() } }

  /// Answers with the underlying one when this was the last.
  fileprivate func dropDependent() -> Disposable? {
    lock.withLock {
      dependents -= 1
      return takeIfUnused()
    }
  }

  private func takeIfUnused() -> Disposable? {
    guard isClosed, dependents == 0 else { return nil }
    defer { underlying = nil }
    return underlying
  }
}

private final class Dependent: ContainerDisposable, @unchecked Sendable {
  private var counted: RefCountedDisposable?

  init(of counted: RefCountedDisposable) {
    self.counted = counted
    super.init()
  }

  #if !hasFeature(Embedded)
    deinit { NestedEnds.letGo(of: &counted) }
  #endif

  package override func takeContent() -> Disposable? {
    guard let left = counted else { return nil }
    counted = nil
    return left.dropDependent()
  }
}
