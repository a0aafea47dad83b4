/// Disposes another one on a scheduler; several disposals enqueue once.
public final class ScheduledDisposable: ContainerDisposable, @unchecked Sendable {
  private let scheduler: Scheduler
  private var inner: Disposable?

  public init(_ scheduler: Scheduler, _ inner: Disposable) {
    self.scheduler = scheduler
    self.inner = inner
    super.init()
  }

  #if !hasFeature(Embedded)
    deinit { NestedEnds.letGo(of: &inner) }
  #endif

  package override func takeContent() -> Disposable? {
    guard let inner = lock.withLock({ take(&inner) }) else { return nil }
    let work = Disposal(inner)
    _ = scheduler.submit(work)
    Quiescence.remember(work, of: self)
    return nil
  }
}

/// The disposal on its way. A scheduler that does not run it any more must not keep the content
/// from ending: then it ends where the work is given up.
private final class Disposal: Work, @unchecked Sendable {
  private let content = CompoundCore()

  init(_ inner: Disposable) {
    content.add(inner)
    super.init()
    tellsItsLoss = true
  }

  override func perform() { NestedEnds.run(content) }
  override func drop() { NestedEnds.run(content) }
}
