/// Disposes of another disposable on a scheduler. However often it is disposed of, it schedules
/// once.
public final class ScheduledDisposable: ContainerDisposable, @unchecked Sendable {
  /// Nil once it has the disposal. A virtual scheduler disposes of its work when it is released, so
  /// what waits for that work must not retain the scheduler through this.
  private var scheduler: Scheduler?
  private var inner: Disposable?

  /// Retains `inner`, which is disposed of on `scheduler`.
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
    // Only the caller that has taken `inner` comes here.
    _ = scheduler?.submit(work)
    scheduler = nil
    // Where the scheduler never runs it, it ends with this.
    Quiescence.remember(work, of: self, runs: work.isDisposed)
    if !work.isDisposed && Delivery.isAnywhere(in: inner) {
      Quiescence.remember(inner, of: self, runs: false)
    }
    return nil
  }
}

/// The scheduled disposal. If the scheduler gives the work up, it disposes of its content there,
/// because a content that never ends would be worse.
private final class Disposal: Work, @unchecked Sendable {
  /// A member that still runs then is a part of the work: but no scheduled disposal, because in a
  /// deep nest of them the lists of parts would get as long.
  private final class Content: CompoundCore, @unchecked Sendable {
    unowned(unsafe) var work: Disposal!

    override func receive(_ message: inout Message, isCanceled: Bool) {
      for member in dispose() where !(member is ScheduledDisposable) {
        Quiescence.remember(member, of: work)
      }
    }
  }

  private let content = Content()

  init(_ inner: Disposable) {
    content.add(inner)
    super.init()
    content.work = self
    isLossHandled = true
  }

  override func perform() { NestedEnds.run(content) }
  override func drop() { NestedEnds.run(content) }
}
