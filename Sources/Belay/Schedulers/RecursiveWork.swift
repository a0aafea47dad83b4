extension Scheduler {
  /// Runs `action` as soon as possible, and again each time `again` of its recursion is called, by
  /// `action` or later. The stack does not grow. The work is over when it is disposed of, or when
  /// no reference to a recursion is left. (ReactiveObjC's scheduleRecursiveBlock:.)
  @discardableResult
  public final func scheduleRecursive(_ action: @escaping (Recursion) -> Void) -> Disposable {
    let work = RecursiveWork(on: self, action)
    _ = work.start()
    return work
  }
}

/// The means by which recursive work runs itself again.
public final class Recursion: Entity, @unchecked Sendable {
  private let work: RecursiveWork

  fileprivate init(_ work: RecursiveWork) {
    self.work = work
    super.init()
  }

  deinit { work.isForgotten() }

  /// Runs the work once more, in the scheduler's order; if called inside of a run, after that run.
  /// Any thread that may schedule there may call this.
  ///
  /// - Returns: `.canceled` when the work has been disposed of, or its loop is closed.
  @discardableResult
  public func again() -> Code { work.again() }
}

/// Work that decides itself how often it runs.
package final class RecursiveWork: Work, @unchecked Sendable {
  private let target: Scheduler
  private var action: ((Recursion) -> Void)?
  private let lock = Lock()
  /// The number of runs that are still to come, with the one in progress; negative: its loop has
  /// closed.
  private var owed = 1
  private var isInRun = false
  /// The number of recursions that still have references.
  private var recursions = 0

  package init(on scheduler: Scheduler, _ action: @escaping (Recursion) -> Void) {
    target = scheduler.resolved
    self.action = action
    super.init()
    interval = -1
  }

  /// Submits the first run, which may be refused.
  package func start() -> Code { isInTheCall ? submitAgain() : target.submit(self) }

  private var isInTheCall: Bool { target === ImmediateScheduler.shared }

  fileprivate func again() -> Code {
    if isClosed { return .canceled }
    let before = lock.withLock { () -> Int in
      if owed >= 0 { owed += 1 }
      return owed - 1
    }
    if before < 0 { return .canceled }
    let code = before == 0 || !target.takesWork ? submitAgain() : .ok
    return code.isFailure && end(losingAllBut: 1) ? code : .ok
  }

  /// Ends the work, whose loop has closed, and counts the runs that do not come; but not those of
  /// which the caller is told. Answers false if this has happened before, so that they are counted.
  @discardableResult
  private func end(losingAllBut told: Int) -> Bool {
    let owed = lock.withLock { () -> Int in
      defer { self.owed = -1 }
      return self.owed - (isInRun ? 1 : 0)
    }
    var lost = owed - told
    while lost > 0 {
      Lost.lose(self)
      lost -= 1
    }
    dispose()
    return owed >= told
  }

  package override func lose() { end(losingAllBut: 0) }

  private func submitAgain() -> Code {
    if isInTheCall {
      repeat { target.run(self) } while goesOn()
      return .ok
    }
    if !target.takesWork { return .canceled }
    // Virtual time has set it for the last run.
    if due != nil { due = nil }
    // The work has been accepted once, and a full queue must not end it.
    return target.submitInAnyCase(self)
  }

  package override func perform() {
    // A pool's thread may come here while the loop closes on its own.
    let begins = lock.withLock { () -> Bool in
      if owed < 0 { return false }
      recursions += 1
      isInRun = true
      return true
    }
    if begins { action?(Recursion(self)) }
  }

  package override func ran() {
    if !isInTheCall && goesOn() && submitAgain().isFailure { end(losingAllBut: 0) }
  }

  /// Counts a run that is over. Answers whether another one follows.
  private func goesOn() -> Bool {
    // After this, a thread that asks for another run submits it itself.
    let (owed, recursions) = lock.withLock {
      isInRun = false
      if self.owed >= 0 { self.owed -= 1 }
      return (self.owed, self.recursions)
    }
    if owed == 0 && recursions == 0 { dispose() }
    return owed > 0 && !isClosed
  }

  fileprivate func isForgotten() {
    let left = lock.withLock {
      recursions -= 1
      return owed + recursions
    }
    if left == 0 { dispose() }
  }

  package override func drop() { action = nil }
}
