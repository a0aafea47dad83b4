import Belay

/// Runs the jobs of an actor on a loop's thread, at the loop's turns, in the order of their
/// coming: such an actor and what is subscribed at that loop are never running at once.
///
/// ```
/// actor Session {
///   nonisolated let executor: LoopExecutor
///   nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
/// ```
///
/// In a callback at home at the loop `assumeIsolated` holds for the actor. The loop has to run,
/// and to be persistent, or have something to wait for, to run on for jobs that have yet to come.
/// Once it is closed, jobs run on Swift's pool instead, one at a time still.
public final class LoopExecutor: HomeExecutor, @unchecked Sendable {
  private let core: LoopCore
  /// Keeps a worker's thread.
  package let worker: Worker?
  /// Where jobs run after the loop's end.
  private let afterwards = ExecutorHome(of: nil)
  package let scheduler: Scheduler

  /// Does not keep the loop open.
  public init(_ loop: Loop) {
    core = loop.core
    scheduler = loop.scheduler
    worker = nil
  }

  /// Keeps the worker, and so its loop, as long as there is this.
  public init(_ worker: Worker) {
    core = worker.core
    scheduler = worker.scheduler
    self.worker = worker
  }

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
        // It is never closed, nor full for what is reserved.
        _ = executor.afterwards.post(Message(to: self, .work), reserved: true)
      } else if executor.afterwards.isCurrent {
        run()
      } else {
        // A job that closes the loop is to be over before the next one begins elsewhere.
        executor.afterwards.whileHeld { run() }
      }
    }

    private func run() { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
  }
}
