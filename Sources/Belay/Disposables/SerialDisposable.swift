/// Holds one disposable at a time.
public final class SerialDisposable: ContainerDisposable, @unchecked Sendable {
  private var current: Disposable?

  /// Makes one that holds nothing yet.
  public override init() { super.init() }

  #if !hasFeature(Embedded)
    deinit { NestedEnds.letGo(of: &current) }
  #endif

  /// Replaces the current disposable by `next` and disposes of the old one. If the serial has been
  /// disposed of, disposes of `next`.
  public func set(_ next: Disposable?) {
    if let old = swap(next) { Quiescence.dispose(old, of: self) }
  }

  /// Replaces the current disposable by `next` and returns the old one, which is not disposed of.
  /// If the serial has been disposed of, disposes of `next` at once.
  @discardableResult
  public func swap(_ next: Disposable?) -> Disposable? {
    let (old, isLate) = lock.withLock { () -> (Disposable?, Bool) in
      if isClosed { return (nil, true) }
      let old = current
      current = next
      return (old, false)
    }
    if isLate { next?.dispose() }
    return old
  }

  package override func takeContent() -> Disposable? { lock.withLock { take(&current) } }
}

/// Holds one disposable, which can be assigned once.
public final class SingleAssignmentDisposable: ContainerDisposable, @unchecked Sendable {
  private var inner: Disposable?
  private var isAssigned = false

  /// Makes one that holds nothing yet.
  public override init() { super.init() }

  #if !hasFeature(Embedded)
    deinit { NestedEnds.letGo(of: &inner) }
  #endif

  /// - Returns: `.assigned` if called a second time; then `inner` is left as it is. If this has
  ///   been disposed of before, `inner` is disposed of at once.
  @discardableResult
  public func set(_ inner: Disposable?) -> Code {
    let (code, isLate) = lock.withLock { () -> (Code, Bool) in
      if isAssigned { return (.assigned, false) }
      isAssigned = true
      if isClosed { return (.ok, true) }
      self.inner = inner
      return (.ok, false)
    }
    if isLate { inner?.dispose() }
    return code
  }

  package override func takeContent() -> Disposable? { lock.withLock { take(&inner) } }
}

/// Empties `variable` and returns its content.
func take(_ variable: inout Disposable?) -> Disposable? {
  let taken = variable
  variable = nil
  return taken
}
