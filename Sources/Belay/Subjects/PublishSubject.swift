/// A signal that one sends into. Without memory: subscribers get what is sent after they came.
///
/// Delivery is in the order of subscription, at the subject's home. When the last reference to the
/// subject goes, its subscriptions are interrupted.
public final class PublishSubject<Value>: Signal<Value>, @unchecked Sendable {
  private let emitter: Emitter<Value>

  public init(_ options: SourceOptions = SourceOptions()) {
    emitter = Emitter(options)
    super.init()
  }

  deinit { emitter.abandon() }

  // The library is built for size; this is what it has to be fast at.
  @_optimize(speed)
  package override func emit(_ value: Value) -> Code { emitter.send(value) }
  package override func emit(_ end: End) -> Code { emitter.send(end) }
  package override var sinkCount: Int { emitter.sinkCount }
  package override var builtName: String { emitter.chainName }

  package override var sourceHome: Home? { emitter.ownHome }
  package override var isSource: Bool { true }

  @_optimize(speed)
  package override var isSourceHere: Bool { !hasGivenName && emitter.isOpenHere }
  @_optimize(speed)
  package override func startHere(_ subscription: Sink<Value>) { emitter.attachHere(subscription) }

  package override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    emitter.attach(sink, at: home)
  }

  /// Sends a value to every subscription, from any thread.
  ///
  /// - Returns: `.ok` when everybody has been called; `.queued` when it is delivered later: it was
  ///   sent from inside a delivery, or away from home; else `.ended`, `.again` (a queue is full),
  ///   `.reentrant`, `.noHome` or `.canceled`, and the value is dropped.
  @discardableResult
  public func next(_ value: Value) -> Code { emitter.send(value) }

  /// Ends the subject. Never refused for lack of room.
  @discardableResult
  public func completed() -> Code { emitter.send(.completed) }

  @discardableResult
  public func error(_ failure: Failure) -> Code { emitter.send(.failed(failure)) }

  /// How many are subscribed; elsewhere than at home an estimate.
  public var subscriberCount: Int { sinkCount }
}
