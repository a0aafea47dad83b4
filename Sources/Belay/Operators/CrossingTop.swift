/// The lower end of what is above a crossing.
final class CrossingTop<Value>: Subscription<Value>, @unchecked Sendable {
  private var crossing: Crossing<Value>?
  private let ownHome: Home

  init(_ crossing: Crossing<Value>, at home: Home) {
    self.crossing = crossing
    ownHome = home
    super.init()
  }

  override var fixedHome: Unmanaged<Home>? { .passUnretained(ownHome) }
  override var origin: Origin { crossing?.origin ?? Origin() }
  override func next(_ value: Value) { if !isClosed { crossing?.push(value) } }

  override func onError(_ failure: Failure) -> Bool {
    crossing?.push(.failed(failure))
    return true
  }

  override func onCompleted() { crossing?.push(.completed) }
  // Nothing new after an end, or when what is below has gone.
  override func onDisposed() { crossing?.push(.interrupted) }
  override func freeContext() { crossing = nil }
}

/// Empties a crossing's queue.
final class CrossingWork<Value>: Work, @unchecked Sendable {
  private var crossing: Crossing<Value>?

  init(_ crossing: Crossing<Value>) {
    self.crossing = crossing
    super.init()
    tellsItsLoss = true
  }

  override func perform() {
    let crossing = crossing
    self.crossing = nil
    crossing?.arrive()
  }

  override func drop() {
    let crossing = crossing
    self.crossing = nil
    crossing?.giveUp()
  }
}

/// Starts a subscription elsewhere, or learns that it will not be.
final class StartWork: Work, @unchecked Sendable {
  private var start: ((_ isRefused: Bool) -> Void)?
  private let lock = Lock()
  private var isPosted = false
  private var isRefused = false

  init(_ start: @escaping (Bool) -> Void) {
    self.start = start
    super.init()
    tellsItsLoss = true
  }

  /// A refusal before this is told to who posts; one after it is an interruption.
  func wasPosted() {
    let isRefused = lock.withLock {
      isPosted = true
      return self.isRefused
    }
    if isRefused { call(true) }
  }

  override func perform() { call(false) }

  override func drop() {
    let isUnderWay = lock.withLock {
      isRefused = true
      return isPosted
    }
    if isUnderWay { call(true) }
  }

  private func call(_ isRefused: Bool) {
    let start = lock.withLock {
      let start = self.start
      self.start = nil
      return start
    }
    start?(isRefused)
  }
}
