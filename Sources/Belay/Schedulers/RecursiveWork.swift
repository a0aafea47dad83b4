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
  /// The number of runs that are still to come, with the one in progress.
  private var owed = 1
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
    if isClosed || endsWithItsLoop() { return .canceled }
    let isFirst = lock.withLock {
      owed += 1
      return owed == 1
    }
    return isFirst ? submitAgain() : .ok
  }

  /// Ends the work and answers true if its loop has been closed.
  private func endsWithItsLoop() -> Bool {
    guard let home = target.home, home.acceptsMessages, !target.takesWork else { return false }
    dispose()
    return true
  }

  private func submitAgain() -> Code {
    if isInTheCall {
      repeat { target.run(self) } while goesOn()
      return .ok
    }
    // Virtual time has set it for the last run.
    if due != nil { due = nil }
    guard let home = target.home, home.acceptsMessages else { return target.submit(self) }
    if endsWithItsLoop() { return .canceled }
    // Reserved, because the work has been accepted once, and a full queue must not end it. There is
    // never more than one message.
    return home.post(Message(to: self, .work), reserved: true)
  }

  package override func perform() {
    guard let action else { return }
    lock.withLock { recursions += 1 }
    action(Recursion(self))
  }

  package override func ran() { if !isInTheCall && goesOn() { _ = submitAgain() } }

  /// Counts a run that is over. Answers whether another one follows.
  private func goesOn() -> Bool {
    // After this, a thread that asks for another run submits it itself.
    let (owed, recursions) = lock.withLock {
      self.owed -= 1
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
