/// The value that is waited for.
package enum Awaited {
  case first
  case last
}

/// Keeps the value that is waited for, and calls `whenOver` when it has come.
package final class Waiter<Value>: Subscription<Value>, @unchecked Sendable {
  private let awaited: Awaited
  private let ownHome: Home
  private var value: Value?
  private var failure: Failure?
  private var isCompleted = false
  package var whenOver: (() -> Void)?

  package init(_ awaited: Awaited, at home: Home) {
    self.awaited = awaited
    ownHome = home
    super.init()
  }

  public override var fixedHome: Unmanaged<Home>? { .passUnretained(ownHome) }

  public override func next(_ value: Value) {
    if isClosed { return }
    keep(value)
    let old = self.value
    self.value = value
    if let old { discard(old) }
    if awaited == .first {
      isCompleted = true
      dispose()
    }
  }

  public override func onError(_ failure: Failure) -> Bool {
    self.failure = failure
    return true
  }

  public override func onCompleted() { isCompleted = true }
  public override func onDisposed() { whenOver?() }

  package func timeIsUp() {
    if isClosed { return }
    failure = Failure(.timedOut)
    dispose()
  }

  package func answer() throws(Failure) -> Value? {
    let value = value
    self.value = nil
    if isCompleted { return value }
    if let value { discard(value) }
    throw failure ?? Failure(.canceled)
  }
}
