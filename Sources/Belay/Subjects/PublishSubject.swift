import CBelayShim

/// A subject without memory: subscribers get the values that are sent after they came.
public final class PublishSubject<Value>: Subject<Value>, @unchecked Sendable {
  /// A subject at home at the calling thread, unless `options` names another home.
  public init(_ options: SourceOptions = SourceOptions()) { super.init(Emitter(options)) }

  // The library is compiled for size, but this function has to be fast.
  @_optimize(speed)
  package override func emit(_ value: Value) -> Code { emitter.send(value) }

  @_optimize(speed)
  package override var isSourceHere: Bool {
    !hasGivenName && emitter.isOpenHere && !belay_shim_watches_events()
  }
  @_optimize(speed)
  package override func startHere(_ subscription: Sink<Value>) { emitter.attachHere(subscription) }
}
