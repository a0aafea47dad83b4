/// Does nothing, and is always disposed of.
public final class NopDisposable: Disposable, @unchecked Sendable {
  /// The only one.
  public static let shared = NopDisposable()

  private override init() {
    super.init()
    _ = close()
    finalise()
  }
}

/// Remembers whether it has been disposed of, and does nothing else.
public final class BooleanDisposable: Disposable, @unchecked Sendable {
  /// Makes one that has not been disposed of.
  public override init() {
    super.init()
    Live.disposables.began()
  }

  deinit { Live.disposables.ended() }
}

/// Disposes of two others, one after the other.
public final class BinaryDisposable: ContainerDisposable, @unchecked Sendable {
  private var first: Disposable?
  private var second: Disposable?

  /// Retains both; nil stands for nothing to dispose of.
  public init(_ first: Disposable?, _ second: Disposable?) {
    self.first = first
    self.second = second
    super.init()
  }

  #if !hasFeature(Embedded)
    deinit {
      NestedEnds.letGo(of: &first)
      NestedEnds.letGo(of: &second)
    }
  #endif

  package override func takeContent() -> Disposable? { take(&first) ?? take(&second) }
}

/// Disposes of another one when it is disposed of, or when its last reference goes.
public final class ScopedDisposable: ContainerDisposable, @unchecked Sendable {
  private var inner: Disposable?

  /// Retains `inner`.
  public init(_ inner: Disposable) {
    self.inner = inner
    super.init()
  }

  deinit { if !isDisposed { inner?.dispose() } }

  package override func takeContent() -> Disposable? { take(&inner) }
}
