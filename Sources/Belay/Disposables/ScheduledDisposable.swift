/// Disposes another one on a scheduler; several disposals enqueue once.
public final class ScheduledDisposable: ContainerDisposable, @unchecked Sendable {
  private let scheduler: Scheduler
  private var inner: Disposable?

  public init(_ scheduler: Scheduler, _ inner: Disposable) {
    self.scheduler = scheduler
    self.inner = inner
    super.init()
  }

  package override func giveContent(_ dispose: (Disposable) -> Void) {
    guard let inner = lock.withLock({ take(&inner) }) else { return }
    let work = Disposal(inner)
    _ = scheduler.submit(work)
    Quiet.remember(work, of: self)
  }
}

/// The disposal on its way. A scheduler that does not run it any more must not keep the content
/// from ending: then it ends where the work is given up.
private final class Disposal: Work, @unchecked Sendable {
  private var inner: Disposable?

  init(_ inner: Disposable) {
    self.inner = inner
    super.init()
  }

  override func perform() { disposeInner() }
  override func drop() { disposeInner() }

  private func disposeInner() {
    let inner = inner
    self.inner = nil
    inner?.dispose()
  }
}
