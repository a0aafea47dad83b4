/// Disposes another one on a scheduler; several disposals enqueue once.
public final class ScheduledDisposable: ContainerDisposable, @unchecked Sendable {
  private let scheduler: Scheduler
  private var inner: Disposable?

  public init(_ scheduler: Scheduler, _ inner: Disposable) {
    self.scheduler = scheduler
    self.inner = inner
    super.init()
  }

  override func takeContent() -> [Disposable?] {
    defer { inner = nil }
    return [inner]
  }

  package override func dispose(noting quiet: Quiet?) {
    guard close() else { return }
    let content = lock.withLock { takeContent() }
    let work = ClosureWork { for inner in content { inner?.dispose() } }
    // A scheduler that takes nothing any more must not keep the content from ending.
    if scheduler.submit(work).isFailure {
      for inner in content { inner?.dispose(noting: quiet) }
    }
  }
}
