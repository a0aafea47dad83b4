/// A subject without memory: subscribers get what is sent after they came.
public final class PublishSubject<Value>: Subject<Value>, @unchecked Sendable {
  public init(_ options: SourceOptions = SourceOptions()) { super.init(Emitter(options)) }

  // The library is built for size; this is what it has to be fast at.
  @_optimize(speed)
  package override func emit(_ value: Value) -> Code { emitter.send(value) }

  @_optimize(speed)
  package override var isSourceHere: Bool { !hasGivenName && emitter.isOpenHere }
  @_optimize(speed)
  package override func startHere(_ subscription: Sink<Value>) { emitter.attachHere(subscription) }
}
