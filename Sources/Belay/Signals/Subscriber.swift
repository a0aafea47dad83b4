import CBelayShim

/// Where a producer sends. It may be kept, and used from any thread: what is sent away from the
/// subscription's home is queued there.
///
/// When the last reference goes without an end, the subscription is interrupted.
public final class Subscriber<Value>: Entity, @unchecked Sendable {
  private let emitter: ColdEmitter<Value>

  init(_ emitter: consuming ColdEmitter<Value>) {
    self.emitter = emitter
    super.init()
    Live.subscribers.began()
  }

  deinit {
    // (A plain call would count a reference around it.)
    Unmanaged.passUnretained(emitter)._withUnsafeGuaranteedRef { $0.abandon() }
    Live.subscribers.ended()
  }

  public override var valueKind: ValueKind { .subscriber }

  /// Sends a value. `.queued`: taken, delivered later. Else `.ok`, `.ended`, `.again`, `.noHome`
  /// or `.canceled`, and the value is dropped.
  @discardableResult
  public func next(_ value: Value) -> Code { emitter.sendUnlessDeserted(value) }

  /// Sends a value whose code nobody hears: a queue without room for it is the error event.
  package func sendOrFail(_ value: Value) { if next(value) == .again { error(Failure(.again)) } }

  @discardableResult
  public func completed() -> Code { end(.completed) }

  @discardableResult
  public func error(_ failure: Failure) -> Code { end(.failed(failure)) }

  private func end(_ end: End) -> Code { emitter.sendUnlessDeserted(end) }

  /// Makes `disposable` end with the subscription, beside the one that the producer returns.
  public func add(_ disposable: Disposable) { emitter.addTeardown(disposable) }

  /// Whether nobody listens any more.
  public var isDisposed: Bool { emitter.isClosed || emitter.isDeserted }
}

/// The source of one cold subscription: ends its producer when its sink leaves.
final class ColdEmitter<Value>: Emitter<Value>, @unchecked Sendable {
  private let lock = AsymmetricLock()
  /// Under the lock, until this has been closed.
  private var teardown: CompoundCore?
  /// The signal, if the producer's callbacks use what it has; until then, too.
  final var signal: CreateSignal<Value>?

  override var chainNameOfUnlabelled: Text { "create" }

  func addTeardown(_ disposable: Disposable) {
    let late = lock.withLock { () -> Bool in
      if isClosed { return true }
      let members = teardown ?? CompoundCore()
      teardown = members
      _ = members.add(disposable)
      return false
    }
    if late { disposable.dispose() }
  }

  /// `send` for a source of one subscription: `.ended` once that is closed, also when it has been
  /// disposed of elsewhere and the news is not here yet.
  final func sendUnlessDeserted(_ value: Value) -> Code {
    if isClosed { return .ended }
    guard let record = recordIfReady else { return isDeserted ? .ended : sendSlowly(value) }
    return visitUnlessDeserted(in: record) { deliver(value) }
  }

  final func sendUnlessDeserted(_ end: End) -> Code {
    if isClosed { return .ended }
    guard let record = recordIfReady, !isShared else { return isDeserted ? .ended : send(end) }
    return visitUnlessDeserted(in: record) { finish(end) }
  }

  @inline(__always)
  private final func visitUnlessDeserted(
    in record: UnsafeMutablePointer<belay_thread>, _ body: () -> Void
  ) -> Code {
    let visit = beginVisit(in: record)
    let isDeserted = visit.isOpen && areSinksClosed
    if visit.isOpen && !isDeserted { body() }
    let code = endVisit(visit)
    return isDeserted ? .ended : code
  }

  override func linkLeft() {
    guard lock.withLock({ close() }) else { return }
    // From now on both belong to this thread.
    if let teardown { NestedEnds.run(teardown) }
    teardown = nil
    signal = nil
  }
}
