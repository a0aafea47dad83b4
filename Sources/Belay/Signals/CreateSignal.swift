/// A cold signal: runs a producer for each subscription.
@_spi(Engine) open class CreateSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let options: SourceOptions
  /// Whether each emitter retains this signal until its teardown is over, because the producer's
  /// callbacks use what the signal owns.
  private let staysForTeardown: Bool

  public init(_ options: SourceOptions, staysForTeardown: Bool = false) {
    self.options = options
    self.staysForTeardown = staysForTeardown
    super.init()
    if options.isShared {
      route = Route(options.prefersHops ? .atLoopElseAnywhere : .anywhere)
    }
  }

  /// Runs the producer. The disposable that it returns is disposed of when the subscription ends.
  open func produce(_ subscriber: Subscriber<Value>) -> Disposable? { nil }

  package final override var builtName: Text { options.label?.text ?? "create" }

  package final override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    // A shared source takes the subscription's home only if that is shared, too; its events come
    // to that home from any thread.
    if options.isShared && home.isShared {
      unsafeDowncast(home, to: SharedHome.self).makeRoom(for: options.capacity)
    }
    let emitter = ColdEmitter<Value>(
      options, at: !options.isShared || home.isShared ? home : nil, room: 1)
    if staysForTeardown { emitter.signal = self }
    let code = emitter.attachFirst(sink, at: home)
    if code.isFailure { return code }
    let subscriber = Subscriber(consume emitter)
    if let teardown = produce(subscriber) { subscriber.add(teardown) }
    return .ok
  }
}

/// A cold signal whose producer is a closure.
private final class ClosureCreateSignal<Value>: CreateSignal<Value>, @unchecked Sendable {
  private let producer: (Subscriber<Value>) -> Disposable?

  init(_ options: SourceOptions, _ producer: @escaping (Subscriber<Value>) -> Disposable?) {
    self.producer = producer
    super.init(options)
  }

  override func produce(_ subscriber: Subscriber<Value>) -> Disposable? { producer(subscriber) }
}

extension Signal {
  /// A cold signal: `producer` runs once for each subscription, at its home.
  ///
  /// The subscriber may be kept and used later, from any thread. When the last reference to it goes
  /// without an end, the subscription is interrupted. The disposable that the producer returns is
  /// disposed of when the subscription ends, or at once if it has ended by then.
  public static func create(
    _ options: SourceOptions = SourceOptions(),
    _ producer: @escaping (Subscriber<Value>) -> Disposable?
  ) -> Signal<Value> {
    ClosureCreateSignal(options, producer)
  }
}
