/// Holds one disposable at a time.
public final class SerialDisposable: ContainerDisposable, @unchecked Sendable {
  private var current: Disposable?

  #if !hasFeature(Embedded)
    deinit { NestedEnds.letGo(of: &current) }
  #endif

  /// Puts `next` in and disposes what was there; when the serial is disposed, disposes `next`.
  public func set(_ next: Disposable?) { swap(next)?.dispose() }

  /// Puts `next` in and hands back what was there, which is not disposed. When the serial is
  /// disposed already, disposes `next` at once.
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

/// Holds what is assigned to it, once.
public final class SingleAssignmentDisposable: ContainerDisposable, @unchecked Sendable {
  private var inner: Disposable?
  private var isAssigned = false

  #if !hasFeature(Embedded)
    deinit { NestedEnds.letGo(of: &inner) }
  #endif

  /// - Returns: `.assigned` the second time, and then leaves `inner` alone. When this has been
  ///   disposed before, `inner` is disposed at once.
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

/// Empties `slot` and answers what was in it.
func take(_ slot: inout Disposable?) -> Disposable? {
  let taken = slot
  slot = nil
  return taken
}
