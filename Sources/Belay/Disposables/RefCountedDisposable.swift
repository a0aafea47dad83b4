/// Disposes of the underlying disposable when it has been disposed of itself, and all its
/// dependents have.
public final class RefCountedDisposable: ContainerDisposable, @unchecked Sendable {
  private var underlying: Disposable?
  private var dependents = 0

  /// Retains `underlying`.
  public init(_ underlying: Disposable) {
    self.underlying = underlying
    super.init()
  }

  #if !hasFeature(Embedded)
    deinit { NestedEnds.letGo(of: &underlying) }
  #endif

  /// Makes a new dependent. Once the underlying disposable has been disposed of, the dependent does
  /// nothing.
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

  /// Removes one dependent. Answers the underlying disposable if that was the last use of it.
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

/// Removes itself from its `RefCountedDisposable` when it is disposed of.
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
