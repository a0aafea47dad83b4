/// One that holds others, and passes its disposal on to them.
open class ContainerDisposable: Disposable, @unchecked Sendable {
  package final let lock = Lock()

  public override init() {
    super.init()
    Live.disposables.began()
  }

  deinit { Live.disposables.ended() }

  /// Hands over what is to be disposed, in order; called once, under the lock.
  func takeContent() -> [Disposable?] { [] }

  package override func dispose(noting quiet: Quiet?) {
    guard close() else { return }
    let content = lock.withLock { takeContent() }
    for inner in content { inner?.dispose(noting: quiet) }
  }
}
