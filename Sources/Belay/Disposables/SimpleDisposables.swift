/// Does nothing, and counts as disposed.
public final class NopDisposable: Disposable, @unchecked Sendable {
  public static let shared = NopDisposable()

  private override init() {
    super.init()
    _ = close()
    finalise()
  }
}

/// Remembers whether it was disposed, and nothing else.
public final class BooleanDisposable: Disposable, @unchecked Sendable {
  public override init() {
    super.init()
    Live.disposables.began()
  }

  deinit { Live.disposables.ended() }
}

/// Disposes two others, the first, then the second.
public final class BinaryDisposable: ContainerDisposable, @unchecked Sendable {
  private var first: Disposable?
  private var second: Disposable?

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

/// Disposes another when disposed, or when it goes out of scope itself.
public final class ScopedDisposable: ContainerDisposable, @unchecked Sendable {
  private var inner: Disposable?

  public init(_ inner: Disposable) {
    self.inner = inner
    super.init()
  }

  deinit { if !isDisposed { inner?.dispose() } }

  package override func takeContent() -> Disposable? { take(&inner) }
}
