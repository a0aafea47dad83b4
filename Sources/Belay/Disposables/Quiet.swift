import CBelayShim
import Synchronization

/// Waits until disposables have become quiet: a thread that sleeps, or an action that follows.
package final class Quiet: @unchecked Sendable {
  package enum Level {
    /// No callback of it is on any stack.
    case idle
    /// And its context has been freed.
    case freed
  }

  package let level: Level
  private var pending = 1  // the one who is still noting
  private var targets: [Disposable] = []
  private var follows: (() -> Void)?
  private let isOver = Atomic<UInt32>(0)

  private static let lock = Lock()
  nonisolated(unsafe) private static var waits: [(target: Disposable, quiet: Quiet)] = []
  nonisolated(unsafe) private static var sleepers: [(thread: UInt64, quiet: Quiet)] = []

  /// Who is tearing down a subscription whose home he is not at.
  nonisolated(unsafe) private static var strangers: [(target: Disposable, thread: UInt64)] = []

  package init(_ level: Level) { self.level = level }

  /// Runs `teardown` of `target`, away from its home, where this thread will be looked for.
  static func asStranger(to target: Disposable, _ teardown: () -> Void) {
    let me = Thread.record.pointee.id
    lock.withLock { strangers.append((target, me)) }
    teardown()
    lock.withLock { strangers.removeAll { $0.target === target } }
  }

  /// Under the lock: the thread that `target` waits for.
  private static func blocker(of target: Disposable) -> UInt64 {
    strangers.first { $0.target === target }?.thread ?? target.runner
  }

  /// Notes a disposable that has been disposed, unless it is quiet already.
  func note(_ target: Disposable) {
    if target.isQuiet(level) { return }
    _ = target.raise(.awaited)
    belay_shim_barrier()
    Self.lock.withLock {
      if !target.isQuiet(level) {
        Self.waits.append((target, self))
        targets.append(target)
        pending += 1
      }
    }
  }

  /// Who waits for `target`.
  static func waiting(for target: Disposable) -> [Quiet] {
    lock.withLock { waits.filter { $0.target === target }.map { $0.quiet } }
  }

  /// Called by a target that somebody waits for when it may have become quiet.
  static func settle(_ target: Disposable) {
    let over = lock.withLock {
      var over: [Quiet] = []
      waits.removeAll { wait in
        guard wait.target === target, target.isQuiet(wait.quiet.level) else { return false }
        wait.quiet.targets.removeAll { $0 === target }
        wait.quiet.pending -= 1
        if wait.quiet.pending == 0 { over.append(wait.quiet) }
        return true
      }
      return over
    }
    for quiet in over { quiet.finish() }
  }

  /// All is noted: `action` runs now if everything is quiet, else on the thread that leaves last.
  package func then(_ action: @escaping () -> Void) {
    let isQuiet = Self.lock.withLock {
      pending -= 1
      if pending == 0 { return true }
      follows = action
      return false
    }
    if isQuiet { action() }
  }

  /// All is noted: sleeps until everything is quiet. What runs on the sleeper's own stack is an
  /// error, or, with `ignoringOwnStack`, not waited for.
  package func wait(nanoseconds limit: Int64, ignoringOwnStack: Bool = false) -> Code {
    let me = Thread.record.pointee.id
    var refusal = Code.ok
    var isQuiet = false
    Self.lock.withLock {
      pending -= 1
      if ignoringOwnStack { dropTargets { Self.blocker(of: $0) == me } }
      isQuiet = pending == 0
      if isQuiet { return }
      if targets.contains(where: { Self.blocker(of: $0) == me }) {
        refusal = .inProgress
      } else if Self.wouldDeadlock(self, me) {
        refusal = .deadlock
      } else {
        Self.sleepers.append((me, self))
      }
      if refusal != .ok { dropTargets { _ in true } }
    }
    if isQuiet || refusal != .ok { return refusal }
    let isInTime = sleep(limit)
    Self.lock.withLock {
      Self.sleepers.removeAll { $0.quiet === self }
      dropTargets { _ in true }
    }
    return isInTime ? .ok : .timedOut
  }

  private func sleep(_ limit: Int64) -> Bool {
    let deadline = limit < 0 ? Int64.max : MonotonicClock.now.addingSaturated(limit)
    while isOver.load(ordering: .acquiring) == 0 {
      let left = limit < 0 ? -1 : deadline - MonotonicClock.now
      if limit >= 0 && left <= 0 { return false }
      withUnsafePointer(to: isOver) { _ = belay_shim_wait($0, 0, left) }
    }
    return true
  }

  private func finish() {
    let action = follows
    follows = nil
    isOver.store(1, ordering: .releasing)
    withUnsafePointer(to: isOver) { belay_shim_wake($0, Int32.max) }
    action?()
  }

  /// Under the lock.
  private func dropTargets(where isDropped: (Disposable) -> Bool) {
    Self.waits.removeAll { wait in
      guard wait.quiet === self, isDropped(wait.target) else { return false }
      pending -= 1
      return true
    }
    targets.removeAll(where: isDropped)
  }

  /// Under the lock: whether one that `quiet` waits for waits, however indirectly, for `thread`.
  private static func wouldDeadlock(_ quiet: Quiet, _ thread: UInt64) -> Bool {
    var toVisit = quiet.targets.map { blocker(of: $0) }
    var visited: [UInt64] = []
    while let runner = toVisit.popLast() {
      if runner == thread { return true }
      if runner == 0 || visited.contains(runner) { continue }
      visited.append(runner)
      for sleeper in sleepers where sleeper.thread == runner {
        toVisit.append(contentsOf: sleeper.quiet.targets.map { blocker(of: $0) })
      }
    }
    return false
  }
}

extension Disposable {
  /// Disposes, then waits until no callback of it runs or will and its context has been freed.
  ///
  /// - Parameter nanoseconds: how long to wait at most; negative: without limit.
  /// - Returns: `.ok`; `.inProgress` from inside one of its own callbacks; `.deadlock` when the
  ///   wait would close a cycle of such waits; `.timedOut`. Disposed in every case.
  package final func disposeSync(nanoseconds: Int64) -> Code {
    let quiet = Quiet(.freed)
    dispose(noting: quiet)
    return quiet.wait(nanoseconds: nanoseconds)
  }

  /// Disposes, then waits until no callback of it runs or will, at most `timeout` (nil: for ever).
  ///
  /// - Returns: `.ok`; `.inProgress` at once from inside one of its own callbacks; `.deadlock` at
  ///   once when the wait would close a cycle of such waits; `.timedOut`.
  @discardableResult
  public final func disposeSync(timeout: Duration? = nil) -> Code {
    disposeSync(nanoseconds: timeout.map { max(0, $0.nanoseconds) } ?? -1)
  }
}
