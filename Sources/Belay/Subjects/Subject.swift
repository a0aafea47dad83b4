/// A signal that the program sends into; the base class of the subjects.
///
/// Each event goes to the subscribers in the order of subscription, at the subject's home. When the
/// last reference to the subject goes, its subscriptions are interrupted.
public class Subject<Value>: Signal<Value>, @unchecked Sendable {
  package final let emitter: Emitter<Value>

  init(_ emitter: Emitter<Value>) {
    self.emitter = emitter
    super.init()
    route = Route(to: emitter.ownHome, emitter.isShared ? .anywhere : .atSource)
    route.isSource = true
  }

  deinit { emitter.abandon() }

  package override func emit(_ value: Value) -> Code { emitter.accept(value) }
  package final override func emit(_ end: End) -> Code { emitter.send(end) }
  package final override var ownSource: Source? { emitter }
  package final override var builtName: Text { emitter.chainName }

  package final override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    emitter.attach(sink, at: home)
  }

  /// Sends a value to every subscription, from any thread.
  ///
  /// - Returns: `.ok` when all subscribers have been called; `.queued` when the value is delivered
  ///   later, because it was sent from inside a delivery or on another thread than the home's;
  ///   otherwise `.ended`, `.again` (a queue is full), `.reentrant`, `.noHome` or `.canceled`, and
  ///   the value is dropped.
  @discardableResult
  public final func next(_ value: Value) -> Code { emit(value) }

  /// Sends a value like `next(_:)`. While a queue is full, the thread sleeps until there is room. It
  /// must not be one that runs tasks.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - timeout: nil: without limit.
  /// - Returns: as `next(_:)`; `.timedOut`; `.deadlock` if the queue is full and no other thread
  ///   could make room: at the subject's home, on a thread that has a loop, in work of a pool, and
  ///   when the home's thread waits for this one.
  public final func next(_ value: Value, waitingAtMost timeout: Duration?) -> Code {
    emit(value, waitingAtMost: timeout?.nanoseconds ?? -1)
  }

  /// Sends a value, and ends the subject with an error if it is refused.
  package final func pass(_ value: Value) {
    let code = emit(value)
    if code.isRefusal { _ = emit(.failed(Failure(code, message: "it took no more values"))) }
  }

  /// Ends the subject. This is never refused for lack of room.
  @discardableResult
  public final func completed() -> Code { emitter.send(.completed) }

  /// Ends the subject with an error. This is never refused for lack of room.
  @discardableResult
  public final func error(_ failure: Failure) -> Code { emitter.send(.failed(failure)) }

  #if !hasFeature(Embedded)
    /// Ends the subject with a Swift error, which a `Failure` carries as its `underlying`.
    @discardableResult
    public final func error(_ error: any Error) -> Code { self.error(Failure.carrying(error)) }
  #endif

  /// The number of subscribers. On another thread than the home's this is an estimate.
  public final var subscriberCount: Int { emitter.sinkCount }
}
