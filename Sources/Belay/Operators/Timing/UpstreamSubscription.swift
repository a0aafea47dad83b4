/// The lower end of the part above a boundary.
final class UpstreamSubscription<Value>: Subscription<Value>, @unchecked Sendable {
  private var boundary: AsyncBoundary<Value>?
  private let ownHome: Home
  // The name of the part below, for which other threads ask while this lets go of the boundary.
  private let label, site: StaticSite?

  init(_ boundary: AsyncBoundary<Value>, at home: Home) {
    self.boundary = boundary
    ownHome = home
    let origin = boundary.origin
    (label, site) = (origin.label, origin.site)
    super.init()
  }

  override var fixedHome: Unmanaged<Home>? { .passUnretained(ownHome) }
  override var origin: Origin { Origin(label: label, site: site) }
  override func next(_ value: Value) { if !isClosed { boundary?.push(value) } }

  override func onError(_ failure: Failure) -> Bool {
    boundary?.push(.failed(failure))
    return true
  }

  override func onCompleted() { boundary?.push(.completed) }
  // The boundary ignores this after an end, and after a disposal from below.
  override func onDisposed() { boundary?.push(.interrupted) }
  override func freeContext() { boundary = nil }
}

/// The work that empties a boundary's queue.
final class BoundaryWork<Value>: Work, @unchecked Sendable {
  private var boundary: AsyncBoundary<Value>?
  // A copy, because a loop that closes may ask for the name of a pool's work at any time.
  private let label, site: StaticSite?

  init(_ boundary: AsyncBoundary<Value>) {
    self.boundary = boundary
    let origin = boundary.origin
    (label, site) = (origin.label, origin.site)
    super.init()
    isLossHandled = true
  }

  override var origin: Origin { Origin(label: label, site: site) }

  override func perform() {
    let boundary = boundary
    self.boundary = nil
    boundary?.arrive()
  }

  override func drop() {
    let boundary = boundary
    self.boundary = nil
    boundary?.giveUp()
  }
}

/// Work that starts a subscription at another home, or that learns that it will not start.
final class StartWork: Work, @unchecked Sendable {
  private var start: ((_ isCanceled: Bool) -> Void)?
  private let lock = Lock()
  private var isPosted = false
  private var isCanceled = false
  // As those of the work of a boundary.
  private let label, site: StaticSite?

  /// - Parameter boundary: the one below, whose subscription gives the work its name.
  init(above boundary: Upstream, _ start: @escaping (Bool) -> Void) {
    self.start = start
    let origin = boundary.origin
    (label, site) = (origin.label, origin.site)
    super.init()
    isLossHandled = true
  }

  override var origin: Origin { Origin(label: label, site: site) }

  /// Called when the work has been accepted. A refusal before this is answered by a code; a later
  /// one is an interruption.
  func wasPosted() {
    let isCanceled = lock.withLock {
      isPosted = true
      return self.isCanceled
    }
    if isCanceled { call(true) }
  }

  override func perform() { call(false) }

  override func drop() {
    let isUnderWay = lock.withLock {
      isCanceled = true
      return isPosted
    }
    if isUnderWay { call(true) }
  }

  private func call(_ isCanceled: Bool) {
    let start = lock.withLock {
      let start = self.start
      self.start = nil
      return start
    }
    start?(isCanceled)
  }
}
