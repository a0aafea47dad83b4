import CBelayShim

/// A subject without memory: subscribers get the values that are sent after they came.
public final class PublishSubject<Value>: Subject<Value>, @unchecked Sendable {
  /// A subject at home at the calling thread, unless `options` names another home.
  public init(_ options: SourceOptions = SourceOptions()) {
    super.init(Emitter(options))
    form = .publishSubject
  }

  // The library is compiled for size, but this function has to be fast.
  @_optimize(speed)
  package override func emit(_ value: Value) -> Code { emitter.send(value) }

  /// Whether the source is at this thread's own home and has not ended, and nobody watches or has named
  /// this. Then a subscription that is made here hangs on the source with nothing between.
  @_optimize(speed)
  package var isSourceHere: Bool {
    !hasGivenName && emitter.isOpenHere && !belay_shim_watches_events()
  }

  /// Attaches `subscription` to the source, for which `isSourceHere` is true. No other code knows the
  /// subscription yet. Calls no callback.
  @_optimize(speed)
  package func startHere(_ subscription: Sink<Value>) { emitter.attachHere(subscription) }
}
