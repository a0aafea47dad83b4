import CBelayShim
import Synchronization

/// Waits until disposables have become quiescent. Either a thread sleeps until then, or an action
/// runs then.
package final class Quiescence: @unchecked Sendable {
  /// What a wait waits for.
  package enum Level {
    /// None of its callbacks is on any stack.
    case idle
    /// Also none is left that its end calls.
    case silent
    /// Also its context has been freed.
    case freed
  }

  /// An entry of one of the lists below. It says that `quiescence` waits for `target`, that
  /// `thread` sleeps until `quiescence` is over or `home` has room, or that `target` is a part of
  /// `whole`.
  private final class Note {
    let target: Disposable?
    let quiescence: Quiescence?
    /// Not retained: a disposable removes these notes when it is deallocated.
    let whole: UnsafeMutableRawPointer?
    /// Whether the whole is to stay in its containers while this part runs.
    let runs: Bool
    /// The whole, while it stays there.
    var held: Disposable?
    let thread: UInt64
    /// Not retained: the sleeping thread keeps it.
    unowned(unsafe) let home: Home?

    init(
      target: Disposable? = nil, quiescence: Quiescence? = nil,
      whole: UnsafeMutableRawPointer? = nil, runs: Bool = false, thread: UInt64 = 0,
      home: Home? = nil
    ) {
      self.target = target
      self.quiescence = quiescence
      self.whole = whole
      self.runs = runs
      self.thread = thread
      self.home = home
    }
  }

  private static func address(_ disposable: Disposable) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(disposable).toOpaque()
  }

  package let level: Level
  /// The number of targets that this waits for, and one for the caller that is still noting.
  private var pending = 1
  private var follows: (() -> Void)?
  /// The word that a sleeping thread waits on: 1 when everything is quiescent, and when there is more
  /// to wait for, which that thread may have to end itself.
  private let wakeWord = Atomic<UInt32>(0)

  private static let lock = Lock()
  nonisolated(unsafe) private static var waits: ReferenceArray<Note> = []
  nonisolated(unsafe) private static var sleepers: ReferenceArray<Note> = []
  /// Parts that were still running when their whole was disposed of. A note is removed when the
  /// part has ended or the whole is deallocated.
  nonisolated(unsafe) private static var parts: ReferenceArray<Note> = []
  /// How many parts have ever been noted.
  nonisolated(unsafe) private static var partCount: UInt64 = 0

  package init(_ level: Level) { self.level = level }

  /// Removes the notes for which `isOver` is true. The caller holds the lock. (The compiler would
  /// copy `removeAll(where:)` for each use.)
  @inline(never)
  private static func remove(from notes: inout ReferenceArray<Note>, where isOver: (Note) -> Bool) {
    var left: ReferenceArray<Note> = []
    for note in notes where !isOver(note) { left.append(note) }
    notes = left
  }

  /// `target`, its parts, their parts and so on; they may form a cycle. The caller holds the lock.
  private static func whole(_ target: Disposable) -> ReferenceArray<Disposable> {
    var found: ReferenceArray<Disposable> = [target]
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

  /// Adds the threads that must go on before `target` is quiescent. The caller holds the lock.
  static func addBlockers(
    of target: Disposable?, _ level: Level = .freed, to blockers: inout [UInt64]
  ) {
    guard let target else { return }
    for part in whole(target) where !part.isQuiescent(level) {
      let threads = Delivery.threads(in: part)
      for thread in threads.isEmpty ? part.runners : threads { blockers.append(thread) }
    }
  }

  /// Whether neither `target` nor any part of it runs. The caller holds the lock.
  private static func isQuiescent(_ target: Disposable, _ level: Level) -> Bool {
    if !target.isQuiescent(level) { return false }
    if !target.life.has(.hasParts) { return true }
    // Most often a part of its own still runs. A part that ends asks this, and there may be many.
    for note in parts where note.whole == address(target) {
      if let part = note.target, !part.isQuiescent(level) { return false }
    }
    for part in whole(target) where !part.isQuiescent(level) { return false }
    return true
  }

  /// Disposes of `part`, which ends with `whole`. A wait for the whole waits for what still runs of
  /// the part.
  package static func dispose(_ part: Disposable, of whole: Disposable) {
    part.dispose(noting: nil)
    rememberUnlessOver(part, of: whole)
  }

  /// The same for a part that has been disposed of.
  @inline(__always)
  static func rememberUnlessOver(_ part: Disposable, of whole: Disposable) {
    if !part.isOver { remember(part, of: whole) }
  }

  /// Makes `part`, which has been or will be disposed of, a part of `whole` as long as it runs. If it
  /// `runs`, the whole stays in its containers, which must know of that: an owner's death waits.
  @inline(never)
  static func remember(_ part: Disposable, of whole: Disposable, runs: Bool = true) {
    if part === whole { return }
    lock.withLock {
      parts.append(Note(target: part, whole: address(whole), runs: runs))
      partCount &+= 1
      _ = whole.lifecycle.set(.hasParts)
      for sleeper in sleepers { sleeper.quiescence?.poke() }
    }
    _ = part.lifecycle.set(.awaited)
    Delivery.noteEverywhere()
    settle(part)
  }

  /// Whether `whole`, which is over itself, stays in its containers. `settle` takes it
  /// out then.
  @inline(never)
  static func keepsInContainers(_ whole: Disposable) -> Bool {
    lock.withLock {
      var keeps = false
      for note in parts where note.whole == address(whole) && note.runs {
        guard let part = note.target, !isQuiescent(part, .silent) else { continue }
        note.held = whole
        keeps = true
      }
      return keeps
    }
  }

  /// `target` and all parts of it.
  @inline(never)
  static func all(of target: Disposable) -> ReferenceArray<Disposable> {
    lock.withLock { whole(target) }
  }

  /// Removes the notes of `whole`, which is being deallocated, so no thread can wait for it.
  @inline(never)
  static func forgetParts(of whole: Disposable) {
    let gone = lock.withLock { takeParts { $0.whole == address(whole) } }
    extendLifetime(gone)  // released outside the lock
  }

  /// Takes out the notes that have `part` as a part, if it is quiescent. The caller holds the lock.
  private static func takeParts(endingWith part: UnsafeMutableRawPointer) -> ReferenceArray<Note> {
    for note in parts {
      guard let found = note.target, address(found) == part else { continue }
      if !isQuiescent(found, .freed) { return [] }
      return takeParts { $0.target === found }
    }
    return []
  }

  /// Takes out the notes for which `isMeant` is true. The caller holds the lock.
  @inline(never)
  private static func takeParts(where isMeant: (Note) -> Bool) -> ReferenceArray<Note> {
    parts.take(where: isMeant)
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
    var over: ReferenceArray<Quiescence> = []
    var complete: ReferenceArray<Disposable> = []
    var gone: ReferenceArray<Note> = []
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
        for note in ended { gone.append(note) }
        for note in ended {
          guard let whole = note.whole else { continue }
          if !parts.contains(where: { $0.whole == whole }) {
            // The whole still exists, because it would have removed its notes.
            _ = Unmanaged<Disposable>.fromOpaque(whole)._withUnsafeGuaranteedRef {
              $0.lifecycle.clear(.hasParts)
            }
          }
          if let held = note.held, !parts.contains(where: { $0.held === held }) {
            complete.append(held)
          }
          changed.append(whole)
        }
      }
    }
    for whole in complete { whole.leaveContainers(whole.life) }
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
    let deadline = limit < 0 ? Int64.max : MonotonicClock.now.addingSaturated(limit)
    var isNoted = false
    while true {
      let known = Self.lock.withLock { Self.partCount }
      endOwn()
      var answer = Code.timedOut
      Self.lock.withLock {
        // A part that was noted since may be for this thread to end.
        if known != Self.partCount && blockers.contains(me) {
          answer = .again
          return
        }
        if !isNoted { pending -= 1 }
        if ignoringOwnStack { forgetTargets(blockedBy: me) }
        if pending == 0 {
          answer = .ok
        } else if blockers.contains(me) {
          answer = .inProgress
        } else if Self.wouldDeadlock(blockers, me, ignoringRoom: true) {
          answer = .deadlock
        } else if limit != 0 {
          if !isNoted { Self.sleepers.append(Note(quiescence: self, thread: me)) }
          isNoted = true
          return
        }
        forget()
      }
      if answer == .again { continue }
      if !isNoted || answer != .timedOut { return answer }
      // A thread that sleeps for room which this one would make looks again.
      QueueRoom.changed()
      if !sleep(until: deadline) {
        Self.lock.withLock { forget() }
        return .timedOut
      }
    }
  }

  /// Removes what the wait has noted. The caller holds the lock.
  private func forget() {
    Self.forgetSleeper(self)
    forgetTargets()
  }

  /// Notes that the calling thread sleeps until `home` has room. False, and nothing is noted, if the
  /// thread that would make room waits for the calling one.
  static func beginSleep(forRoomAt home: Home) -> Bool {
    let me = Thread.record.pointee.id
    return lock.withLock {
      if wouldDeadlock([home.runner], me) { return false }
      sleepers.append(Note(thread: me, home: home))
      return true
    }
  }

  /// Called when the sleep that `beginSleep` has noted is over.
  static func endSleep() { lock.withLock { forgetSleeper(nil) } }

  /// Removes the note that the calling thread sleeps until `quiescence` is over; if nil, until there
  /// is room. One that ends a target in its sleep may sleep again in there, and keeps the outer note.
  /// The caller holds the lock.
  @inline(never)
  private static func forgetSleeper(_ quiescence: Quiescence?) {
    let me = Thread.record.pointee.id
    remove(from: &sleepers) { $0.thread == me && $0.quiescence === quiescence }
  }

  /// Sleeps until there is something to look at. False if that took too long.
  private func sleep(until deadline: Int64) -> Bool {
    while wakeWord.exchange(0, ordering: .acquiringAndReleasing) == 0 {
      let left = deadline == .max ? -1 : deadline - MonotonicClock.now
      if deadline != .max && left <= 0 { return false }
      withUnsafePointer(to: wakeWord) { _ = belay_shim_wait($0, 0, left) }
    }
    return true
  }

  /// Ends targets that were disposed of elsewhere and whose home is this thread. The thread would
  /// not open their messages while it waits.
  private func endOwn() {
    var own: ReferenceArray<Disposable> = []
    Self.lock.withLock {
      for wait in Self.waits where wait.quiescence === self {
        guard let target = wait.target else { continue }
        for part in Self.whole(target) where !Delivery.isHere(in: part) { own.append(part) }
      }
    }
    for part in own { Message(to: part, .dispose).deliver() }
  }

  /// Wakes the sleeping thread to look again.
  private func poke() {
    wakeWord.store(1, ordering: .releasing)
    withUnsafePointer(to: wakeWord) { belay_shim_wake($0, Int32.max) }
  }

  private func end() {
    let action = follows
    follows = nil
    poke()
    action?()
  }

  /// Stops waiting for the targets that `thread` runs; if nil, for all. The caller holds the lock.
  private func forgetTargets(blockedBy thread: UInt64? = nil) {
    Self.remove(from: &Self.waits) { wait in
      guard wait.quiescence === self else { return false }
      if let thread {
        var blockers: [UInt64] = []
        Self.addBlockers(of: wait.target, to: &blockers)
        if !blockers.contains(thread) { return false }
      }
      pending -= 1
      return true
    }
  }

  /// The threads that this waits for. The caller holds the lock.
  private var blockers: [UInt64] {
    var threads: [UInt64] = []
    addBlockers(to: &threads)
    return threads
  }

  @inline(never)
  private func addBlockers(to threads: inout [UInt64]) {
    for wait in Self.waits where wait.quiescence === self {
      Self.addBlockers(of: wait.target, to: &threads)
    }
  }

  /// Whether one of `blockers` waits for `thread`, directly or not. The caller holds the lock.
  ///
  /// - Parameter ignoringRoom: whether a thread that sleeps for room counts as one that goes on. It
  ///   looks for a deadlock itself when another thread begins to wait.
  private static func wouldDeadlock(
    _ blockers: [UInt64], _ thread: UInt64, ignoringRoom: Bool = false
  ) -> Bool {
    var toVisit = blockers
    var visited: [UInt64] = []
    while let runner = toVisit.popLast() {
      if runner == thread { return true }
      if runner == 0 || visited.contains(runner) { continue }
      visited.append(runner)
      for sleeper in sleepers where sleeper.thread == runner {
        if let quiescence = sleeper.quiescence {
          quiescence.addBlockers(to: &toVisit)
        } else if let home = sleeper.home, !ignoringRoom {
          toVisit.append(home.runner)
        }
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
