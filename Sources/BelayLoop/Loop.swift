@_spi(Engine) import Belay
import CBelayShim
import CLibuv

/// The options with which a loop is made.
public struct LoopOptions: Sendable {
  /// The name in reports.
  public var label: StaticSite?
  /// The line of code that made it.
  public var site: StaticSite?
  /// How many values from other threads may wait.
  public var capacity = 1024
  /// Whether the loop is alive while it only waits for events from other threads, so that a run
  /// continues until `stop`.
  public var isPersistent = false
  /// Whether a close prints no report of what was still open.
  public var isSilent = false
  /// The version of libuv that the caller has, as in `UV_VERSION_HEX` or `uv_version()`; 0:
  /// unknown.
  public var uvVersion: UInt32 = 0

  /// A loop that is alive while something is open on it, under this name in reports.
  public init(label: StaticString? = nil) { self.label = label.map { StaticSite($0) } }
}

/// How long a run continues.
public enum LoopRunMode: Int32, Sendable {
  /// Until the loop is no longer alive, or `stop`.
  case `default`
  /// One turn, which waits for something to do.
  case once
  /// One turn, which does not wait.
  case nowait
}

/// A libuv event loop: a home for subscriptions, and a scheduler.
///
/// A loop is bound to one thread, and a thread to one loop. Only `stop` and `post` may be called on
/// any thread. Libraries that do not know of each other share the loop of a thread: each `Loop` is
/// one user of it, and the last user that leaves closes it. If the last reference to a loop goes
/// before `close`, the user leaves: at once on the loop's thread; otherwise at the next turn; for a
/// loop of Belay that is not running, when its thread ends.
public final class Loop: Entity, @unchecked Sendable {
  package let core: LoopCore
  package let user: LoopUser

  private init(_ core: LoopCore, _ options: LoopOptions) {
    self.core = core
    user = LoopUser(core, options)
    super.init()
    core.beginUse()
    #if hasFeature(Embedded)
      user.handle = .passUnretained(self)
    #else
      user.handle = self
    #endif
    core.add(user)
  }

  /// This user's scheduler. Work that waits there ends when the user leaves.
  public var scheduler: Scheduler { user }

  /// A new user of the loop of this thread; without one, of a new loop, which is bound to this
  /// thread.
  ///
  /// - Throws: libuv's error, or `Code.unsupported` for an unsuitable version of libuv.
  public convenience init(_ options: LoopOptions = LoopOptions()) throws(Failure) {
    try checkVersion(of: options)
    if let bound = LoopCore.bound {
      if bound.hasLostHandles { throw Failure(.bound, message: lostHandles) }
      self.init(bound, options)
      return
    }
    try checkNoOtherLoop()
    let uv = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
    let code = LoopCore.initialize(uv)
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

  /// Adopts a loop that the host runs. If it has been adopted before, this is one more user.
  ///
  /// - Parameters:
  ///   - uv: must live until the close is over.
  ///   - options: the name in reports, and the bound of what waits.
  /// - Throws: `Code.bound` if the thread has another loop; `.busy` if this one is running on
  ///   another thread; `.invalid` if it has been closed; otherwise like `init`.
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
    try checkNoOtherLoop()
    if let known = LoopCore.adopter(of: uv) {
      let code = known.bind()
      if code.isFailure { throw Failure(code) }
      self.init(known, options)
      return
    }
    self.init(try LoopCore(uv: uv, isAdopted: true, options: options), options)
    Home.bind(core)
  }

  deinit {
    user.handleHasGone()
    core.endUse()
  }

  @_spi(Engine) public override var valueKind: ValueKind { .loop }

  #if !hasFeature(Embedded)
    /// The loop that is bound to the calling thread: the handle of its oldest user.
    public static var current: Loop? { currentHandle }
  #endif

  package static var currentHandle: LoopUser.Handle? {
    (Home.currentIfMade as? LoopCore)?.firstHandle
  }

  /// The home of what is subscribed to on the loop.
  public var home: Home { core }

  /// The core, for calls that belong to the loop's thread.
  ///
  /// - Throws: `Code.closed`; `.wrongThread` on another thread than the loop's.
  package func here() throws(Failure) -> LoopCore {
    if isClosed { throw Failure(.closed) }
    if !core.isCurrent { throw Failure(.wrongThread) }
    return core
  }

  /// Binds the loop to the calling thread.
  @discardableResult
  public func bind() -> Code { isClosed ? .closed : core.bind() }

  /// Runs the loop. Answers whether it is still alive.
  ///
  /// In a callback, this runs a turn inside of the present one.
  ///
  /// - Throws: `Code.busy` if another thread is running it; `.closed`; `.bound`; `.invalid` for an
  ///   adopted loop.
  @discardableResult
  public func run(_ mode: LoopRunMode = .default) throws(Failure) -> Bool {
    if isClosed { throw Failure(.closed) }
    let (code, isAlive) = core.run(mode)
    if code.isFailure { throw Failure(code) }
    return isAlive
  }

  /// Makes a run return after the present turn. Any thread may call this.
  @discardableResult
  public func stop() -> Code { core.stop() }

  /// Whether this user has left the loop.
  public var isClosed: Bool { !user.isOpen }

  /// Runs `work` on the loop's thread at its next turn, in the order of posting. Any thread may
  /// call this.
  @discardableResult
  public func post(_ work: @escaping () -> Void) -> Code {
    user.post(PostedWork(work))
  }

  /// Leaves the loop, which ends what belongs to this user. The last user that leaves ends
  /// everything of Belay's on the loop, and closes it. See `belay_loop_close`.
  @discardableResult
  public func close(_ closed: (([OpenResource]) -> Void)? = nil) -> Code { user.leave(closed) }
}

private var lostHandles: Text { "the host has closed the handles of this thread's loop" }

/// A closure that a user has posted to its loop.
private final class PostedWork: LoopPost, @unchecked Sendable {
  private let work: () -> Void
  init(_ work: @escaping () -> Void) { self.work = work }
  override func run() { work() }
}

/// Refuses a thread that has a scheduler of the host's own.
private func checkNoOtherLoop() throws(Failure) {
  if Home.currentIfMade is HostHome { throw Failure(.bound) }
}

/// Refuses a libuv that does not suit the one that Belay was compiled for, or the one that the
/// caller has. Within a major version, libuv promises that code compiled for an older minor version
/// works with a newer one, and not the reverse.
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
