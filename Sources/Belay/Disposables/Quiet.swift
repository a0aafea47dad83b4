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

  /// What one of the lists says: that `quiet` waits for `target`, that `thread` sleeps until `quiet`
  /// is over, or that `thread` tears `target` down.
  private struct Note {
    var target: Disposable?
    var quiet: Quiet?
    var thread: UInt64 = 0
  }

  package let level: Level
  /// What it waits for, and the one who is still noting.
  private var pending = 1
  private var follows: (() -> Void)?
  private let isOver = Atomic<UInt32>(0)

  private static let lock = Lock()
  nonisolated(unsafe) private static var waits: [Note] = []
  nonisolated(unsafe) private static var sleepers: [Note] = []
  /// Who is tearing down a subscription whose home he is not at.
  nonisolated(unsafe) private static var strangers: [Note] = []

  package init(_ level: Level) { self.level = level }

  /// Under the lock. (Each use of `removeAll(where:)` would be a copy of it.)
  @inline(never)
  private static func remove(from notes: inout [Note], where isOver: (Note) -> Bool) {
    var left: [Note] = []
    for note in notes where !isOver(note) { left.append(note) }
    notes = left
  }

  /// Runs `teardown` of `target`, away from its home, where this thread will be looked for.
  static func asStranger(to target: Disposable, _ teardown: () -> Void) {
    let note = Note(target: target, thread: Thread.record.pointee.id)
    lock.withLock { strangers.append(note) }
    teardown()
    lock.withLock { remove(from: &strangers) { $0.target === target } }
  }

  /// Under the lock: the thread that `target` waits for.
  private static func blocker(of target: Disposable?) -> UInt64 {
    for stranger in strangers where stranger.target === target { return stranger.thread }
    return target?.runner ?? 0
  }

  /// Notes a disposable that has been disposed, unless it is quiet already.
  func note(_ target: Disposable) {
    if target.isQuiet(level) { return }
    _ = target.raise(.awaited)
    belay_shim_barrier()
    Self.lock.withLock {
      if !target.isQuiet(level) {
        Self.waits.append(Note(target: target, quiet: self))
        pending += 1
      }
    }
  }

  /// Who waits for `target`.
  static func waiting(for target: Disposable) -> [Quiet] {
    lock.withLock {
      var waiting: [Quiet] = []
      for wait in waits where wait.target === target {
        if let quiet = wait.quiet { waiting.append(quiet) }
      }
      return waiting
    }
  }

  /// Called by a target that somebody waits for when it may have become quiet.
  static func settle(_ target: Disposable) {
    let over = lock.withLock {
      var over: [Quiet] = []
      remove(from: &waits) { wait in
        guard wait.target === target, let quiet = wait.quiet, target.isQuiet(quiet.level) else {
          return false
        }
        quiet.pending -= 1
        if quiet.pending == 0 { over.append(quiet) }
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
      if ignoringOwnStack { forgetTargets(blockedBy: me) }
      isQuiet = pending == 0
      if isQuiet { return }
      if blockers.contains(me) {
        refusal = .inProgress
      } else if Self.wouldDeadlock(self, me) {
        refusal = .deadlock
      } else {
        Self.sleepers.append(Note(quiet: self, thread: me))
      }
      if refusal != .ok { forgetTargets() }
    }
    if isQuiet || refusal != .ok { return refusal }
    let isInTime = sleep(limit)
    Self.lock.withLock {
      Self.remove(from: &Self.sleepers) { $0.quiet === self }
      forgetTargets()
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

  /// Under the lock: waits no longer for what `thread` runs; nil: for anything.
  private func forgetTargets(blockedBy thread: UInt64? = nil) {
    Self.remove(from: &Self.waits) { wait in
      guard wait.quiet === self else { return false }
      if let thread, Self.blocker(of: wait.target) != thread { return false }
      pending -= 1
      return true
    }
  }

  /// Under the lock: the threads that it waits for.
  private var blockers: [UInt64] {
    var threads: [UInt64] = []
    for wait in Self.waits where wait.quiet === self {
      threads.append(Self.blocker(of: wait.target))
    }
    return threads
  }

  /// Under the lock: whether one that `quiet` waits for waits, however indirectly, for `thread`.
  private static func wouldDeadlock(_ quiet: Quiet, _ thread: UInt64) -> Bool {
    var toVisit = quiet.blockers
    var visited: [UInt64] = []
    while let runner = toVisit.popLast() {
      if runner == thread { return true }
      if runner == 0 || visited.contains(runner) { continue }
      visited.append(runner)
      for sleeper in sleepers where sleeper.thread == runner {
        toVisit += sleeper.quiet?.blockers ?? []
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
