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
  /// Nothing is printed about what is still there when it is closed.
  public var isSilent = false
  /// The version of libuv that the caller has, as `UV_VERSION_HEX` or `uv_version()` says it; 0:
  /// unknown.
  public var uvVersion: UInt32 = 0

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
/// Libraries that know nothing of each other share the loop of a thread: each `Loop` is one user of
/// it, and the last one to leave closes it. Dropping a loop that was not closed closes it: at once on
/// its thread, elsewhere at its next turn; one of our own that is not running, when its thread ends.
public final class Loop: Entity, @unchecked Sendable {
  package let core: LoopCore
  package let user: LoopUser

  private init(_ core: LoopCore, _ options: LoopOptions) {
    self.core = core
    user = LoopUser(core, options)
    super.init()
    #if hasFeature(Embedded)
      user.handle = .passUnretained(self)
    #else
      user.handle = self
    #endif
    core.add(user)
  }

  /// This user's. What waits there ends when it leaves.
  public var scheduler: Scheduler { user }

  /// The loop that this thread has, of which this is one more user; else one of Belay's own, bound to
  /// this thread.
  ///
  /// - Throws: libuv's error, or `Code.unsupported` for a version of libuv that does not do.
  public convenience init(_ options: LoopOptions = LoopOptions()) throws(Failure) {
    try checkVersion(of: options)
    if let bound = LoopCore.bound {
      if bound.hasLostHandles { throw Failure(.bound, message: lostHandles) }
      self.init(bound, options)
      return
    }
    let uv = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
    let code = uv_loop_init(uv)
    if code != 0 {
      uv.deallocate()
      throw Failure.uv(code, "cannot make a loop")
    }
    do throws(Failure) {
      self.init(try LoopCore(uv: uv, isAdopted: false, options: options), options)
    } catch {
      uv_loop_close(uv)
      uv.deallocate()
      throw error
    }
    Home.bind(core)
  }

  /// Belay on a loop of the host's, which the host goes on running; one more user of it where it has
  /// been adopted already.
  ///
  /// - Parameter uv: must live until the close is done.
  /// - Throws: `Code.bound` when the thread has another loop, `.busy` when this one runs on another
  ///   thread, `.invalid` when it has been closed, and what `init` throws.
  public convenience init(
    adopting uv: UnsafeMutablePointer<uv_loop_t>, _ options: LoopOptions = LoopOptions()
  ) throws(Failure) {
    try checkVersion(of: options)
    if uv_backend_fd(uv) < 0 { throw Failure(.invalid, message: "the uv_loop_t has been closed") }
    if let bound = LoopCore.bound {
      if bound.uv != uv {
        throw Failure(.bound, message: "this thread has another loop already")
      }
      if bound.hasLostHandles { throw Failure(.bound, message: lostHandles) }
    }
    if let known = LoopCore.adopter(of: uv) {
      let code = known.bind()
      if code.isFailure { throw Failure(code) }
      self.init(known, options)
      return
    }
    self.init(try LoopCore(uv: uv, isAdopted: true, options: options), options)
    Home.bind(core)
  }

  deinit { user.handleHasGone() }

  public override var valueKind: ValueKind { .loop }

  #if !hasFeature(Embedded)
    /// The loop bound to the calling thread: the handle of the user who has had it longest.
    public static var current: Loop? { currentHandle }
  #endif

  package static var currentHandle: LoopUser.Handle? {
    (Home.currentIfMade as? LoopCore)?.firstHandle
  }

  public var home: Home { core }

  /// The libuv loop inside.
  public var uv: UnsafeMutablePointer<uv_loop_t> { core.uv }

  /// Binds the loop to the calling thread.
  @discardableResult
  public func bind() -> Code { isClosed ? .closed : core.bind() }

  /// Runs the loop; answers whether something is left to wait for.
  ///
  /// In a callback it runs a turn inside of the one under way.
  ///
  /// - Throws: `Code.busy` while another thread runs it, `.closed`, `.bound`, `.invalid` for an
  ///   adopted loop.
  @discardableResult
  public func run(_ mode: LoopRunMode = .default) throws(Failure) -> Bool {
    if isClosed { throw Failure(.closed) }
    let (code, isAlive) = core.run(mode)
    if code.isFailure { throw Failure(code) }
    return isAlive
  }

  /// Makes a run return after the turn in progress. Any thread.
  @discardableResult
  public func stop() -> Code { core.stop() }

  /// Whether this user has closed it.
  public var isClosed: Bool { !user.isOpen }

  /// Whether there is something to wait for.
  public var isAlive: Bool { core.isAlive }

  /// Runs `work` on the loop's thread at its next turn, in the order of posting. Any thread.
  @discardableResult
  public func post(_ work: @escaping () -> Void) -> Code {
    user.post(PostedWork(work))
  }

  /// Leaves the loop, which ends what is this user's; the last one to leave ends everything of
  /// Belay's on the loop and closes it. See `belay_loop_close`.
  @discardableResult
  public func close(_ closed: (([OpenResource]) -> Void)? = nil) -> Code { user.leave(closed) }
}

private var lostHandles: Text { "the host has closed the handles of this thread's loop" }

/// A closure on its way to a loop.
private final class PostedWork: LoopPost, @unchecked Sendable {
  private let work: () -> Void
  init(_ work: @escaping () -> Void) { self.work = work }
  override func run() { work() }
}

/// Refuses another libuv than the one that we were compiled for, or that the caller has. Within a
/// major version libuv promises that what was compiled for an older minor version goes on working,
/// and nothing about the other way round.
private func checkVersion(of options: LoopOptions) throws(Failure) {
  let running = uv_version()
  let compiled = UInt32(UV_VERSION_MAJOR << 16 | UV_VERSION_MINOR << 8)
  for wanted in [compiled, options.uvVersion == 0 ? compiled : options.uvVersion]
  where running >> 16 != wanted >> 16 || running >> 8 < wanted >> 8 {
    func text(_ version: UInt32) -> Text { "\(version >> 16).\(version >> 8 & 0xff)" }
    let who: Text = wanted == options.uvVersion ? "the host" : "Belay"
    throw Failure(
      .unsupported,
      message: "Belay runs with libuv \(text(running)), and \(who) is made for \(text(wanted))")
  }
}
