import CBelayShim

/// An interceptor of a slot's calls, until it is disposed of.
final class SlotHook: Disposable, @unchecked Sendable {
  /// The action of a hook at a call.
  enum Action {
    /// Called before the call.
    case before(Connection)
    /// Called instead of the call, with which it can proceed.
    case around((Invocation) -> Void)
    /// Answers the call, with a reference for the caller.
    case answer((Invocation) -> ForeignValue)
  }

  let isBefore: Bool
  let isAround: Bool
  private let target: MethodSlot
  private let lock = Lock()
  // The lock protects the fields below.
  private var action: Action?
  /// The threads that are inside of it; once for each nested call.
  private var inside: [UInt64] = []
  /// The thread that releases the action, while it does.
  private var releaser: UInt64 = 0

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
      // The object's function that installs its table is called inside of this, as the action is.
      let me = Thread.record.pointee.id
      lock.withLock { inside.append(me) }
      target.remove(self)
      end()
    }
    quiescence?.note(self)
  }

  override func isQuiescent(_ level: Quiescence.Level) -> Bool { life.has(.finalised) }

  override var runners: [UInt64] { lock.withLock { inside.isEmpty ? [releaser] : inside } }

  /// Releases the action when it has been disposed of and no thread is inside.
  private func letGo() {
    var taken: Action?
    lock.withLock {
      guard isClosed && inside.isEmpty else { return }
      swap(&taken, &action)
      if taken != nil { releaser = Thread.record.pointee.id }
    }
    if taken == nil { return }
    taken = nil
    finalise()
  }

  private func begin() -> Action? {
    let me = Thread.record.pointee.id
    return lock.withLock {
      if isClosed { return nil }
      inside.append(me)
      return action
    }
  }

  private func end() {
    let me = Thread.record.pointee.id
    lock.withLock { if let index = inside.lastIndex(of: me) { inside.remove(at: index) } }
    if isClosed { letGo() }
  }

  // MARK: Calling

  func tell(_ arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>) {
    if callConnection(arguments) { end() }
  }

  // The reference to the connection goes before `end`, which releases the last one.
  @inline(never)
  private func callConnection(
    _ arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> Bool {
    guard case .before(let connection)? = begin() else { return false }
    connection.call(arguments)
    return true
  }

  /// The answer with its reference, or null; nil if this has been disposed of.
  func call(_ invocation: Invocation) -> ForeignValue? {
    var answer = ForeignValue.null
    switch begin() {
    case .around(let action)?: action(invocation)
    case .answer(let action)?: answer = action(invocation)
    default: return nil
    }
    end()
    return answer
  }
}
