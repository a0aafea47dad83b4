@_spi(Engine) import Belay
import CBelayShim
import CLibuv
import Synchronization

/// A thread of its own with a loop of its own, for work that must not hold up another loop.
///
/// Its scheduler runs work one piece at a time, in order. When the last reference to the worker has
/// been released, the running work is over, the loop is closed and the thread has ended. On the
/// worker's own thread they end right after the release. Any thread may make a worker.
public final class Worker: Entity, @unchecked Sendable {
  private let thread: WorkerThread
  /// Runs work on the worker's thread.
  public let scheduler: Scheduler

  /// - Parameters:
  ///   - options: the label is the thread's name, too, of which Linux keeps 15 bytes.
  ///   - priority: the thread's nice value, from -20, the most urgent, to 19; 0: that of this thread.
  /// - Throws: libuv's error if the thread or the loop cannot be made; the system's, such as -EACCES,
  ///   if it refuses the priority.
  public convenience init(
    _ options: LoopOptions = LoopOptions(), priority: Int32 = 0
  ) throws(Failure) {
    let thread = WorkerThread(options, priority)
    self.init(thread, try thread.start())
  }

  private init(_ thread: WorkerThread, _ scheduler: Scheduler) {
    self.thread = thread
    self.scheduler = scheduler
    super.init()
  }

  deinit { thread.end() }

  #if !hasFeature(Embedded)
    var core: LoopCore { unsafeDowncast(scheduler.home.unsafelyUnwrapped, to: LoopCore.self) }
  #endif

  /// The home of subscriptions at the worker's loop.
  public var home: Home? { scheduler.home }
}

/// The state of the thread.
private final class WorkerThread: @unchecked Sendable {
  private var options: LoopOptions
  private let priority: Int32
  /// 1: the thread has a loop, or has failed.
  private let started = Atomic<UInt32>(0)
  private let thread = UnsafeMutablePointer<uv_thread_t>.allocate(capacity: 1)
  // The thread writes these before `started`; others read them afterwards.
  private var id = Home.noThread
  private var core: LoopCore?
  private var failure: Failure?

  init(_ options: LoopOptions, _ priority: Int32) {
    self.options = options
    self.priority = priority
    self.options.isPersistent = true
  }

  deinit { thread.deallocate() }

  func start() throws(Failure) -> Scheduler {
    let mine = Unmanaged.passRetained(self)
    // The program's signals are for its own threads.
    let signals = belay_shim_block_signals()
    // As by `uv_thread_create`; all threads are made by one function.
    var usual = uv_thread_options_t()
    let code = uv_thread_create_ex(
      thread, &usual,
      { Unmanaged<WorkerThread>.fromOpaque($0.unsafelyUnwrapped).takeRetainedValue().run() },
      mine.toOpaque())
    belay_shim_restore_signals(signals)
    if code != 0 {
      mine.release()
      throw Failure.uv(code, "cannot start a thread")
    }
    while started.load(ordering: .acquiring) == 0 {
      withUnsafePointer(to: started) { _ = belay_shim_wait($0, 0, -1) }
    }
    if let failure {
      uv_thread_join(thread)
      throw failure
    }
    return core.unsafelyUnwrapped.scheduler
  }

  private func run() {
    let loop: Loop
    do throws(Failure) {
      let code = belay_shim_describe_thread(options.label?.pointer, priority)
      if code < 0 { throw Failure(Code(rawValue: code)) }
      loop = try Loop(options)
    } catch {
      failure = error
      return tellStarted()
    }
    let core = loop.core
    core.isWorkers = true
    self.core = core
    id = Thread.id
    tellStarted()
    // An action may stop the loop, which is meant for a run of its own.
    while !core.isStoppedForGood && !loop.isClosed && !core.run(.default).code.isFailure {}
    // Silently: code that releases a worker means to end what is there, with the loops' users that
    // the work has made. That needs no report.
    withExtendedLifetime(loop) {
      while let user = core.allUsers.first { _ = user.leave { _ in } }
    }
  }

  private func tellStarted() {
    started.store(1, ordering: .releasing)
    withUnsafePointer(to: started) { belay_shim_wake($0, 1) }
  }

  func end() {
    guard let core else { return }
    // Its loop may have been closed on its thread.
    let isHere = id == Thread.id
    // Its work may be inside of a run of its own.
    _ = core.stop(forGood: true)
    self.core = nil
    if isHere { belay_shim_detach_thread(thread.pointee) } else { uv_thread_join(thread) }
  }
}
