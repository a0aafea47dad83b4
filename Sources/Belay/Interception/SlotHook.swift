import CBelayShim

/// What somebody has put around, before or in place of a slot's calls, until it is disposed.
final class SlotHook: Disposable, @unchecked Sendable {
  enum Action {
    /// Is told before the call.
    case before(Connection)
    /// Is called in place of it, and can go on with it.
    case around((Invocation) -> Void)
    /// Answers it, with a reference for the caller.
    case answer((Invocation) -> ForeignValue)
  }

  let isBefore: Bool
  let isAround: Bool
  private let target: MethodSlot
  private let lock = Lock()
  // Under the lock.
  private var action: Action?
  /// The threads that are in it, as often as they are.
  private var runners: [UInt64] = []

  init(_ action: Action, of slot: MethodSlot) {
    switch action {
    case .before: (isBefore, isAround) = (true, false)
    case .around: (isBefore, isAround) = (false, true)
    case .answer: (isBefore, isAround) = (false, false)
    }
    target = slot
    self.action = action
    super.init()
  }

  override func dispose(noting quiescence: Quiescence?) {
    if close() {
      target.remove(self)
      letGo()
    }
    quiescence?.note(self)
  }

  override func isQuiescent(_ level: Quiescence.Level) -> Bool { life.has(.finalised) }

  override var runner: UInt64 {
    let me = Thread.record.pointee.id
    return lock.withLock { runners.contains(me) ? me : runners.first ?? 0 }
  }

  /// Lets go of the action once it is disposed and no thread is in it.
  private func letGo() {
    var taken: Action?
    lock.withLock { if isClosed && runners.isEmpty { swap(&taken, &action) } }
    if taken == nil { return }
    taken = nil
    finalise()
  }

  private func begin() -> Action? {
    let me = Thread.record.pointee.id
    return lock.withLock {
      if isClosed { return nil }
      runners.append(me)
      return action
    }
  }

  private func finish() {
    let me = Thread.record.pointee.id
    lock.withLock { if let index = runners.lastIndex(of: me) { runners.remove(at: index) } }
    if isClosed { letGo() }
  }

  // MARK: Calling

  func tell(_ arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>) {
    guard case .before(let connection)? = begin() else { return }
    connection.call(arguments)
    finish()
  }

  /// The answer, with its reference, or null; nil when it has been disposed.
  func call(_ invocation: Invocation) -> ForeignValue? {
    var answer = ForeignValue.null
    switch begin() {
    case .around(let action)?: action(invocation)
    case .answer(let action)?: answer = action(invocation)
    default: return nil
    }
    finish()
    return answer
  }
}
