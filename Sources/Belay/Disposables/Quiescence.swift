import CBelayShim
import Synchronization

/// Waits until disposables have become quiescent. Either a thread sleeps until then, or an action
/// runs then.
package final class Quiescence: @unchecked Sendable {
  /// What a wait waits for.
  package enum Level {
    /// None of its callbacks is on any stack.
    case idle
    /// Also its context has been freed.
    case freed
  }

  /// An entry of one of the lists below. It says that `quiescence` waits for `target`, that
  /// `thread` sleeps until `quiescence` is over, or that `target` is a part of `whole`.
  private struct Note {
    var target: Disposable?
    var quiescence: Quiescence?
    /// Not retained: a disposable removes these notes when it is deallocated.
    var whole: UnsafeMutableRawPointer?
    var thread: UInt64 = 0
  }

  private static func address(_ disposable: Disposable) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(disposable).toOpaque()
  }

  package let level: Level
  /// The number of targets that this waits for, and one for the caller that is still noting.
  private var pending = 1
  private var follows: (() -> Void)?
  /// The word that a sleeping thread waits on.
  private let wakeWord = Atomic<UInt32>(Wake.none)

  /// The values of `wakeWord`.
  private enum Wake {
    static let none: UInt32 = 0
    /// Everything is quiescent.
    static let isOver: UInt32 = 1
    /// There is more to wait for, which the sleeping thread may have to end itself.
    static let hasMore: UInt32 = 2
  }

  private static let lock = Lock()
  nonisolated(unsafe) private static var waits: [Note] = []
  nonisolated(unsafe) private static var sleepers: [Note] = []
  /// Parts that were still running when their whole was disposed of. A note is removed when the
  /// part has ended or the whole is deallocated.
  nonisolated(unsafe) private static var parts: [Note] = []
  /// How many parts have ever been noted.
  nonisolated(unsafe) private static var partCount: UInt64 = 0

  package init(_ level: Level) { self.level = level }

  /// Removes the notes for which `isOver` is true. The caller holds the lock. (The compiler would
  /// copy `removeAll(where:)` for each use.)
  @inline(never)
  private static func remove(from notes: inout [Note], where isOver: (Note) -> Bool) {
    var left: [Note] = []
    for note in notes where !isOver(note) { left.append(note) }
    notes = left
  }

  /// `target`, its parts, their parts and so on; they may form a cycle. The caller holds the lock.
  private static func whole(_ target: Disposable) -> [Disposable] {
    var found = [target]
    var index = 0
    while index < found.count {
      let next = found[index]
      index += 1
      if !next.life.has(.hasParts) { continue }
      for note in parts where note.whole == address(next) {
        if let part = note.target, !found.contains(where: { $0 === part }) { found.append(part) }
      }
    }
    return found
  }

  /// The threads that must go on before `target` is quiescent. The caller holds the lock.
  private static func blockers(of target: Disposable?) -> [UInt64] {
    guard let target else { return [] }
    var blockers: [UInt64] = []
    for part in whole(target) where !part.isQuiescent(.freed) {
      let threads = Delivery.threads(in: part)
      blockers += threads.isEmpty ? [part.runner] : threads
    }
    return blockers
  }

  /// Whether neither `target` nor any part of it runs. The caller holds the lock.
  private static func isQuiescent(_ target: Disposable, _ level: Level) -> Bool {
    if !target.isQuiescent(level) { return false }
    if !target.life.has(.hasParts) { return true }
    for part in whole(target) where !part.isQuiescent(level) { return false }
    return true
  }

  /// Disposes of `part`, which ends with `whole`. A wait for the whole waits for what still runs of
  /// the part.
  static func dispose(_ part: Disposable, of whole: Disposable) {
    part.dispose(noting: nil)
    rememberUnlessOver(part, of: whole)
  }

  /// The same for a part that has been disposed of.
  @inline(__always)
  static func rememberUnlessOver(_ part: Disposable, of whole: Disposable) {
    if !part.isOver { remember(part, of: whole) }
  }

  /// Makes `part`, which has been or will be disposed of, a part of `whole` as long as it runs.
  @inline(never)
  static func remember(_ part: Disposable, of whole: Disposable) {
    if part === whole { return }
    lock.withLock {
      parts.append(Note(target: part, whole: address(whole)))
      partCount &+= 1
      _ = whole.lifecycle.set(.hasParts)
      for sleeper in sleepers { sleeper.quiescence?.poke() }
    }
    _ = part.lifecycle.set(.awaited)
    Delivery.noteEverywhere()
    settle(part)
  }

  /// Removes the notes of `whole`, which is being deallocated, so no thread can wait for it.
  @inline(never)
  static func forgetParts(of whole: Disposable) {
    let gone = lock.withLock { takeParts { $0.whole == address(whole) } }
    extendLifetime(gone)  // released outside the lock
  }

  /// Takes out the notes that have `part` as a part, if it is quiescent. The caller holds the lock.
  private static func takeParts(endingWith part: UnsafeMutableRawPointer) -> [Note] {
    for note in parts {
      guard let found = note.target, address(found) == part else { continue }
      if !isQuiescent(found, .freed) { return [] }
      return takeParts { $0.target === found }
    }
    return []
  }

  /// Takes out the notes for which `isMeant` is true. The caller holds the lock.
  private static func takeParts(where isMeant: (Note) -> Bool) -> [Note] {
    var taken: [Note] = []
    remove(from: &parts) { note in
      if !isMeant(note) { return false }
      taken.append(note)
      return true
    }
    return taken
  }

  /// Makes this wait for `target`, which has been disposed of, unless it is quiescent.
  func note(_ target: Disposable) {
    // If it is not over, a thread may be inside of it without this one knowing, until the barrier.
    if target.isOver { return }
    _ = target.lifecycle.set(.awaited)
    Delivery.noteEverywhere()
    Self.lock.withLock {
      if !Self.isQuiescent(target, level) {
        Self.waits.append(Note(target: target, quiescence: self))
        pending += 1
      }
    }
  }

  /// Called for a target that may have become quiescent: ends the waits that it has held up.
  static func settle(_ target: Disposable) {
    var over: [Quiescence] = []
    var gone: [Note] = []
    lock.withLock {
      var changed = [address(target)]
      while let next = changed.popLast() {
        remove(from: &waits) { wait in
          guard let target = wait.target, let quiescence = wait.quiescence, address(target) == next,
            isQuiescent(target, quiescence.level)
          else { return false }
          gone.append(wait)
          quiescence.pending -= 1
          if quiescence.pending == 0 { over.append(quiescence) }
          return true
        }
        let ended = takeParts(endingWith: next)
        gone += ended
        for note in ended {
          guard let whole = note.whole else { continue }
          if !parts.contains(where: { $0.whole == whole }) {
            // The whole still exists, because it would have removed its notes.
            _ = Unmanaged<Disposable>.fromOpaque(whole)._withUnsafeGuaranteedRef {
              $0.lifecycle.clear(.hasParts)
            }
          }
          changed.append(whole)
        }
      }
    }
    for quiescence in over { quiescence.end() }
    extendLifetime(gone)  // released outside the lock
  }

  /// Runs `action` when all that was noted is quiescent: now, or on the thread that leaves last.
  package func then(_ action: @escaping () -> Void) {
    let isQuiescent = Self.lock.withLock {
      pending -= 1
      if pending == 0 { return true }
      follows = action
      return false
    }
    if isQuiescent { action() }
  }

  /// Sleeps until all that was noted is quiescent. If some of it runs on the caller's own stack,
  /// the call fails, or does not wait for that if `ignoringOwnStack`.
  package func await(nanoseconds limit: Int64, ignoringOwnStack: Bool = false) -> Code {
    let me = Thread.record.pointee.id
    var refusal = Code.ok
    var isQuiescent = false
    var isStale = false
    repeat {
      let known = Self.lock.withLock { Self.partCount }
      endOwn()
      Self.lock.withLock {
        // A part that was noted since may be for this thread to end.
        isStale = known != Self.partCount && blockers.contains(me)
        if isStale { return }
        pending -= 1
        if ignoringOwnStack { forgetTargets(blockedBy: me) }
        isQuiescent = pending == 0
        if isQuiescent { return }
        if blockers.contains(me) {
          refusal = .inProgress
        } else if Self.wouldDeadlock(self, me) {
          refusal = .deadlock
        } else {
          Self.sleepers.append(Note(quiescence: self, thread: me))
        }
        if refusal != .ok { forgetTargets() }
      }
    } while isStale
    if isQuiescent || refusal != .ok { return refusal }
    let isInTime = sleep(limit)
    Self.lock.withLock {
      Self.remove(from: &Self.sleepers) { $0.quiescence === self }
      forgetTargets()
    }
    return isInTime ? .ok : .timedOut
  }

  private func sleep(_ limit: Int64) -> Bool {
    let deadline = limit < 0 ? Int64.max : MonotonicClock.now.addingSaturated(limit)
    while true {
      let seen = wakeWord.load(ordering: .acquiring)
      if seen == Wake.isOver { return true }
      if seen == Wake.hasMore {
        _ = wakeWord.compareExchange(
          expected: Wake.hasMore, desired: Wake.none, ordering: .acquiringAndReleasing)
        endOwn()
        continue
      }
      let left = limit < 0 ? -1 : deadline - MonotonicClock.now
      if limit >= 0 && left <= 0 { return false }
      withUnsafePointer(to: wakeWord) { _ = belay_shim_wait($0, Wake.none, left) }
    }
  }

  /// Ends targets that were disposed of elsewhere and whose home is this thread. The thread would
  /// not open their messages while it waits.
  private func endOwn() {
    var own: [Disposable] = []
    Self.lock.withLock {
      for wait in Self.waits where wait.quiescence === self {
        guard let target = wait.target else { continue }
        for part in Self.whole(target) where !Delivery.isHere(in: part) { own.append(part) }
      }
    }
    for part in own { Message(to: part, .dispose).deliver() }
  }

  /// Wakes the sleeping thread to look again. The caller holds the lock.
  private func poke() {
    _ = wakeWord.compareExchange(
      expected: Wake.none, desired: Wake.hasMore, ordering: .acquiringAndReleasing)
    withUnsafePointer(to: wakeWord) { belay_shim_wake($0, Int32.max) }
  }

  private func end() {
    let action = follows
    follows = nil
    wakeWord.store(Wake.isOver, ordering: .releasing)
    withUnsafePointer(to: wakeWord) { belay_shim_wake($0, Int32.max) }
    action?()
  }

  /// Stops waiting for the targets that `thread` runs; if nil, for all. The caller holds the lock.
  private func forgetTargets(blockedBy thread: UInt64? = nil) {
    Self.remove(from: &Self.waits) { wait in
      guard wait.quiescence === self else { return false }
      if let thread, !Self.blockers(of: wait.target).contains(thread) { return false }
      pending -= 1
      return true
    }
  }

  /// The threads that this waits for. The caller holds the lock.
  private var blockers: [UInt64] {
    var threads: [UInt64] = []
    for wait in Self.waits where wait.quiescence === self {
      threads += Self.blockers(of: wait.target)
    }
    return threads
  }

  /// Whether a thread that `quiescence` waits for waits in turn for `thread`, directly or not. The
  /// caller holds the lock.
  private static func wouldDeadlock(_ quiescence: Quiescence, _ thread: UInt64) -> Bool {
    var toVisit = quiescence.blockers
    var visited: [UInt64] = []
    while let runner = toVisit.popLast() {
      if runner == thread { return true }
      if runner == 0 || visited.contains(runner) { continue }
      visited.append(runner)
      for sleeper in sleepers where sleeper.thread == runner {
        toVisit += sleeper.quiescence?.blockers ?? []
      }
    }
    return false
  }
}

extension Disposable {
  /// Disposes, then waits until no callback of it runs or will run and its context has been freed.
  ///
  /// - Parameter nanoseconds: the longest time to wait; negative means without limit.
  /// - Returns: `.ok`; `.inProgress` if called inside of one of its own callbacks; `.deadlock` if
  ///   the wait would close a cycle of waits; `.timedOut`. It is disposed of in every case.
  package final func disposeSync(nanoseconds: Int64) -> Code {
    let quiescence = Quiescence(.freed)
    dispose(noting: quiescence)
    return quiescence.await(nanoseconds: nanoseconds)
  }

  /// Disposes, then waits until no callback of it runs or will run, at most for `timeout` (nil:
  /// without limit).
  ///
  /// - Returns: `.ok`; `.inProgress` at once if called inside of one of its own callbacks;
  ///   `.deadlock` at once if the wait would close a cycle of waits; `.timedOut`.
  @discardableResult
  public final func disposeSync(timeout: Duration? = nil) -> Code {
    disposeSync(nanoseconds: timeout.map { max(0, $0.nanoseconds) } ?? -1)
  }
}
