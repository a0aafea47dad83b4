import Belay
import CLibuv

/// How a loop is made.
public struct LoopOptions: Sendable {
  /// Its name in reports.
  public var label: StaticSite?
  /// Where it was made.
  public var site: StaticSite?
  /// How many events from other threads wait at most.
  public var capacity = 1024
  /// Waiting for events from other threads counts as something to wait for: a run goes on until
  /// `stop`.
  public var isPersistent = false

  public init(label: StaticString? = nil) { self.label = label.map { StaticSite($0) } }
}

/// How long a run goes on.
public enum LoopRunMode: Int32, Sendable {
  /// Until nothing is left to wait for, or `stop`.
  case `default`
  /// One turn; waits for something to do.
  case once
  /// One turn; does not wait.
  case nowait
}

/// A libuv event loop: a home for subscriptions, and a scheduler.
///
/// Bound to one thread, as a thread is to one loop. Only `stop` may be called on any thread.
/// Dropping a loop that was not closed closes it: at once on its thread, elsewhere at its next turn;
/// one of our own that is not running, when its thread ends.
public final class Loop: Entity, @unchecked Sendable {
  package let core: LoopCore
  public let scheduler: Scheduler

  private init(_ core: LoopCore) {
    self.core = core
    scheduler = core.scheduler
    super.init()
    core.handle = self
  }

  /// A loop of Belay's own, bound to this thread.
  ///
  /// - Throws: `Code.bound` when the thread has a loop already, or libuv's error.
  public convenience init(_ options: LoopOptions = LoopOptions()) throws(Failure) {
    if LoopCore.bound != nil { throw Failure(.bound, message: "this thread has a loop already") }
    let uv = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
    let code = uv_loop_init(uv)
    if code != 0 {
      uv.deallocate()
      throw Failure.uv(code, "cannot make a loop")
    }
    do throws(Failure) {
      self.init(try LoopCore(uv: uv, isAdopted: false, options: options))
    } catch {
      uv_loop_close(uv)
      uv.deallocate()
      throw error
    }
    Home.bind(core)
  }

  /// Belay on a loop of the host's, which the host goes on running.
  ///
  /// - Parameter uv: must live until the close is done.
  public convenience init(
    adopting uv: UnsafeMutablePointer<uv_loop_t>, _ options: LoopOptions = LoopOptions()
  ) throws(Failure) {
    if LoopCore.bound != nil { throw Failure(.bound, message: "this thread has a loop already") }
    self.init(try LoopCore(uv: uv, isAdopted: true, options: options))
    Home.bind(core)
  }

  deinit {
    core.handleHasGone()
  }

  public override var valueKind: ValueKind { .loop }

  /// The loop bound to the calling thread.
  public static var current: Loop? {
    Home.currentIfMade.flatMap { ($0 as? LoopCore)?.handle }
  }

  public var home: Home { core }

  /// The libuv loop inside.
  public var uv: UnsafeMutablePointer<uv_loop_t> { core.uv }

  /// Binds the loop to the calling thread.
  @discardableResult
  public func bind() -> Code { core.bind() }

  /// Runs the loop; answers whether something is left to wait for.
  ///
  /// - Throws: `Code.busy` from inside a run of it, `.closed`, `.bound`, `.invalid` for an adopted
  ///   loop.
  @discardableResult
  public func run(_ mode: LoopRunMode = .default) throws(Failure) -> Bool {
    let (code, isAlive) = core.run(mode)
    if code.isFailure { throw Failure(code) }
    return isAlive
  }

  /// Makes a run return after the turn in progress. Any thread.
  @discardableResult
  public func stop() -> Code { core.stop() }

  /// Whether it has been closed, or is being.
  public var isClosed: Bool { !core.isOpen }

  /// Whether there is something to wait for.
  public var isAlive: Bool { core.isAlive }

  /// Runs `work` on the loop's thread at its next turn, in the order of posting. Any thread.
  @discardableResult
  public func post(_ work: @escaping () -> Void) -> Code {
    core.post(Message(to: PostedWork(work), .work), reserved: false)
  }

  /// Ends everything of Belay's on the loop and closes it; see `belay_loop_close`.
  @discardableResult
  public func close(_ closed: (([OpenResource]) -> Void)? = nil) -> Code { core.close(closed) }
}

/// A closure on its way to a loop.
private final class PostedWork: Entity, @unchecked Sendable {
  private let work: () -> Void
  init(_ work: @escaping () -> Void) { self.work = work }
  public override func receive(_ message: inout Message, isCanceled: Bool) {
    if !isCanceled { work() } else if message.wasTaken { Lost.lose(self) }
  }
}
