import CBelayShim
import Synchronization

/// The hook that gets the callbacks that took long. Everything else that waits for their thread
/// waited for them. (asyncio's `slow_callback_duration`.)
///
/// Timed are the callbacks of subscriptions with the operators above them, scheduled work, and
/// posts. Not timed are callbacks on the pool, which is meant for work that takes long, and callbacks
/// inside of the program's own calls: events inside of `subscribe`, and `disposed` inside of `dispose`.
public final class SlowCallbackHook: Entity, @unchecked Sendable {
  /// Called with the time that the callback took, without callbacks inside of it that were timed
  /// themselves; with the name of the subscription, or the label of the work; and with the line of
  /// code that made it, if that is known.
  public typealias Handler = (Duration, _ name: Text, _ site: StaticSite?) -> Void

  private let limit: Int64
  private let handler: (Int64, _ name: Text, _ site: StaticSite?) -> Void

  /// - Parameters:
  ///   - limit: how long a callback takes that is told; zero: all are.
  ///   - handler: called on the thread of the callback, after it.
  public convenience init(from limit: Duration, _ handler: @escaping Handler) {
    self.init(from: max(0, limit.nanoseconds)) { handler(.nanoseconds($0), $1, $2) }
  }

  /// The same with nanoseconds, at least 0.
  package init(
    from limit: Int64, _ handler: @escaping (Int64, _ name: Text, _ site: StaticSite?) -> Void
  ) {
    self.limit = limit
    self.handler = handler
  }

  private static let lock = Lock()
  nonisolated(unsafe) private static var installed: SlowCallbackHook?

  /// Sets the hook of the process. Nil: callbacks are not timed, which then costs a send nothing.
  public static func install(_ hook: SlowCallbackHook?) {
    let old = lock.withLock {
      let old = installed
      installed = hook
      belay_shim_time_callbacks(hook?.limit ?? -1)
      return old
    }
    extendLifetime(old)  // released outside the lock
  }

  /// Called before a callback. The answer is for `end`.
  @inline(__always)
  package static func begin() -> Int64 { belay_shim_times_callbacks() ? clock : -1 }

  /// Called after a callback of `callee`: a link or a post. `source` has sent what it got.
  @inline(__always)
  package static func end(_ begun: Int64, _ callee: Entity, of source: Upstream? = nil) {
    if begun >= 0 { end(begun, callee, Origin(), of: source) }
  }

  /// A clock of this thread that leaves out the callbacks that have been timed.
  @inline(never)
  private static var clock: Int64 { MonotonicClock.now - Thread.record.pointee.timed }

  /// Called after a callback that was timed. `origin` is the name that work had before its run; a
  /// link is asked for its own.
  @inline(never)
  static func end(_ begun: Int64, _ callee: Entity, _ origin: Origin, of source: Upstream? = nil) {
    let time = clock - begun
    if time >= belay_shim_get_slow_limit(), !(Home.currentIfMade?.isForLongWork ?? false) {
      report(time, callee, origin, source)
    }
    Thread.record.pointee.timed = MonotonicClock.now - begun
  }

  private static func report(
    _ time: Int64, _ callee: Entity, _ origin: Origin, _ source: Upstream?
  ) {
    // The hook is not told of callbacks that it calls, because that would not end.
    let record = Thread.record
    if record.pointee.reports_slow { return }
    guard let hook = lock.withLock({ installed }), time >= hook.limit else { return }
    var name: Text = "post"
    var origin = origin
    if let link = callee as? Link {
      // A link that has ended does not know the signals above it any more.
      name = link.isClosed ? source?.chainName ?? link.chainName : link.chainName
      origin = link.origin
    } else if let work = callee as? Work {
      name = work.isTimed ? "timer" : "work"
    }
    record.pointee.reports_slow = true
    hook.handler(time, origin.label?.text ?? name, origin.site)
    record.pointee.reports_slow = false
  }
}
