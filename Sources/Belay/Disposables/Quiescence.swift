import CBelayShim
import Synchronization

/// Waits until disposables have become quiescent. Either a thread sleeps until then, or an action
/// runs then.
package final class Quiescence: @unchecked Sendable {
  /// The state that a wait waits for.
  package enum Level {
    /// None of its callbacks is on any stack.
    case idle
    /// Also none is left that its end calls.
    case silent
    /// Also its context has been freed.
    case freed
  }

  /// Says that `thread` sleeps until `quiescence` is over or `home` has room.
  private final class Sleeper {
    let thread: UInt64
    let quiescence: Quiescence?
    /// Not retained: the sleeping thread keeps it.
    unowned(unsafe) let home: Home?

    init(_ thread: UInt64, until quiescence: Quiescence? = nil, roomAt home: Home? = nil) {
      self.thread = thread
      self.quiescence = quiescence
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
  /// The word that a sleeping thread waits on: 1 when everything is quiescent, and when there is
  /// something that this thread may have to end itself.
  private let wakeWord = Atomic<UInt32>(0)

  private static let lock = Lock()
  nonisolated(unsafe) private static var sleepers: ReferenceArray<Sleeper> = []
  /// The targets of waits, and the parts that were still running when their whole was disposed of.
  /// A part's dependences are removed when it has ended.
  nonisolated(unsafe) private static var dependences = Dependences()
  /// How many parts have ever been noted.
  nonisolated(unsafe) private static var partCount: UInt64 = 0

  package init(_ level: Level) { self.level = level }

  /// The dependences of `whole` on its parts. The caller holds the lock.
  private static func dependences(of whole: Disposable) -> Dependences.List {
    dependences.list(.dependent, address(whole))
  }

  /// The dependences of this wait on its targets. The caller holds the lock.
  private var targets: Dependences.List {
    Self.dependences.list(.dependent, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Calls `goesOn` with `target`, its parts, their parts and so on, until it answers false. They may
  /// form a cycle. The caller holds the lock.
  @inline(never)
  private static func walk(_ target: Disposable, while goesOn: (Disposable) -> Bool) {
    if !target.life.has(.hasParts) {
      _ = goesOn(target)
      return
    }
    var known = AddressTable()
    defer { known.deallocate() }
    var toVisit: ReferenceArray<Dependence> = []
    var next = target
    while goesOn(next) {
      known[UInt(bitPattern: address(next))] = 1
      var parts = dependences(of: next)
      if let first = parts.next() { toVisit.append(first) }
      repeat {
        guard let dependence = toVisit.popLast() else { return }
        if let sibling = dependence.next { toVisit.append(sibling) }
        next = dependence.target
      } while known[UInt(bitPattern: address(next))] != 0
    }
  }

  /// Adds the threads that must go on before `target` is quiescent. The caller holds the lock.
  static func addBlockers(
    of target: Disposable, _ level: Level = .freed, to blockers: inout [UInt64]
  ) {
    walk(target) { part in
      if !part.isQuiescent(level) {
        let threads = Delivery.threads(in: part)
        for thread in threads.isEmpty ? part.runners : threads { blockers.append(thread) }
      }
      return true
    }
  }

  /// Whether neither `target` nor any part of it runs. The caller holds the lock.
  private static func isQuiescent(_ target: Disposable, _ level: Level) -> Bool {
    var isQuiescent = true
    walk(target) {
      isQuiescent = $0.isQuiescent(level)
      return isQuiescent
    }
    return isQuiescent
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
      dependences.append(Dependence(of: whole, on: part, runs: runs))
      partCount &+= 1
      _ = whole.lifecycle.set(.hasParts)
      wakeSleepers()
    }
    _ = part.lifecycle.set(.awaited)
    Delivery.noteEverywhere()
    settle(part)
  }

  /// Called when something that may be waited for goes on at another thread than before, which may
  /// itself sleep in a wait for it.
  @inline(never)
  static func movedOn() { lock.withLock { wakeSleepers() } }

  /// The caller holds the lock.
  private static func wakeSleepers() {
    for sleeper in sleepers { sleeper.quiescence?.poke() }
  }

  /// Whether `whole`, which is over itself, stays in its containers. `settle` takes it
  /// out then.
  @inline(never)
  static func keepsInContainers(_ whole: Disposable) -> Bool {
    lock.withLock {
      var keeps = false
      for dependence in dependences(of: whole)
      where dependence.runs && !isQuiescent(dependence.target, .silent) {
        dependence.held = whole
        keeps = true
      }
      return keeps
    }
  }

  /// `target` and all parts of it.
  @inline(never)
  static func all(of target: Disposable) -> ReferenceArray<Disposable> {
    var all: ReferenceArray<Disposable> = []
    lock.withLock {
      walk(target) {
        all.append($0)
        return true
      }
    }
    return all
  }

  /// Removes the dependences of `whole`, which is being deallocated, so no thread can wait for it.
  @inline(never)
  static func forgetParts(of whole: Disposable) {
    var gone: ReferenceArray<Dependence> = []
    lock.withLock {
      for dependence in dependences(of: whole) { gone.append(dependences.take(dependence)) }
    }
    extendLifetime(gone)  // released outside the lock
  }

  /// Makes this wait for `target`, which has been disposed of, unless it is quiescent.
  func note(_ target: Disposable) {
    // If it is not over, a thread may be inside of it without this one knowing, until the barrier.
    if target.isOver { return }
    _ = target.lifecycle.set(.awaited)
    Delivery.noteEverywhere()
    Self.lock.withLock {
      if !Self.isQuiescent(target, level) {
        Self.dependences.append(Dependence(of: self, on: target))
        pending += 1
      }
    }
  }

  /// Called for a target that may have become quiescent: ends the waits that it has held up.
  static func settle(_ target: Disposable) {
    var over: ReferenceArray<Quiescence> = []
    var complete: ReferenceArray<Disposable> = []
    var gone: ReferenceArray<Dependence> = []
    lock.withLock {
      var changed = [address(target)]
      while let next = changed.popLast() {
        for dependence in dependences.list(.target, next)
        where isQuiescent(dependence.target, dependence.wait?.level ?? .freed) {
          gone.append(dependences.take(dependence))
          if let wait = dependence.wait {
            wait.pending -= 1
            if wait.pending == 0 { over.append(wait) }
            continue
          }
          let whole = dependence.dependent
          var left = dependences.list(.dependent, whole)
          if let held = dependence.held, !left.contains(where: { $0.held != nil }) {
            complete.append(held)
          }
          if left.next() == nil {
            // The whole still exists, because it would have removed its dependences.
            _ = Unmanaged<Disposable>.fromOpaque(whole)._withUnsafeGuaranteedRef {
              $0.lifecycle.clear(.hasParts)
            }
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
    var gone: ReferenceArray<Dependence> = []
    defer { extendLifetime(gone) }  // released outside the lock
    let me = Thread.record.pointee.id
    let deadline = limit < 0 ? Int64.max : MonotonicClock.now.addingSaturated(limit)
    var isNoted = false
    var isCallerCounted = true
    var wasMine = false
    while true {
      let known = Self.lock.withLock { Self.partCount }
      endOwn()
      var answer = Code.timedOut
      Self.lock.withLock {
        // What has become this thread's since `endOwn` looked is for this thread to end.
        if blockers.contains(me) && (!wasMine || known != Self.partCount) {
          wasMine = true
          answer = .again
          return
        }
        wasMine = false
        if isCallerCounted { pending -= 1 }
        isCallerCounted = false
        if ignoringOwnStack { forgetTargets(blockedBy: me, to: &gone) }
        if pending == 0 {
          answer = .ok
        } else if blockers.contains(me) {
          if ignoringOwnStack {
            answer = .again
            return
          }
          answer = .inProgress
        } else if Self.wouldDeadlock(blockers, me, ignoringRoom: true) {
          answer = .deadlock
        } else if limit != 0 {
          if !isNoted { Self.sleepers.append(Sleeper(me, until: self)) }
          isNoted = true
          return
        }
        forget(to: &gone)
      }
      if answer == .again { continue }
      if !isNoted || answer != .timedOut { return answer }
      // A thread that sleeps for room which this one would make looks again.
      QueueRoom.changed()
      if !sleep(until: deadline) {
        Self.lock.withLock { forget(to: &gone) }
        return .timedOut
      }
    }
  }

  /// Removes what the wait has noted, and hands it to the caller, which holds the lock, in `gone`.
  private func forget(to gone: inout ReferenceArray<Dependence>) {
    Self.forgetSleeper(self)
    forgetTargets(to: &gone)
  }

  /// Notes that the calling thread sleeps until `home` has room. False, and nothing is noted, if the
  /// thread that would make room waits for the calling one.
  static func beginSleep(forRoomAt home: Home) -> Bool {
    let me = Thread.record.pointee.id
    return lock.withLock {
      if wouldDeadlock([home.runner], me) { return false }
      sleepers.append(Sleeper(me, roomAt: home))
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
    _ = sleepers.take { $0.thread == me && $0.quiescence === quiescence }
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
      for dependence in targets {
        Self.walk(dependence.target) {
          if !Delivery.isHere(in: $0) { own.append($0) }
          if let bond = $0 as? ChildBond { bond.awaited.forEach { own.append($0) } }
          return true
        }
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
  private func forgetTargets(
    blockedBy thread: UInt64? = nil, to gone: inout ReferenceArray<Dependence>
  ) {
    for dependence in targets {
      if let thread {
        var blockers: [UInt64] = []
        Self.addBlockers(of: dependence.target, to: &blockers)
        if !blockers.contains(thread) { continue }
      }
      pending -= 1
      gone.append(Self.dependences.take(dependence))
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
    for dependence in targets { Self.addBlockers(of: dependence.target, to: &threads) }
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
