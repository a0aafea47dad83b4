@_spi(Engine) import Belay

/// Runs the jobs of an actor on a loop's thread, at the loop's turns, in the order in which they
/// come. So the actor and the callbacks at that loop never run at the same time.
///
/// ```swift
/// actor Session {
///   nonisolated let executor: LoopExecutor
///   nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
///   init(_ loop: Loop) { executor = LoopExecutor(loop) }
/// }
/// ```
///
/// In a callback at the loop, `assumeIsolated` holds for the actor. The loop must run. It must be
/// persistent, or have something to wait for, so that it still runs when later jobs come. After the
/// loop has been closed, jobs run on Swift's pool instead, one at a time.
public final class LoopExecutor: HomeExecutor, @unchecked Sendable {
  private let core: LoopCore
  /// Keeps a worker's thread alive.
  package let worker: Worker?
  /// The home where jobs run after the loop's end.
  private let afterwards = ExecutorHome(of: nil)
  package let scheduler: Scheduler

  /// Does not keep the loop open.
  public init(_ loop: Loop) {
    core = loop.core
    scheduler = loop.scheduler
    worker = nil
  }

  /// Keeps the worker, and so its loop, as long as this exists.
  public init(_ worker: Worker) {
    core = worker.core
    scheduler = worker.scheduler
    self.worker = worker
  }

  /// Runs `job` at the loop's next turn. Swift calls this.
  public func enqueue(_ job: consuming ExecutorJob) {
    _ = core.post(Message(to: PostedJob(job, self), .work), reserved: true)
  }

  public func isIsolatingCurrentContext() -> Bool? { core.isCurrent || afterwards.isCurrent }

  public func checkIsolated() {
    precondition(core.isCurrent || afterwards.isCurrent, "not on the thread of the actor's loop")
  }

  /// A job on its way to the loop.
  private final class PostedJob: Entity, @unchecked Sendable {
    private let job: UnownedJob
    private let executor: LoopExecutor

    init(_ job: consuming ExecutorJob, _ executor: LoopExecutor) {
      self.job = UnownedJob(job)
      self.executor = executor
    }

    override func receive(_ message: inout Message, isCanceled: Bool) {
      if isCanceled {
        // That home is never closed, and never refuses a reserved message.
        _ = executor.afterwards.post(Message(to: self, .work), reserved: true)
      } else if executor.afterwards.isCurrent {
        run()
      } else {
        // A job that closes the loop must be over before the next one begins on another thread.
        executor.afterwards.whileHeld { run() }
      }
    }

    private func run() { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
  }
}
