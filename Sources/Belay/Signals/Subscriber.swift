/// Where a producer sends. It may be kept, and used from any thread: what is sent away from the
/// subscription's home is queued there.
///
/// When the last reference goes without an end, the subscription is interrupted.
public final class Subscriber<Value>: Entity, @unchecked Sendable {
  private let emitter: ColdEmitter<Value>

  init(_ emitter: ColdEmitter<Value>) {
    self.emitter = emitter
    super.init()
    Live.subscribers.began()
  }

  deinit {
    emitter.abandon()
    Live.subscribers.ended()
  }

  public override var valueKind: ValueKind { .subscriber }

  /// Sends a value. `.queued`: taken, delivered later. Else `.ok`, `.ended`, `.again`, `.noHome`
  /// or `.canceled`, and the value is dropped.
  @discardableResult
  public func next(_ value: Value) -> Code {
    isDisposed ? .ended : emitter.send(value)
  }

  /// Sends a value whose code nobody hears: a queue without room for it is the error event.
  package func sendOrFail(_ value: Value) { if next(value) == .again { error(Failure(.again)) } }

  @discardableResult
  public func completed() -> Code { end(.completed) }

  @discardableResult
  public func error(_ failure: Failure) -> Code { end(.failed(failure)) }

  private func end(_ end: End) -> Code { isDisposed ? .ended : emitter.send(end) }

  /// Makes `disposable` end with the subscription, beside the one that the producer returns.
  public func add(_ disposable: Disposable) { emitter.addTeardown(disposable) }

  /// Keeps `object` until the subscription has ended and the producer is torn down: what a foreign
  /// producer's callbacks use, who capture nothing.
  package func keep(_ object: AnyObject) { emitter.keep(object) }

  /// Whether nobody listens any more.
  public var isDisposed: Bool { emitter.isClosed || emitter.isDeserted }
}

/// The source of one cold subscription: ends its producer when its sink leaves.
final class ColdEmitter<Value>: Emitter<Value>, @unchecked Sendable {
  private var teardown: CompoundCore?
  private var kept: AnyObject?
  private let lock = Lock()

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

  func keep(_ object: AnyObject) { lock.withLock { if !isClosed { kept = object } } }

  override func linkLeft() {
    let last = lock.withLock { () -> (CompoundCore?, AnyObject?) in
      _ = close()
      defer { (teardown, kept) = (nil, nil) }
      return (teardown, kept)
    }
    if let teardown = last.0 { NestedEnds.run(teardown) }
    extendLifetime(last.1)
  }
}
